import { findRefusal } from "~/outside/identity/profile.server";
import { sendPiece } from "~/pieces/send/send-piece.server";
import { IS_OPEN } from "~/pieces/transition-sql.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { type Failure, fail, type Outcome } from "~/platform/outcome";
import { Prisma } from "../../../prisma/client/client";
import { ERASED_CELLS } from "../bulk-list";
import { buildBody, buildOrder } from "../list-template.server";
import { PROVIDER_NO_ANSWER, REFUSED_WITHOUT_REASON } from "../messages";
import { formatSentBefore } from "../rows/mark-duplicates.server";
import { type ClaimedRow, claimRows, findPieces, formatKey, type RowAttempt } from "./claim-rows.server";
import { backoffSeconds } from "./list-pace.server";
import { finishLists, pauseWithNote } from "./list-transitions.server";
import { findRowOutcome, type RowOutcome, type RowPiece, SELECT_ROW_PIECE } from "./row-outcome.server";

const SETTLED_AT_ONCE = 200;
const READY_AGAIN = { kind: "again", released: false } as const;
/** Share of this process's provider calls. More would also wait for the ten database connections. */
const CALL_SHARE = 1 / 4;

/** Sends rows as single pieces are sent. A row whose lease has expired is taken over with the same key: it is mailed once. */
export function sendBulkRows(): BackgroundTask<ClaimedRow> {
  const atOnce = Math.max(1, Math.floor(env().providerCallsAtOnce * CALL_SHARE));
  return {
    name: "send_list_rows",
    batchSize: atOnce,
    atOnce,
    claim: (limit) =>
      withDatabase(async (db) => {
        await settleChecking(db);
        return claimRows(db, limit);
      }),
    work: sendRow,
    cleanUp: finishLists,
  };
}

async function sendRow(row: ClaimedRow): Promise<Outcome<unknown>> {
  const { list, template, actor, rules } = row.batch;
  if (row.piece) return store(row, findRowOutcome(row.piece), false);
  if (list.state !== "running" || row.cells === ERASED_CELLS) return makeReadyAgain(row);
  const { identity } = env();
  const starter = { email: list.starterEmail, emailVerified: list.starterEmail !== null };
  if (identity && findRefusal(identity, starter)) {
    const paused = await withDatabase((db) =>
      pauseWithNote(
        db,
        list.id,
        "The person who started this list may no longer sign in. Stop the list; another person can start it again.",
      ),
    );
    return paused.ok ? makeReadyAgain(row) : paused;
  }
  const body = buildBody(template, JSON.parse(row.cells), rules);
  const idempotencyKey = formatKey(row);
  const payer = { payerId: list.userId, idempotencyKey, creditReservationId: list.reservationId };
  const knownDuplicate = row.mayRepeat ? undefined : null;
  const order = buildOrder(template, body, false, { ...payer, knownDuplicate }, row.verdict);
  const sent = order.ok ? await sendPiece(order.value, actor) : order;
  const found = await withDatabase((db) => findPieces(db, list, [row]));
  if (!found.ok) return found;
  const piece = found.value.get(idempotencyKey);
  if (piece) return store(row, findRowOutcome(piece));
  if (!sent.ok) return storeFailure(row, sent.failure);
  const outcome = sent.value.kind === "live" ? sent.value.outcome : null;
  // A list that was stopped has nothing reserved any more.
  if (outcome?.kind === "short") {
    return storePause(
      row,
      "The reserved credits do not cover the next row. Stop the list and start it again.",
    );
  }
  return outcome?.kind === "duplicate"
    ? store(row, {
        kind: "refused",
        pieceId: null,
        problem: formatSentBefore(list.mailType, outcome.duplicate.at),
        code: "duplicate",
      })
    : store(row, { kind: "refused", pieceId: null, problem: REFUSED_WITHOUT_REASON });
}

async function storeFailure(row: ClaimedRow, failure: Failure): Promise<Outcome<unknown>> {
  switch (failure.code) {
    case "overloaded":
      return makeReadyAgain(row);
    case "not_configured":
      return storePause(row, "The server has no provider key. Set STANNP_API_KEY, then resume.");
    // Its credits stay reserved until it is resumed.
    case "limit_reached":
      return storePause(
        row,
        "The daily limit of the person who started this list is used up. Resume it after 00:00 UTC.",
      );
    // Its lease ends, and it is tried again with the same key.
    case "database_unavailable":
    case "provider_unreachable":
    case "in_progress":
      return { ok: false, failure };
    default:
      return store(row, { kind: "refused", pieceId: null, problem: failure.message });
  }
}

