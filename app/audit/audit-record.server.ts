import { randomUUID } from "node:crypto";
import type { Request, Response } from "express";
import { personOf, VIA } from "~/people/actor";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import type { AccessTable } from "~/platform/http/gate.server";
import { type CurrentRequest, errorNameOf, log } from "~/platform/log.server";
import type { Outcome } from "~/platform/outcome";
import { replaySpool, writeSpool } from "~/platform/spool.server";
import { finishBeforeExit } from "~/platform/stopping.server";
import { type AuditEvent as EventRow, Prisma, type PrismaClient } from "../../prisma/client/client";

/** An act of a person or program. It holds ids and no names, so that an erasure does not change it. */
interface AuditEvent
  extends Pick<EventRow, "actorId" | "token" | "address" | "what" | "subject" | "requestId"> {
  outcome: "done" | "refused" | "failed";
}

/** A stored event with the name of its actor. */
export interface StoredAuditEvent extends AuditEvent {
  id: string;
  at: Date;
  /** Null: the user is not stored. */
  actorName: string | null;
}

export interface AuditFilter {
  actorId: string | null;
  /** A room, the part of `what` before the dot. */
  room: string | null;
  outcome: string | null;
}

const SPOOL_KIND = "audit_event";
/** Acts that only bring what the provider reports, or ask a person first. A refused one is recorded. */
const QUIET = new Set(["piece.refresh", "piece.simulate", "mail.refresh", "sign_out.ask"]);

type Queued = AuditEvent & { eventId: string; at: string };

/** Records a request whose route has `audit`, or that was refused a right. Skips unknown callers, who could fill the log. */
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
  if (actorId === undefined) return;
  if (!refused && (room === undefined || QUIET.has(`${room}.${intent}`))) return;
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

/** Stores an event; in the spool while the database is down. Never throws. */
export async function recordAudit(event: AuditEvent): Promise<void> {
  if (env().database.kind === "none") return;
  const queued: Queued = { ...event, eventId: randomUUID(), at: new Date().toISOString() };
  try {
    const stored = await insertEvent(queued);
    if (!stored.ok) await writeSpool(SPOOL_KIND, queued);
  } catch (error) {
    log.error("audit.not_recorded", { event: event.what, errorName: errorNameOf(error) });
  }
}

export const replayAudit = replaySpool(SPOOL_KIND, (content) => insertEvent(content as Queued));

function insertEvent(event: Queued): Promise<Outcome<number>> {
  const { eventId, at, actorId, token, address, what, subject, outcome, requestId } = event;
  return withDatabase(
    (db) => db.$executeRaw`
      INSERT INTO audit_events (event_id, at, actor_id, token, address, what, subject, outcome, request_id)
      VALUES (${eventId}, ${new Date(at)}, ${actorId}, ${token}::text, ${address}, ${what}, ${subject}, ${outcome}, ${requestId})
      ON CONFLICT (event_id) DO NOTHING`,
  );
}

/** Lists events, newest first. @param before an event's id; null: from the newest */
export function listAuditEvents(
  db: PrismaClient,
  { actorId, room, outcome }: AuditFilter,
  before: string | null,
  limit: number,
): Promise<StoredAuditEvent[]> {
  const conditions = [
    before === null ? null : Prisma.sql`a.id < ${before}::bigint`,
    actorId === null ? null : Prisma.sql`a.actor_id = ${actorId}`,
    room === null ? null : Prisma.sql`split_part(a.what, '.', 1) = ${room}`,
    outcome === null ? null : Prisma.sql`a.outcome = ${outcome}`,
  ].filter((one) => one !== null);
  return db.$queryRaw<StoredAuditEvent[]>`
    SELECT a.id::text, a.at, a.actor_id AS "actorId", u.display_name AS "actorName", a.token, a.address, a.what,
      a.subject, a.outcome, a.request_id AS "requestId"
    FROM audit_events a LEFT JOIN users u ON u.id = a.actor_id
    WHERE ${conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, " AND ")}
    ORDER BY a.id DESC LIMIT ${limit}::int`;
}
