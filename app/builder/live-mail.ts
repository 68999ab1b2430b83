import { classifyCall } from "~/sending/classify";
import { carriesBody, type Draft } from "./draft";

/** What sending this draft would have printed and posted ("letter", "postcard"), or null. */
export function findLiveMail(draft: Draft, built: string): string | null {
  if (!carriesBody(draft.method)) return null;
  try {
    const body: unknown = JSON.parse((draft.body ?? built) || "{}");
    const classified = classifyCall({ method: draft.method, path: draft.path.trim(), query: {}, body }, []);
    if (!classified.ok || classified.call.kind !== "mail" || classified.call.test) return null;
    return classified.call.mailType;
  } catch {
    return null;
  }
}
