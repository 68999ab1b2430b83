import { fingerprintKey, listKeys } from "~/outside/mail-provider/call/keys.server";
import { availableCalls } from "~/outside/mail-provider/call/pace.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { type Outcome, succeed } from "~/platform/outcome";
import type { PrismaClient } from "../../../prisma/client/client";
import { type CallTime, type ClaimSource, type ClaimTerms, startCallTime } from "../lease.server";

const BATCH_SIZE = 8;

/** A row with the time that this process has left for it. */
export type Leased<Row> = Row & { time: CallTime };

interface Recovery<Row extends { id: string }> {
  name: string;
  leaseMs(): number;
  claim(db: PrismaClient, terms: ClaimTerms): Promise<Row[]>;
  work(row: Leased<Row>): Promise<Outcome<unknown>>;
}

/**
 * Makes a task for each base URL, so that one that hangs delays only its own pieces, and one for orphans. None
 * without a provider key.
 */
export function listRecoveryTasks<Row extends { id: string }>(
  recovery: Recovery<Row>,
): BackgroundTask<Leased<Row>>[] {
  const keys = listKeys().map(fingerprintKey);
  if (keys.length === 0) return [];
  const baseUrls = env().baseUrls.map(({ url }) => url);
  const makeTask = (from: ClaimSource): BackgroundTask<Leased<Row>> => ({
    name: recovery.name,
    batchSize: BATCH_SIZE,
    atOnce: BATCH_SIZE,
    async claim(limit) {
      const room = from.kind === "base" ? availableCalls(from.baseUrl, limit) : limit;
      if (room === 0) return succeed([]);
      const leaseMs = recovery.leaseMs();
      const time = startCallTime(leaseMs);
      return withDatabase(async (db) => {
        const rows = await recovery.claim(db, { leaseMs, limit: room, from });
        return rows.map((row) => ({ ...row, time }));
      });
    },
    work: (row) => recovery.work(row),
  });
  return [
    ...baseUrls.map((baseUrl) => makeTask({ kind: "base", baseUrl, keys })),
    makeTask({ kind: "orphans", baseUrls, keys }),
  ];
}

const SHARE_OF_AGE = 1 / 4;
const LONGEST_WAIT_SECONDS = 1_800;

/**
 * Chooses the seconds until recovery checks a piece again. They follow its age, not the number of tries, which killed
 * processes would raise. A piece that stays open for a day costs some seventy calls.
 * @param askedSeconds the wait that the provider requested
 */
export function chooseWait(ageSeconds: number, askedSeconds = 1): number {
  return Math.max(Math.min(ageSeconds * SHARE_OF_AGE, LONGEST_WAIT_SECONDS), askedSeconds);
}
