import { findUnsavedSends, takeUnsavedSends, type UnsavedSend } from "~/pieces/send/stored-request.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import type { Outcome } from "~/platform/outcome";
import { insertResponses, type NewResponse } from "../response-record.server";
import { buildAutoResponse, type SavedCall, saveInBackground } from "./auto-save.server";
import { gather } from "./save-together.server";

const BATCH_SIZE = 100;

/**
 * Stores the responses of settled sends that have none yet, under the sends' ids, so that no retry, reload or second
 * process stores another one.
 */
export const storeSettledSends: BackgroundTask = {
  name: "store_settled_sends",
  batchSize: BATCH_SIZE,
  atOnce: 1,
  claim: (limit) => withDatabase((db) => findUnsavedSends(db, limit)),
  work: ({ id }) => storeSends(new Map([[id, performance.now()]])),
};

const storeTogether = gather(storeSends);

/** Stores the response of one send after the answer was sent. Leaves what cannot be stored to {@link storeSettledSends}. */
export function storeResponseSoon(id: string): void {
  saveInBackground(0, () => storeTogether(id, performance.now()));
}

/** @param settled times of the sends by `performance.now()` */
function storeSends(settled: ReadonlyMap<string, number>): Promise<Outcome<void>> {
  return withDatabase((db) =>
    db.$transaction(async (tx) => {
      const taken = await takeUnsavedSends(tx, [...settled.keys()]);
      if (taken.length === 0) return;
      await insertResponses(
        tx,
        taken.map((send) => ({ ...buildResponse(send), since: settled.get(send.id) })),
      );
    }),
  );
}

function buildResponse(send: UnsavedSend): NewResponse {
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
