import type { FormattedMoment } from "~/ui/moment";

/** The first part of an event's `what`: the `audit` values of the access table, and refused rights. */
export const AUDIT_ROOMS = [
  "sign_in",
  "sign_out",
  "right",
  "export",
  "person",
  "token",
  "webhook",
  "setting",
  "list",
  "credits",
  "piece",
  "mail",
  "response",
  "alarm",
] as const;

/** A room of the audit log. */
export type AuditRoom = (typeof AUDIT_ROOMS)[number];

export const AUDIT_OUTCOMES = ["done", "refused", "failed"] as const;

/** A page of the audit log. */
export interface AuditView {
  filter: { actorId: string | null; room: string | null; outcome: string | null };
  rows: {
    id: string;
    at: FormattedMoment;
    actorId: string;
    actor: string;
    token: string | null;
    address: string;
    what: string;
    subject: string;
    outcome: string;
    requestId: string;
  }[];
  /** Addresses of the first and the next page; null where there is none. */
  newest: string | null;
  older: string | null;
}

/** Address of a page, or of its file. */
export function auditAddress(filter: AuditView["filter"], before?: string, path = "/audit"): string {
  const { actorId: who, room: what, outcome } = filter;
  const given = Object.entries({ who, what, outcome, before }).filter(([, value]) => value);
  const query = new URLSearchParams(given as [string, string][]);
  return query.size > 0 ? `${path}?${query}` : path;
}
