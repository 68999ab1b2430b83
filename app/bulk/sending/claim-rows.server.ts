import type { Viewer } from "~/people/viewer.server";
import type { AddressVerdict } from "~/pieces/address-note";
import { sendLeaseMs } from "~/pieces/lease.server";
import { OWN_KEYS } from "~/pieces/send/send-record.server";
import type { Db } from "~/platform/database/client";
import { SCOPES } from "~/platform/http/token-scopes";
import { Prisma } from "../../../prisma/client/client";
import type { BulkList } from "../list-record.server";
import { findListToSend, type ListToSend } from "../list-template.server";
import { isAllowed } from "../rows/mark-duplicates.server";
import { findListWithRoom } from "./list-pace.server";
import { type RowPiece, SELECT_ROW_PIECE } from "./row-outcome.server";

export type RowAttempt = { listId: string; number: number; attempt: number };

export interface ClaimedRow extends RowAttempt {
  id: string;
  cells: string;
  batch: ListToSend & { actor: Viewer };
  /** The piece that an earlier process made of it. */
  piece: RowPiece | null;
  /** True when a person allowed that its address gets another piece. */
  mayRepeat: boolean;
  verdict: AddressVerdict | null;
}

/** Time of a lease beyond the lease of its call. */
const LEASE_MARGIN_MS = 5_000;

/** Claims rows of the next list, as many as the rate limit allows. */
export async function claimRows(db: Db, limit: number): Promise<ClaimedRow[]> {
  const left = await takeRows(db, await findListWithLeftRows(db), limit);
  if (left.length > 0) return left;
  const due = await db.$queryRaw<{ id: string; baseUrl: string; failures: number }[]>`
    SELECT l.id, l.design::json ->> 'baseUrl' AS "baseUrl", l.failures FROM bulk_lists l
    WHERE l.state = 'running' AND (l.next_at IS NULL OR l.next_at <= clock_timestamp()) AND EXISTS (
      SELECT 1 FROM (${selectReadyRows(Prisma.sql`l.id`)} LIMIT 1) AS ready
      UNION ALL
      SELECT 1 FROM bulk_rows r WHERE r.list_id = l.id AND r.state = 'sending' AND r.lease_until <= clock_timestamp())
    ORDER BY l.served_at NULLS FIRST, l.id`;
  // While the provider does not answer, one row tries whether it does again.
  const next = findListWithRoom(due, ({ failures }) => (failures > 0 ? 1 : limit));
  if (!next) return [];
  await db.$executeRaw`UPDATE bulk_lists SET served_at = clock_timestamp() WHERE id = ${next.id}`;
  return takeRows(db, next.id, next.room);
}

/** Finds a paused or stopped list with rows whose lease has expired. */
async function findListWithLeftRows(db: Db): Promise<string | null> {
  const [found] = await db.$queryRaw<{ id: string }[]>`
    SELECT l.id FROM bulk_lists l WHERE l.state IN ('paused', 'stopped') AND EXISTS (
      SELECT 1 FROM bulk_rows r WHERE r.list_id = l.id AND r.state = 'sending' AND r.lease_until <= clock_timestamp())
    LIMIT 1`;
  return found?.id ?? null;
}

/**
 * Selects the ready rows `r` of a list in their order. The comparison of three columns leaves PostgreSQL only the index of states:
 * any other way reads all rows that were sent before, which makes the end of a long list slow.
 */
export function selectReadyRows(listId: Prisma.Sql, isWanted = Prisma.sql`true`): Prisma.Sql {
  return Prisma.sql`
    SELECT r.number FROM bulk_rows r
    WHERE (r.list_id, r.state, r.number) > (${listId}, 'ready', 0) AND (r.list_id, r.state) <= (${listId}, 'ready') AND ${isWanted}
    ORDER BY r.list_id, r.state, r.number`;
}

/** Leases rows of a list: those whose lease has expired, then the next ones. The array makes PostgreSQL update them by their key. */
async function takeRows(db: Db, listId: string | null, limit: number): Promise<ClaimedRow[]> {
  if (listId === null) return [];
  const rows = await db.$queryRaw<
    Pick<ClaimedRow, "listId" | "number" | "cells" | "attempt" | "mayRepeat" | "verdict">[]
  >`
    WITH late AS MATERIALIZED (
      SELECT number FROM bulk_rows
      WHERE list_id = ${listId} AND state = 'sending' AND lease_until <= clock_timestamp()
      ORDER BY number LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    ),
    next AS MATERIALIZED (
      ${selectReadyRows(Prisma.sql`${listId}`, Prisma.sql`(SELECT state FROM bulk_lists WHERE id = ${listId}) = 'running'`)}
      LIMIT ${limit}::int - (SELECT count(*) FROM late) FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE bulk_rows r SET state = 'sending',
      lease_until = clock_timestamp() + ${sendLeaseMs() + LEASE_MARGIN_MS}::float8 * interval '1 millisecond'
    WHERE r.list_id = ${listId} AND r.number = ANY(ARRAY(SELECT number FROM late UNION ALL SELECT number FROM next))
    RETURNING r.list_id AS "listId", r.number, r.cells, r.attempt, ${isAllowed("duplicate")} AS "mayRepeat", r.address_check AS verdict`;
  if (rows.length === 0) return [];
  const found = await findListToSend(db, listId);
  if (!found) return [];
  const { list } = found;
  const actor = await findActor(db, list.starterId);
  if (!actor) return [];
  const pieces = await findPieces(db, list, rows);
  return rows.map((row) => ({
    ...row,
    id: `${row.listId}:${row.number}`,
    batch: { ...found, actor },
    piece: pieces.get(formatKey(row)) ?? null,
  }));
}

/** Finds the pieces of rows by their keys. Consoles of earlier versions send on behalf of the list's maker. */
export async function findPieces(
  db: Db,
  { starterId, actorId }: Pick<BulkList, "starterId" | "actorId">,
  rows: readonly RowAttempt[],
): Promise<Map<string, RowPiece>> {
  const pieces = await db.$queryRaw<(RowPiece & { key: string })[]>`
    SELECT idempotency_key AS key, ${SELECT_ROW_PIECE} FROM sends
    WHERE actor_id IN (${starterId}, ${actorId}) AND idempotency_key = ANY(${rows.map(formatKey)}::text[])`;
  return new Map(pieces.map((piece) => [piece.key, piece]));
}

/** Formats the key of an attempt, which is the same in every process. */
export function formatKey({ listId, number, attempt }: RowAttempt): string {
  return `${OWN_KEYS.row}${listId}:${number}:${attempt}`;
}

/** Finds the person for whom background work acts, with all scopes: they were checked when the person started the work. */
export async function findActor(db: Db, id: string): Promise<Viewer | null> {
  const [user] = await db.$queryRaw<{ displayName: string; email: string | null }[]>`
    SELECT display_name AS "displayName", email FROM users WHERE id = ${id}`;
  if (!user) return null;
  const unknown = { subject: "", emailVerified: false, picture: null, signedInAt: null, token: null };
  return { id, actorId: id, ...user, ...unknown, scopes: SCOPES };
}
