import { setTimeout as wait } from "node:timers/promises";
import { findUnsavedSends, takeUnsavedSends, type UnsavedSend } from "~/pieces/send/unsaved-responses.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import type { PrismaClient } from "../../../prisma/client/client";
import { insertResponses } from "../response-record.server";
import { buildAutoResponse, type SavedCall, saveInBackground } from "./auto-save.server";

const BATCH_SIZE = 100;
/** Limit of responses in one statement: an answer may be a million characters long. */
const MOST_TOGETHER = 16;
const GATHER_MS = 15;

/** The sends whose responses this process stores next, in order, with their times. */
const soon = new Map<string, number>();
let isStoring = false;

/**
 * Stores the responses of settled sends that have none yet, under the sends' ids, so that no retry, reload or second
 * process stores another one.
 */
export const storeSettledSends: BackgroundTask = {
  name: "store_settled_sends",
  batchSize: BATCH_SIZE,
  atOnce: 1,
  claim: (limit) => withDatabase((db) => findUnsavedSends(db, limit)),
  work: ({ id }) => withDatabase((db) => storeSends(db, new Map([[id, performance.now()]]))),
};

/** Stores the response of one send after the answer was sent, together with others of the same moment. */
export function storeResponseSoon(id: string): void {
  soon.set(id, performance.now());
  if (!isStoring) saveInBackground(0, storeSoon);
}

/** Leaves what cannot be stored to {@link storeSettledSends}, which stores one after the other. */
async function storeSoon(): Promise<Outcome<unknown>> {
  if (isStoring) return succeed(null);
  isStoring = true;
  try {
    await wait(GATHER_MS);
    while (soon.size > 0) {
      const batch = new Map([...soon].slice(0, MOST_TOGETHER));
      for (const id of batch.keys()) soon.delete(id);
      const stored = await withDatabase((db) => storeSends(db, batch));
      if (!stored.ok) return stored;
    }
    return succeed(null);
  } finally {
    isStoring = false;
    soon.clear();
  }
}

/** @param since when each was settled, by `performance.now()`, if this process knows */
function storeSends(db: PrismaClient, since: ReadonlyMap<string, number>): Promise<void> {
  return db.$transaction(async (tx) => {
    const taken = await takeUnsavedSends(tx, [...since.keys()]);
    if (taken.length === 0) return;
    const now = performance.now();
    await insertResponses(
      tx,
      taken.map((send) => ({ ...buildResponse(send), ageMs: now - (since.get(send.id) ?? now) })),
    );
  });
}

function buildResponse(send: UnsavedSend) {
  const { id, userId, actorId, answerStatus, answerHeaders, answerText, durationMs } = send;
  const answer =
    answerStatus === null
      ? null
      : {
          status: answerStatus,
          text: answerText ?? "",
          headers: JSON.parse(answerHeaders ?? "{}") as Record<string, string>,
          durationMs: durationMs ?? 0,
        };
  const call = JSON.parse(send.unsavedRequest) as SavedCall;
  return buildAutoResponse({ id, userId, actorId, sendId: id }, call, answer);
}
