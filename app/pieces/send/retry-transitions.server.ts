import type { Db } from "~/platform/database/client";
import { Prisma, type PrismaClient } from "../../../prisma/client/client";
import { type ClaimTerms, IS_DUE, isOfSource, leaseEnd } from "../lease.server";
import { alarmPiece, RECOVERY, recordEvent } from "../piece-events.server";
import { IS_BEING_CHECKED, isStateBefore, setStateAfter } from "../transition-sql.server";
import { SEND_RECORD_COLUMNS, type SendRecord } from "./send-record.server";

/** Transitions of a send whose outcome is not known: its retries, their end, and the decision of a person. */

/**
 * Claims up to `limit` open sends of a source whose lease has expired and leases them to this process for `leaseMs`.
 */
export async function claimDueSends(db: Db, { leaseMs, limit, from }: ClaimTerms): Promise<SendRecord[]> {
  return db.$queryRaw<SendRecord[]>`
    WITH due AS MATERIALIZED (
      SELECT id AS due_id FROM sends WHERE ${IS_BEING_CHECKED} AND ${IS_DUE}
        AND ${isOfSource(from, Prisma.sql`url`, Prisma.sql`created_at`)}
      ORDER BY lease_until LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    )
    UPDATE sends SET lease_until = ${leaseEnd(leaseMs)},
      attempts = CASE WHEN attempts = 0 THEN 0 ELSE attempts + 1 END
    FROM due WHERE id = due_id
    RETURNING ${SEND_RECORD_COLUMNS}`;
}

/**
 * Begins the repeat of a call, renews the lease and returns the body of its request. Null when it must not be called:
 * another process has the send, a person ended its retries, or its files were dropped.
 */
export async function beginReplay(
  db: Db,
  { id, attempts }: Pick<SendRecord, "id" | "attempts">,
  leaseMs: number,
): Promise<string | null> {
  const rows = await db.$queryRaw<{ body: string }[]>`
    UPDATE sends SET called_at = clock_timestamp(), lease_until = ${leaseEnd(leaseMs)}
    WHERE id = ${id} AND attempts = ${attempts}::int AND ${IS_BEING_CHECKED}
      AND lease_until > clock_timestamp() AND given_up_at IS NULL AND reduced_at IS NULL
    RETURNING request_body AS body`;
  return rows[0]?.body ?? null;
}

/**
 * Ends the retries of a send by a person's decision: from then on it is only looked for. False when its outcome is
 * known, its first call is running, or they were ended before.
 */
export async function giveUpSend(db: Db, id: string, actorId: string, note: string): Promise<boolean> {
  const done = await db.$executeRaw`
    WITH done AS (
      UPDATE sends SET given_up_by = ${actorId}, given_up_at = clock_timestamp(), note = ${note}, ${setStateAfter("giveUp")}
      WHERE id = ${id} AND ${isStateBefore("giveUp")} AND given_up_at IS NULL
      RETURNING id, attempts, provider_id
    )
    ${recordEvent("done", "giveUp", { actorId, note, source: "person" })}`;
  return done === 1;
}

/** Asks a person for a decision, with an alarm; the credits stay held. */
export function askForReview(db: PrismaClient, id: string, note: string): Promise<void> {
  return db.$transaction(async (tx) => {
    const changed = await tx.$executeRaw`
      WITH done AS (
        UPDATE sends SET ${setStateAfter("askForReview")}, note = ${note}, lease_until = NULL
        WHERE id = ${id} AND ${isStateBefore("askForReview")} RETURNING id, attempts, provider_id
      )
      ${recordEvent("done", "askForReview", { actorId: "system", note })}`;
    if (changed === 1)
      await alarmPiece(tx, id, { kind: "piece_needs_decision", text: note, source: RECOVERY });
  });
}
