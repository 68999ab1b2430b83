import { refund, writeRefund } from "~/credits/ledger/credit-parts.server";
import type { Db } from "~/platform/database/client";
import { Prisma } from "../../../prisma/client/client";
import { type ClaimTerms, IS_DUE, isOfSource, leaseEnd } from "../lease.server";
import type { MailType } from "../mail-type";
import { type RECOVERY, recordEvent } from "../piece-events.server";
import type { PieceState } from "../states";
import { CANCELLED, findStatus } from "../status";
import { isStateBefore, setStateAfter } from "../transition-sql.server";

/** A piece to be cancelled: the item, and the send that paid for it. */
export interface CancelCase {
  /** Id of the item and of its send. */
  id: string;
  userId: string;
  type: MailType;
  addressee: string | null;
  baseUrl: string;
  providerId: string | null;
  /** Fingerprint of the key that it was sent with; null when unknown, and for a test. */
  keyFingerprint: string | null;
  isTest: boolean;
  status: string;
  /** State of the send; null for a test. */
  state: PieceState | null;
  charged: number;
  cost: number;
  /** Number of claims. The process with the lease holds the last one. */
  attempts: number;
  balance: number;
  /** Part of the balance. */
  held: number;
}

/** A cancel whose claim has expired. */
export interface DueCancel extends CancelCase {
  reason: string;
  ageSeconds: number;
}

export type EventSource = "webhook" | "refresh" | "cancel" | typeof RECOVERY;

/** The actor and reason of a cancel that no one here requested. */
export interface CancelledBy {
  /** A user's id or `system`. */
  actorId: string;
  reason: string;
  source: EventSource;
  reportedAt: Date | null;
}

/** The refund of a cancel and the payer's new balance, in credits. */
export interface Refunded {
  charged: number;
  balance: number;
}

const CASE = Prisma.sql`
  i.id, i.user_id AS "userId", i.type, i.addressee, i.base_url AS "baseUrl", i.provider_id AS "providerId", s.key_fingerprint AS "keyFingerprint", i.test AS "isTest",
  i.status, state, coalesce(s.charged, 0) AS charged, coalesce(s.cost, 0) AS cost,
  coalesce(s.cancel_attempts, 0) AS attempts, coalesce(a.balance, 0) AS balance, coalesce(a.held, 0) AS held`;
const TABLES = Prisma.sql`
  mail_items i LEFT JOIN sends s ON s.id = i.send_id LEFT JOIN credit_accounts a ON a.user_id = i.user_id`;
const MAX_NOTE_CHARS = 1_000;

export async function findCaseById(db: Db, id: string): Promise<CancelCase | null> {
  return (await findCases(db, Prisma.sql`i.id = ${id}`))[0] ?? null;
}

export function findCasesByIds(db: Db, ids: readonly string[]): Promise<CancelCase[]> {
  return findCases(db, Prisma.sql`i.id = ANY(${[...ids]}::text[])`, ids.length);
}

/** Lists pieces by the provider's id, newest first. Accounts can share an id. */
export function findCasesByProviderId(
  db: Db,
  providerId: string,
  only: { userId?: string; type?: MailType | null; baseUrl?: string } = {},
): Promise<CancelCase[]> {
  const conditions = [Prisma.sql`i.provider_id = ${providerId} AND NOT i.test`];
  if (only.userId !== undefined) conditions.push(Prisma.sql`i.user_id = ${only.userId}`);
  if (only.type) conditions.push(Prisma.sql`i.type = ${only.type}`);
  if (only.baseUrl !== undefined) conditions.push(Prisma.sql`i.base_url = ${only.baseUrl}`);
  return findCases(db, Prisma.join(conditions, " AND "));
}

function findCases(db: Db, condition: Prisma.Sql, limit = 10): Promise<CancelCase[]> {
  return db.$queryRaw<CancelCase[]>`
    SELECT ${CASE} FROM ${TABLES} WHERE ${condition} ORDER BY i.created_at DESC, i.id DESC LIMIT ${limit}::int`;
}

/**
 * Claims an accepted send for cancelling and leases it for `leaseMs`. Returns the claim's number; null when it is no
 * longer accepted, or another process has claimed it.
 */
export async function startCancel(
  db: Db,
  id: string,
  { actorId, reason, leaseMs }: { actorId: string; reason: string; leaseMs: number },
): Promise<number | null> {
  const rows = await db.$queryRaw<{ attempts: number }[]>`
    WITH done AS (
      UPDATE sends SET ${setStateAfter("startCancel")}, cancel_attempts = cancel_attempts + 1, cancel_actor_id = ${actorId},
        cancel_reason = ${reason}, cancel_asked_at = clock_timestamp(), cancel_note = NULL,
        lease_until = ${leaseEnd(leaseMs)}
      WHERE id = ${id} AND ${isStateBefore("startCancel")} RETURNING id, cancel_attempts AS attempts, provider_id
    ),
    history AS (${recordEvent("done", "startCancel", { actorId, source: "cancel" })})
    SELECT attempts FROM done`;
  return rows[0]?.attempts ?? null;
}

