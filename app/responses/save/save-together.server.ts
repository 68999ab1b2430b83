import { setTimeout as wait } from "node:timers/promises";
import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { type Inserted, insertResponse, insertResponses, type NewResponse } from "../response-record.server";

/** Stores responses that are saved at about the same time by one statement, which costs little more than one row. */

interface Waiting {
  response: NewResponse;
  viewer: Viewer;
  since: number;
  settle(stored: Promise<Outcome<null>>): void;
}

/** Time for which the first response waits for others. */
const GATHER_MS = 15;
const MOST_ROWS = 32;
const MOST_CHARS = 2_000_000;

let waiting: Waiting[] = [];
let isStoring = false;

/** Stores a response; for the viewer if its user does not exist. Stores the viewer if missing. */
export function saveAutoResponse(response: NewResponse, viewer: Viewer): Promise<Outcome<null>> {
  return new Promise((settle) => {
    waiting.push({ response, viewer, since: performance.now(), settle });
    if (!isStoring) void storeWaiting();
  });
}

/** Stores one batch after the other, in order of arrival. */
async function storeWaiting(): Promise<void> {
  isStoring = true;
  await wait(GATHER_MS);
  while (waiting.length > 0) await storeBatch(takeBatch());
  isStoring = false;
}

/** Takes the longest waiting responses, each ID once. */
function takeBatch(): Waiting[] {
  const batch: Waiting[] = [];
  const ids = new Set<string>();
  let chars = 0;
  for (const one of waiting) {
    chars += (one.response.requestText?.length ?? 0) + (one.response.responseText?.length ?? 0);
    if (batch.length === MOST_ROWS || (chars > MOST_CHARS && batch.length > 0)) break;
    if (ids.has(one.response.id)) break;
    ids.add(one.response.id);
    batch.push(one);
  }
  waiting = waiting.slice(batch.length);
  return batch;
}

async function storeBatch(batch: readonly Waiting[]): Promise<void> {
  const now = performance.now();
  const rows = batch.map(({ response, since }) => ({ ...response, ageMs: now - since }));
  let stored: Outcome<Inserted[]>;
  try {
    stored = await withDatabase((db) => insertResponses(db, rows));
  } catch {
    return storeEach(batch);
  }
  if (!stored.ok && stored.failure.code === "bad_input") return storeEach(batch);
  for (const [at, { response, viewer, settle }] of batch.entries()) {
    if (!stored.ok) settle(Promise.resolve(stored));
    else if (stored.value[at]?.known) settle(Promise.resolve(succeed(null)));
    else settle(storeForViewer(response, viewer));
  }
}

/** Stores each response alone, so that one that the database refuses does not fail the others. */
async function storeEach(batch: readonly Waiting[]): Promise<void> {
  for (const { response, viewer, settle } of batch) {
    const stored = storeForViewer(response, viewer);
    settle(stored);
    await stored.catch(() => undefined);
  }
}

async function storeForViewer(response: NewResponse, viewer: Viewer): Promise<Outcome<null>> {
  return withDatabase(async (db) => {
    await ensureViewerStored(db, viewer);
    // The user may be the viewer, who is stored only now.
    const { known } = await insertResponse(db, response);
    if (!known) await insertResponse(db, { ...response, userId: viewer.id });
    return null;
  });
}
