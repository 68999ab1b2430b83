import { expireCalls } from "~/api-log/record-calls.server";
import { expireParkedDrafts } from "~/builder/draft/parked-draft.server";
import { expireLists } from "~/bulk/erase-lists.server";
import {
  erasePieces,
  expireTestedPieces,
  expireTestItems,
  findExpiredPieces,
} from "~/pieces/erase-pieces.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { succeed } from "~/platform/outcome";
import { expireRecipients } from "~/recipients/person.server";
import { expireBodies } from "~/responses/erase-bodies.server";
import { expireDeliveries } from "~/webhooks/delivery-record.server";
import { applyErasures } from "./erase-person.server";
import { saveErasures } from "./erasures.server";

const BATCH_SIZE = 100;
const EVERY_MS = 3_600_000;
const EXPIRIES = [
  ...[expireBodies, expireTestItems, expireTestedPieces, expireParkedDrafts],
  ...[expireLists, expireDeliveries, expireRecipients],
];
/** Times by the monotonic clock. */
let nextAt = Number.NEGATIVE_INFINITY;
let nextErasuresAt = Number.NEGATIVE_INFINITY;

/** Completes the file of erasures every hour, and applies erasures that a failover lost or a restore left due. */
export const repeatErasures: BackgroundTask = {
  name: "repeat_erasures",
  batchSize: 1,
  atOnce: 1,
  claim: async () => succeed([]),
  work: async () => succeed(null),
  async cleanUp() {
    if (performance.now() < nextErasuresAt) return succeed(null);
    nextErasuresAt = performance.now() + EVERY_MS;
    const lost = await saveErasures();
    return withDatabase((db) => applyErasures(db, lost));
  },
};

/**
 * Expires the API log every hour and, with `RETENTION_DAYS` set, removes name, address and content of older data: pieces as in
 * an erasure, texts of stored responses, details of tests, parked drafts and unused recipients.
 */
export const expireData: BackgroundTask = {
  name: "expire_data",
  batchSize: BATCH_SIZE,
  atOnce: 1,
  async claim(limit) {
    const days = env().retentionDays;
    if (days === 0 || performance.now() < nextAt) return succeed([]);
    const found = await withDatabase((db) => findExpiredPieces(db, days, limit));
    return found.ok ? succeed(found.value.map((id) => ({ id }))) : found;
  },
  work: ({ id }) => withDatabase((db) => db.$transaction((tx) => erasePieces(tx, [id]))),
  async cleanUp() {
    const days = env().retentionDays;
    if (performance.now() < nextAt) return succeed(null);
    nextAt = performance.now() + EVERY_MS;
    return withDatabase(async (db) => {
      await expireCalls(db);
      if (days > 0) for (const expire of EXPIRIES) await expire(db, days);
    });
  },
};
