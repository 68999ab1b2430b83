import { buildAddress } from "~/platform/url";
import type { AuditFilter } from "./audit-record.server";

/** First part of an event's `what`: the `audit` values of the access table, and refused rights. */
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

export type AuditRoom = (typeof AUDIT_ROOMS)[number];

export const AUDIT_OUTCOMES = ["done", "refused", "failed"] as const;

export function auditAddress(filter: AuditFilter, before: string | null = null, path = "/audit"): string {
  const { actorId: who, room: what, outcome } = filter;
  return buildAddress(path, { who, what, outcome, before });
}
