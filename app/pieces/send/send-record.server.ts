import type { Db } from "~/platform/database/client";
import { sha256 } from "~/platform/hash.server";
import { Prisma, type Send } from "../../../prisma/client/client";
import { IS_DUE } from "../lease.server";
import type { MailType } from "../mail-type";
import type { PieceState, ReleaseCause } from "../states";

type Stored =
  | ("id" | "userId" | "actorId" | "via" | "requestHash" | "cost" | "charged" | "providerId" | "note")
  | ("method" | "path" | "url" | "answerStatus" | "answerHeaders" | "durationMs" | "createdAt" | "settledAt")
  | ("addressCheck" | "testedPieceId" | "keyFingerprint" | "givenUpBy");

/** A row of `sends`, without the request's body. */
export interface SendRecord extends Pick<Send, Stored> {
  mailType: MailType;
  state: PieceState;
  /** JSON text of the headers as they were sent, without the key. */
  requestHeaders: string;
  /**
   * Number of calls begun; 0 while only the hold is stored. It fences outcomes: a process whose lease expired cannot
   * undo another one's work.
   */
  attempts: number;
  /** Masked. */
  answerText: string | null;
  /** Null when it was not released, or before causes were stored. */
  releaseCause: ReleaseCause | null;
  /** Time since `settledAt`, by the database's clock. */
  settledSecondsAgo: number | null;
  leased: boolean;
  ageSeconds: number;
  /** Time since the last call that may have been carried out; null when unknown. */
  sinceCallSeconds: number | null;
}

export const SEND_RECORD_COLUMNS = Prisma.sql`
  id, user_id AS "userId", actor_id AS "actorId", via, request_hash AS "requestHash", mail_type AS "mailType",
  cost, charged, state, method, path, url, request_headers AS "requestHeaders",
  provider_id AS "providerId", attempts, answer_status AS "answerStatus",
  answer_headers AS "answerHeaders", answer_text AS "answerText", duration_ms AS "durationMs", note,
  release_cause AS "releaseCause",
  address_check AS "addressCheck", tested_piece_id AS "testedPieceId",
  created_at AS "createdAt", settled_at AS "settledAt",
  extract(epoch FROM clock_timestamp() - settled_at)::float8 AS "settledSecondsAgo", coalesce(NOT ${IS_DUE}, false) AS leased,
  extract(epoch FROM now() - created_at)::float8 AS "ageSeconds", key_fingerprint AS "keyFingerprint",
  extract(epoch FROM clock_timestamp() - called_at)::float8 AS "sinceCallSeconds", given_up_by AS "givenUpBy"`;

/**
 * A condition that the list `l` sent `s`: its key names the list, and its reservation is a list's, which no caller's
 * key can claim.
 */
export const IS_LIST_OF_SEND = Prisma.sql`s.credit_reservation_id IS NOT NULL
  AND l.id = split_part(s.idempotency_key, ':', 2)`;

/** Prefixes of the keys that Mailroom makes; callers cannot use them. */
export const OWN_KEYS = {
  row: "list:",
  tested: "tested:",
  lost: "lost-",
  unexpected: "unexpected-",
} as const;

export function isOwnKey(key: string): boolean {
  return Object.values(OWN_KEYS).some((prefix) => key.startsWith(prefix));
}

/**
 * Derives the id of a send from the person's key; tag and provider's idempotency key follow from it. The provider
 * thus recognises a repeat after a failover that lost the row.
 * @param freed how often the key was freed
 */
export function deriveSendId(actorId: string, idempotencyKey: string, freed: number): string {
  return sha256(JSON.stringify([actorId, idempotencyKey, freed])).slice(0, 32);
}

export async function findSendByKey(db: Db, actorId: string, key: string): Promise<SendRecord | null> {
  const rows = await db.$queryRaw<SendRecord[]>`
    SELECT ${SEND_RECORD_COLUMNS} FROM sends WHERE actor_id = ${actorId} AND idempotency_key = ${key}`;
  return rows[0] ?? null;
}

export async function findSend(db: Db, id: string): Promise<SendRecord | null> {
  const rows = await db.$queryRaw<SendRecord[]>`SELECT ${SEND_RECORD_COLUMNS} FROM sends WHERE id = ${id}`;
  return rows[0] ?? null;
}

/** Finds the piece with this provider's id at a base URL; null if there is none. */
export async function findStoredPiece(db: Db, providerId: string, baseUrl: string) {
  const rows = await db.$queryRaw<{ id: string; charged: number }[]>`
    SELECT s.id, s.charged FROM mail_items i JOIN sends s ON s.id = i.send_id
    WHERE i.provider_id = ${providerId} AND i.base_url = ${baseUrl} AND NOT i.test
    ORDER BY i.created_at DESC LIMIT 1`;
  return rows[0] ?? null;
}

/** Counts how often a key was freed, for a key that no send has now. */
export async function countFreed(db: Db, actorId: string, idempotencyKey: string): Promise<number> {
  for (let freed = 0; ; freed++) {
    const id = deriveSendId(actorId, idempotencyKey, freed);
    const rows = await db.$queryRaw<{ id: string }[]>`SELECT id FROM sends WHERE id = ${id}`;
    if (rows.length === 0) return freed;
  }
}
