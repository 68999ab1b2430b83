/**
 * The append-only history of a piece: the database refuses to change a row. A transition is recorded by its own
 * statement.
 */

import { type NewAlarm, openAlarm } from "~/alarms/alarm-record.server";
import type { Db } from "~/platform/database/client";
import { type PieceEvent as EventRow, Prisma } from "../../prisma/client/client";
import type { Transition } from "./states";

/** Recovery, as the source of an event. The stored value is older than the name, and history rows are never changed. */
export const RECOVERY = "reconcile";

/** `cancelUnclear`: the outcome of a cancel is unknown. `alarm`: a person has to look. */
export type PieceEventKind = Transition | "cancelUnclear" | "alarm";

export type PieceEventSource = "send" | typeof RECOVERY | "person" | "webhook" | "refresh" | "cancel";

/** The provider's answer as it is stored. */
export interface KeptAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string | null;
  durationMs: number;
}

interface EventDetails {
  /** A user's id, `provider` or `system`. */
  actorId: string | Prisma.Sql;
  /** Absent: the call itself, or recovery if it was repeated. */
  source?: PieceEventSource;
  note?: string | null;
  /** A column of the piece. */
  credits?: "cost" | "charged";
  answer?: KeptAnswer | null;
}

type Stored = "actorId" | "note" | "credits" | "providerId" | "durationMs" | "at";
export type PieceEvent = Pick<EventRow, Stored> & { kind: PieceEventKind; source: PieceEventSource };

const MAX_ANSWER_CHARS = 20_000;
const MAX_NOTE_CHARS = 2_000;

/**
 * Records an event of the pieces of an earlier part of a `WITH` statement, which has the columns `id, attempts,
 * provider_id` and, if named, `cost` or `charged`.
 */
export function recordEvent(pieces: string, kind: PieceEventKind, details: EventDetails): Prisma.Sql {
  const { actorId, source = null, note = null, credits, answer = null } = details;
  return Prisma.sql`
    INSERT INTO piece_events (piece_id, kind, actor_id, source, note, credits, provider_id, attempts, answer_status,
      answer_headers, answer_text, duration_ms)
    SELECT p.id, ${kind}, ${actorId},
      coalesce(${source}::text, CASE WHEN p.attempts > 1 THEN ${RECOVERY}::text ELSE 'send' END),
      ${toStoredText(note, MAX_NOTE_CHARS)}::text, ${credits ? Prisma.raw(`p.${credits}`) : Prisma.sql`NULL`},
      p.provider_id, p.attempts, ${answer?.status ?? null}::int, ${answer ? JSON.stringify(answer.headers) : null}::text,
      ${toStoredText(answer?.text ?? null, MAX_ANSWER_CHARS)}::text, ${answer?.durationMs ?? null}::int
    FROM ${Prisma.raw(pieces)} p`;
}

/** Opens an alarm about a piece and records it in its history. */
export async function alarmPiece(
  db: Db,
  pieceId: string,
  alarm: Omit<NewAlarm, "subject"> & { source: PieceEventSource },
): Promise<void> {
  const { source, ...rest } = alarm;
  const opened = await openAlarm(db, { ...rest, subject: { type: "piece", id: pieceId } });
  if (opened === "known") return;
  await db.$executeRaw`
    INSERT INTO piece_events (piece_id, kind, actor_id, source, note)
    VALUES (${pieceId}, 'alarm', 'system', ${source}, ${toStoredText(rest.text, MAX_NOTE_CHARS)})`;
}

export function listPieceEvents(db: Db, pieceId: string): Promise<PieceEvent[]> {
  return db.$queryRaw<PieceEvent[]>`
    SELECT kind, actor_id AS "actorId", source, note, credits, provider_id AS "providerId", duration_ms AS "durationMs", at
    FROM piece_events WHERE piece_id = ${pieceId} ORDER BY id`;
}

/** Cuts a text and replaces NUL, which the database cannot store. */
export function toStoredText(text: string | null, maxChars: number): string | null {
  return text === null ? null : text.slice(0, maxChars).replaceAll("\u0000", "\ufffd");
}
