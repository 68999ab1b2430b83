import { setTimeout as wait } from "node:timers/promises";
import { withDatabase } from "~/platform/database/database.server";
import { errorNameOf, log } from "~/platform/log.server";
import { finishBeforeExit } from "~/platform/stopping.server";
import type { PrismaClient } from "../../../prisma/client/client";
import { startTime } from "../lease.server";
import { NOT_STORED } from "../messages";
import { alarmPiece } from "../piece-events.server";

const RETRY_MS = 1_000;

/**
 * Stores what this process knows of a piece as soon as the database takes it, for as long as the piece is its own
 * (`leaseMs`); after that recovery finds it out again. What it knows is worth more than a second look: a
 * refusal must not become a second try. If the database answers with an error to the end, a person has to look.
 */
export function settleLater(id: string, leaseMs: number, work: (db: PrismaClient) => Promise<unknown>): void {
  const time = startTime(leaseMs);
  const retryUntilLeaseEnds = async () => {
    let errorName: string | null = null;
    while (time.leftMs() > 0) {
      await wait(RETRY_MS, undefined, { ref: false });
      try {
        if ((await withDatabase(work)).ok) return;
      } catch (error) {
        errorName = errorNameOf(error);
      }
    }
    log.warn("send.left_to_recovery", { sendId: id, ...(errorName === null ? {} : { errorName }) });
    if (errorName === null) return;
    const alarm = {
      kind: "settling_failed",
      text: NOT_STORED,
      facts: { error: errorName },
      source: "send",
    } as const;
    await withDatabase((db) => alarmPiece(db, id, alarm));
  };
  void finishBeforeExit(retryUntilLeaseEnds()).catch((error: unknown) => {
    log.error("send.settling_failed", { sendId: id, errorName: errorNameOf(error) });
  });
}
