import type { CallTemplate } from "../draft";

/** Which of the two mail forms a call has. */
export type MailKind = "postcard" | "letter";

const FORMS = new Map<string, MailKind>([
  ["postcards/create", "postcard"],
  ["letters/create", "letter"],
]);

export function findMailKind(template: Pick<CallTemplate, "path" | "method">): MailKind | null {
  return template.method === "POST" ? (FORMS.get(template.path) ?? null) : null;
}
