import { setImmediate as endOfTick, setTimeout as wait } from "node:timers/promises";
import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { claimUnsavedSends, findUnsavedSends, type UnsavedSend } from "~/pieces/send/unsaved-sends.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import { errorNameOf, log } from "~/platform/log.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { finishBeforeExit } from "~/platform/stopping.server";
import { insertResponse, insertResponses, type NewResponse } from "../response-record.server";
import { buildAutoResponse, type SavedCall } from "./auto-save.server";

/** Limits of the responses that wait for the database. */
const MOST_WAITING = { answers: 256, chars: 64 * 1024 * 1024 };
/** Saves of this process that are not done yet, and their size. */
const underWay = new Set<Promise<void>>();
let waitingChars = 0;
const MOST_READ_WAIT_MS = 1_000;

/**
 * Runs a save after the answer was sent to the browser. Logs a failure, because no one waits for the result.
 * @param chars size of the save in memory
 */
export function saveInBackground(chars: number, work: () => Promise<Outcome<unknown>>): void {
  const isTooMuch = underWay.size > 0 && waitingChars + chars > MOST_WAITING.chars;
  if (isTooMuch || underWay.size >= MOST_WAITING.answers) {
    log.warn("responses.save_skipped", { reason: "too many responses wait for the database" });
    return;
  }
  waitingChars += chars;
  const done = endOfTick()
    .then(work)
    .then(
      (saved) => {
        if (!saved.ok) log.warn("responses.save_failed", { failureCode: saved.failure.code });
      },
      (error) => log.error("responses.save_failed", { errorName: errorNameOf(error) }),
    )
    .finally(() => {
      underWay.delete(done);
      waitingChars -= chars;
    });
  underWay.add(done);
  void finishBeforeExit(done);
}

/** Waits up to 1 s for the saves of this process, so that a caller finds the answer that it just received. */
export async function waitForSaves(): Promise<void> {
  if (underWay.size === 0) return;
  await Promise.race([Promise.all(underWay), wait(MOST_READ_WAIT_MS, null, { ref: false })]);
}

/**
 * Waits until an automatically saved response is stored, because saving starts only after the answer was sent. False
 * after `limitMs`, and when the database cannot be read.
 */
export async function waitForSaved(id: string, limitMs: number): Promise<boolean> {
  const until = performance.now() + limitMs;
  for (let waitMs = 20; ; waitMs *= 2) {
    const found = await withDatabase(
      (db) => db.$queryRaw<unknown[]>`SELECT 1 FROM responses WHERE id = ${id} AND deleted_at IS NULL`,
    );
    if (!found.ok) return false;
    if (found.value.length > 0) return true;
    if (performance.now() + waitMs > until) return false;
    await wait(waitMs);
  }
}

/** Time for which the first value of a batch waits for others. */
const GATHER_MS = 15;
/** Limit of values in a batch: an answer may be a million characters long. */
const MOST_TOGETHER = 16;

/**
 * Gathers values of about the same moment and handles them in batches, one batch after the other, because a statement for
 * several rows costs little more than for one.
 * @param handle gets each key once
 * @returns a function that adds a value and returns the result of its batch
 */
function gather<Value, Result>(
  handle: (batch: ReadonlyMap<string, Value>) => Promise<Result>,
): (key: string, value: Value) => Promise<Result> {
  let open: { values: Map<string, Value>; result: Promise<Result> } | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const openBatch = () => {
    const values = new Map<string, Value>();
    const result = Promise.all([wait(GATHER_MS), last]).then(() => {
      if (open?.values === values) open = null;
      return handle(values);
    });
    last = result.catch(() => undefined);
    return { values, result };
  };
  return (key, value) => {
    if (open === null || open.values.size === MOST_TOGETHER) open = openBatch();
    if (!open.values.has(key)) open.values.set(key, value);
    return open.result;
  };
}

const insertTogether = gather((batch: ReadonlyMap<string, NewResponse>) =>
  withDatabase((db) => insertResponses(db, [...batch.values()])),
);

/** Stores a response; for the viewer if its user does not exist. Stores the viewer if missing. */
export async function saveAutoResponse(response: NewResponse, viewer: Viewer): Promise<Outcome<null>> {
  const timed = { ...response, since: performance.now() };
  const stored = await insertTogether(response.id, timed).catch(() => null);
  if (stored?.ok && stored.value.includes(response.id)) return succeed(null);
  if (stored?.ok === false && stored.failure.code !== "bad_input") return stored;
  // Alone, so that one that the database refuses does not fail the others.
  return withDatabase(async (db) => {
    await ensureViewerStored(db, viewer);
    // The user may be the viewer, who is stored only now.
    const isStored = await insertResponse(db, response);
    if (!isStored) await insertResponse(db, { ...response, userId: viewer.id });
    return null;
  });
}

/**
 * Stores the responses of settled sends that have none yet, under the sends' ids, so that no retry, reload or second
 * process stores another one.
 */
export const storeSettledSends: BackgroundTask = {
  name: "store_settled_sends",
  batchSize: 100,
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
      const taken = await claimUnsavedSends(tx, [...settled.keys()]);
      const responses = taken.map((send) => ({ ...buildResponse(send), since: settled.get(send.id) }));
      if (responses.length > 0) await insertResponses(tx, responses);
    }),
  );
}

function buildResponse(send: UnsavedSend): NewResponse {
  const { id, userId, actorId, answerStatus, answerHeaders, answerText, durationMs } = send;
  const headers = JSON.parse(answerHeaders ?? "{}") as Record<string, string>;
  const answer = { text: answerText ?? "", headers, durationMs: durationMs ?? 0 };
  const call = JSON.parse(send.unsavedRequest) as SavedCall;
  const owner = { id, userId, actorId, sendId: id };
  return buildAutoResponse(owner, call, answerStatus === null ? null : { ...answer, status: answerStatus });
}
