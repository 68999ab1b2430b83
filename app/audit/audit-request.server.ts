import type { Request, Response } from "express";
import { personOf, VIA } from "~/people/actor";
import type { AccessTable } from "~/platform/http/gate.server";
import type { CurrentRequest } from "~/platform/request-id.server";
import { finishBeforeExit } from "~/platform/stopping.server";
import { recordAudit } from "./audit-record.server";

/** Intents that change nothing of ours. */
const QUIET = new Set(["refresh", "simulate", "ask"]);

/**
 * Records an answered request: one whose row in the access table has `audit`, and any other that was refused for a right.
 * Requests of unknown callers are left out, because anyone could fill the log with them.
 */
export function auditRequest(
  table: AccessTable,
  request: Request,
  response: Response,
  current: CurrentRequest,
): void {
  const { route = "", params = {} } = response.locals as { route?: string; params?: Record<string, string> };
  const { id: requestId, actorId, intent, subject, refused, failed } = current;
  const method = request.method as "GET" | "POST" | "DELETE";
  const room = table[route]?.methods[method]?.audit;
  if (actorId === undefined || (room === undefined && !refused) || QUIET.has(intent ?? "")) return;
  const person = personOf(actorId);
  const act = intent ?? (method === "DELETE" ? "delete" : null);
  const place = room === "export" ? request.path : Object.values(params).join(" ");
  const subjects = [room === undefined ? `${method} ${route.replace("routes/", "")}` : "", place, subject];
  const event = {
    actorId: person,
    token: actorId === person ? null : actorId.slice(person.length + VIA.length),
    address: (request.ip ?? "").replace(/^::ffff:/, ""),
    what: room === undefined ? "right.refused" : act === null ? room : `${room}.${act}`,
    subject: subjects.filter(Boolean).join(" "),
    outcome: refused ? "refused" : failed || response.statusCode >= 400 ? "failed" : "done",
    requestId,
  } as const;
  void finishBeforeExit(recordAudit(event));
}
