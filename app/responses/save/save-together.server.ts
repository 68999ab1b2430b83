import { setTimeout as wait } from "node:timers/promises";
import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { insertResponse, insertResponses, type NewResponse } from "../response-record.server";

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
export function gather<Value, Result>(
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

/** Stores a batch and returns the IDs of the responses whose users exist. */
const storeTogether = gather((batch: ReadonlyMap<string, NewResponse>) =>
  withDatabase(async (db) => {
    const responses = [...batch.values()];
    const stored = await insertResponses(db, responses);
    return responses.filter((_, at) => stored[at]?.known).map(({ id }) => id);
  }),
);

/** Stores a response; for the viewer if its user does not exist. Stores the viewer if missing. */
export async function saveAutoResponse(response: NewResponse, viewer: Viewer): Promise<Outcome<null>> {
  const stored = await storeTogether(response.id, { ...response, since: performance.now() }).catch(
    () => null,
  );
  if (stored?.ok && stored.value.includes(response.id)) return succeed(null);
  if (stored?.ok === false && stored.failure.code !== "bad_input") return stored;
  // Alone, so that one that the database refuses does not fail the others.
  return withDatabase(async (db) => {
    await ensureViewerStored(db, viewer);
    // The user may be the viewer, who is stored only now.
    const { known } = await insertResponse(db, response);
    if (!known) await insertResponse(db, { ...response, userId: viewer.id });
    return null;
  });
}