/**
 * Stores that a piece is cancelled: its send and item, and the refund of its charge to the payer, in one statement.
 * Any process may call this, because a cancelled piece stays cancelled. Uses `by` when no cancel was requested
 * here. Null when it was stored before.
 */
export async function confirmCancel(db: Db, id: string, by: CancelledBy): Promise<Refunded | null> {
  const rows = await db.$queryRaw<Refunded[]>`
    WITH done AS (
      UPDATE sends SET ${setStateAfter("confirmCancel")}, cancelled_at = clock_timestamp(), lease_until = NULL, cancel_note = NULL,
        cancel_actor_id = CASE state WHEN 'cancelling' THEN cancel_actor_id ELSE ${by.actorId} END,
        cancel_reason = CASE state WHEN 'cancelling' THEN cancel_reason ELSE ${by.reason} END
      WHERE id = ${id} AND ${isStateBefore("confirmCancel")}
      RETURNING id, user_id, mail_type, charged, provider_id, cancel_actor_id, cancel_reason, cancelled_at,
        cancel_attempts AS attempts
    ),
    history AS (${recordEvent("done", "confirmCancel", {
      actorId: Prisma.sql`p.cancel_actor_id`,
      source: by.source,
      note: by.reason,
      credits: "charged",
    })}),
    item AS (
      UPDATE mail_items i SET is_cancelled = true, cancelled_at = d.cancelled_at,
        cancellation_reason = d.cancel_reason, status = ${CANCELLED}, status_rank = ${findStatus(CANCELLED)?.rank ?? 0}::int,
        status_at = coalesce(${by.reportedAt}::timestamptz, d.cancelled_at)
      FROM done d WHERE i.send_id = d.id RETURNING i.id
    ),
    event AS (
      INSERT INTO mail_events (item_id, status, source, said_at)
      SELECT id, ${CANCELLED}, ${by.source}, ${by.reportedAt}::timestamptz FROM item ON CONFLICT DO NOTHING
    ),
    account AS (${refund("done")}),
    entry AS (${writeRefund("done", "account")})
    SELECT d.charged, a.balance FROM done d JOIN account a ON a.user_id = d.user_id`;
  return rows[0] ?? null;
}

/** Ends claim number `attempts` without a cancel: the piece is mail as before, and stays charged. */
export async function dropCancel(
  db: Db,
  { id, attempts }: Pick<CancelCase, "id" | "attempts">,
  note: string,
): Promise<boolean> {
  const changed = await db.$executeRaw`
    WITH done AS (
      UPDATE sends SET ${setStateAfter("dropCancel")}, lease_until = NULL, cancel_note = ${note.slice(0, MAX_NOTE_CHARS)}
      WHERE id = ${id} AND ${isStateBefore("dropCancel")} AND cancel_attempts = ${attempts}::int
      RETURNING id, cancel_attempts AS attempts, provider_id
    )
    ${recordEvent("done", "dropCancel", { actorId: "provider", source: "cancel", note })}`;
  return changed === 1;
}

/** Stores that the outcome of claim number `attempts` is unknown. The next check is in `waitSeconds`. */
export async function postponeCancel(
  db: Db,
  { id, attempts }: Pick<CancelCase, "id" | "attempts">,
  waitSeconds: number,
  note: string,
): Promise<void> {
  await db.$executeRaw`
    WITH done AS (
      UPDATE sends SET cancel_note = ${note.slice(0, MAX_NOTE_CHARS)},
        lease_until = clock_timestamp() + ${waitSeconds}::float8 * interval '1 second'
      WHERE id = ${id} AND state = 'cancelling' AND cancel_attempts = ${attempts}::int
      RETURNING id, cancel_attempts AS attempts, provider_id
    )
    ${recordEvent("done", "cancelUnclear", { actorId: "system", source: "cancel", note })}`;
}

export function claimDueCancels(db: Db, { leaseMs, limit, from }: ClaimTerms): Promise<DueCancel[]> {
  return db.$queryRaw<DueCancel[]>`
    WITH due AS MATERIALIZED (
      SELECT s.id AS due_id FROM sends s JOIN mail_items i ON i.send_id = s.id
      WHERE s.state = 'cancelling' AND ${IS_DUE}
        AND ${isOfSource(from, Prisma.sql`i.base_url || '/'`, Prisma.sql`s.cancel_asked_at`)}
      ORDER BY s.lease_until LIMIT ${limit}::int FOR UPDATE OF s SKIP LOCKED
    ),
    claimed AS (
      UPDATE sends SET lease_until = ${leaseEnd(leaseMs)}, cancel_attempts = cancel_attempts + 1
      FROM due WHERE id = due_id RETURNING sends.*
    )
    SELECT ${CASE}, s.cancel_reason AS reason,
      extract(epoch FROM now() - s.cancel_asked_at)::float8 AS "ageSeconds"
    FROM claimed s JOIN mail_items i ON i.send_id = s.id LEFT JOIN credit_accounts a ON a.user_id = i.user_id`;
}
