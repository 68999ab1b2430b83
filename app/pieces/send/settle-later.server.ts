import { setTimeout as wait } from "node:timers/promises";
import { withDatabase } from "~/platform/database/database.server";
import { errorNameOf, log } from "~/platform/log.server";
import { finishBeforeExit } from "~/platform/stopping.server";
import type { PrismaClient } from "../../../prisma/client/client";

const RETRY_MS = 1_000;

/**
 * Books what this process knows as soon as the database is back, for as long as the send is its own
 * (`leaseMs`); after that recovery finds it out anew. What it knows is worth more than a second look: a
 * refusal must not become a second try.
 */
export function settleLater(leaseMs: number, work: (db: PrismaClient) => Promise<unknown>): void {
  const until = Date.now() + leaseMs;
  const tryOn = async () => {
    while (Date.now() < until) {
      await wait(RETRY_MS, undefined, { ref: false });
      if ((await withDatabase(work)).ok) return;
    }
    log.warn("send.left_to_recovery");
  };
  void finishBeforeExit(tryOn()).catch((error: unknown) => {
    log.error("send.settling_failed", { errorName: errorNameOf(error) });
  });
}
