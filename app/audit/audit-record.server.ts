import { randomUUID } from "node:crypto";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { errorNameOf, log } from "~/platform/log.server";
import type { Outcome } from "~/platform/outcome";
import { replaySpool, writeSpool } from "~/platform/spool.server";
import type { PrismaClient } from "../../prisma/client/client";
import { Prisma } from "../../prisma/client/client";

/** One act of a person or program. It holds ids and no names, so that an erasure leaves it as it is. */
export interface AuditEvent {
  /** A user's id. */
  actorId: string;
  /** Name of the token where a program acted. */
  token: string | null;
  /** IP address. */
  address: string;
  /** Room and intent: `webhook.rotate`. */
  what: string;
  /** Ids of what it was about; empty where it has none. */
  subject: string;
  outcome: "done" | "refused" | "failed";
  requestId: string;
}

/** An event with the name of its actor, as it is shown. */
export interface StoredAuditEvent extends AuditEvent {
  id: string;
  at: Date;
  /** Null where the user is not stored. */
  actorName: string | null;
}

export interface AuditFilter {
  /** A user's id. */
  actorId: string | null;
  /** A room, the part of `what` before the dot. */
  room: string | null;
  outcome: string | null;
}

const SPOOL_KIND = "audit_event";

type Queued = AuditEvent & { eventId: string; at: string };

/** Stores an event; on the disk while the database is away. Never throws. */
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

/** Stores the events that waited on the disk. */
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