function storePause(row: RowAttempt, pause: string): Promise<Outcome<unknown>> {
  return store(row, { kind: "again", released: false, pause });
}

/** Stores the outcome of a row. @param wasCalled true when the provider was called just now: a missing answer backs off the list */
async function store(row: RowAttempt, outcome: RowOutcome, wasCalled = true): Promise<Outcome<unknown>> {
  const { listId } = row;
  const again = outcome.kind === "again";
  const stored = await withDatabase(async (db) => {
    if (again && outcome.pause !== null) await pauseWithNote(db, listId, outcome.pause);
    else if (wasCalled && again) await backOff(db, listId, outcome.wait);
    await writeRow(db, row, outcome);
    if (wasCalled && outcome.kind === "checking") await backOff(db, listId, PROVIDER_NO_ANSWER);
  });
  return stored.ok && again ? fail("provider_unreachable", REFUSED_WITHOUT_REASON) : stored;
}

async function settleChecking(db: Db): Promise<void> {
  const settled = await db.$queryRaw<(RowPiece & RowAttempt)[]>`
    SELECT p.*, r.list_id AS "listId", r.number, r.attempt
    FROM bulk_rows r JOIN LATERAL (SELECT ${SELECT_ROW_PIECE} FROM sends WHERE id = r.send_id AND NOT ${IS_OPEN}) p ON true
    WHERE r.state = 'checking' LIMIT ${SETTLED_AT_ONCE}::int`;
  for (const piece of settled) await store(piece, findRowOutcome(piece), false);
}

/**
 * Writes the state of a claimed row, unless another process did: the attempt's number tells them apart. It mirrors the state of the
 * row's piece, because claims, counts and pages of 50,000 rows need an index of it; no other statement mirrors it. A row whose person
 * was erased is left out instead of sent again.
 */
async function writeRow(db: Db, row: RowAttempt, outcome: RowOutcome | typeof READY_AGAIN): Promise<void> {
  const { kind } = outcome;
  const state = kind === "again" ? "ready" : kind;
  const refused = kind === "refused" ? outcome : null;
  const isErased = Prisma.sql`cells = ${ERASED_CELLS}`;
  await db.$executeRaw`
    WITH stored AS (
      UPDATE bulk_rows SET lease_until = CASE WHEN ${refused?.pieceId === null} THEN clock_timestamp() END,
        send_id = ${kind === "again" ? null : outcome.pieceId}::text,
        state = CASE WHEN ${isErased} AND ${state} IN ('ready', 'refused') THEN 'left_out' ELSE ${state} END,
        problem = CASE WHEN NOT ${isErased} THEN ${refused?.problem ?? null}::text END,
        problem_code = ${refused?.code ?? null}::text, attempt = attempt + ${kind === "again" && outcome.released ? 1 : 0}::int
      WHERE list_id = ${row.listId} AND number = ${row.number} AND attempt = ${row.attempt}::int AND state IN ('sending', 'checking')
    )
    UPDATE bulk_lists SET failures = 0, next_at = NULL, note = NULL
    WHERE id = ${row.listId} AND state = 'running' AND failures > 0 AND ${kind === "sent" || kind === "refused"}`;
}

/** Makes the whole list wait with backoff. One row of a batch does so for all. */
async function backOff(db: Db, id: string, why: string): Promise<void> {
  const [last] = await db.$queryRaw<{ failures: number }[]>`SELECT failures FROM bulk_lists WHERE id = ${id}`;
  const failures = last?.failures ?? 0;
  const seconds = backoffSeconds(failures);
  const wait = seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  await db.$executeRaw`
    UPDATE bulk_lists SET failures = failures + 1, note = ${`${why} Mailroom retries after ${wait}.`},
      next_at = clock_timestamp() + ${seconds}::int * interval '1 second'
    WHERE id = ${id} AND state = 'running' AND failures = ${failures}::int
      AND (next_at IS NULL OR next_at <= clock_timestamp())`;
}

/** Makes a row ready again with the same key. */
function makeReadyAgain(row: RowAttempt): Promise<Outcome<unknown>> {
  return withDatabase((db) => writeRow(db, row, READY_AGAIN));
}
