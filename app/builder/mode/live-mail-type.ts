import type { MailType } from "~/pieces/mail-type";
import { decodePercent } from "~/platform/percent-encoding";
import { type Classified, classifyCall } from "~/proxy/live-mail-rule";
import { type CallTemplate, carriesBody, type Draft } from "../draft";
import { findMailKind } from "../editor/mail-kind";
import { buildBody, fillPath } from "../request/request";

/** The kind of real mail that sending this draft would create, or null. Page and server share the rule: classifyCall. */
export function findLiveMailType(draft: Draft, template: CallTemplate): MailType | null {
  if (!carriesBody(draft.method)) return null;
  try {
    // While the form is incomplete its body is empty, but its test box still decides.
    const byForm = draft.body === null && findMailKind(template) !== null;
    const body = byForm ? { test: draft.values.test === "true" } : (buildBody(draft, template) ?? {});
    // The server may parse a text as form fields, so a text always counts as live here.
    const classified = classify(draft, typeof body === "string" ? {} : body);
    if (!classified.ok || classified.call.kind !== "mail" || classified.call.test) return null;
    return classified.call.mailType;
  } catch {
    return null;
  }
}

/** The kind of mail that this call creates, test or live; null when it creates none. */
export function findMailType(draft: Draft): MailType | null {
  const classified = classify(draft, { test: true });
  return classified.ok && classified.call.kind === "mail" ? classified.call.mailType : null;
}

function classify(draft: Draft, body: unknown): Classified {
  // Decoded as the server does it, so that an escaped path is recognised as mail here too.
  const path = fillPath(draft)
    .split("/")
    .map((segment) => decodePercent(segment) ?? segment)
    .join("/");
  return classifyCall({ method: draft.method, path, query: {}, body }, []);
}
