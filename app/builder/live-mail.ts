import { classifyCall } from "~/sending/classify";
import { type CallTemplate, carriesBody, type Draft } from "./draft";
import { buildBody } from "./request";

/** What sending this draft would have printed and posted ("letter", "postcard"), or null. */
export function findLiveMail(draft: Draft, template: CallTemplate): string | null {
  if (!carriesBody(draft.method)) return null;
  try {
    const body = buildBody(draft, template) ?? {};
    const classified = classifyCall({ method: draft.method, path: draft.path.trim(), query: {}, body }, []);
    if (!classified.ok || classified.call.kind !== "mail" || classified.call.test) return null;
    return classified.call.mailType;
  } catch {
    return null;
  }
}
