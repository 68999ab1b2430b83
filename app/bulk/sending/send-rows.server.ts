import { findRefusal } from "~/outside/identity/profile.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { type Failure, fail, type Outcome } from "~/platform/outcome";
import type { ProxyResponse } from "~/sending/proxy-types";
import { sendRequest } from "~/sending/send-request.server";
import { buildBody, buildRequest } from "../design.server";
import { formatSentBefore } from "../rows/messages";
import { type ClaimedRow, claimRows, findPieces, formatKey, type RowAttempt } from "./claim-rows.server";
import { chooseListWait } from "./list-pace";
import { finishLists, pauseWithNote } from "./list-transitions.server";
import {
  formatRetry,
  NOT_CONFIGURED_NOTE,
  PROVIDER_NO_ANSWER,
  REFUSED_WITHOUT_REASON,
  RESERVATION_SHORT_NOTE,
  STARTER_LIMIT_NOTE,
  STARTER_NOT_ALLOWED_NOTE,
} from "./messages";
import { findRowOutcome, type RowOutcome, type RowPiece } from "./row-outcome";

const SETTLED_AT_ONCE = 200;
/** Of the calls that this process may have under way; more would also wait for the database's ten connections. */
const CALL_SHARE = 1 / 4;

/**
 * Sends the rows of running lists through the same pipeline as people do, a quarter of this process's calls at once. A row that
 * a dead process had is taken over when its lease ends, with the same key: it is mailed once.
 */
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
  const { list, design, actor, rules } = row.batch;
  if (row.piece) return store(row, findRowOutcome(row.piece), false);
  if (list.state !== "running") return putBack(row, false);
  const { identity } = env();
  const starter = { email: list.starterEmail, emailVerified: list.starterEmail !== null };
  if (identity && findRefusal(identity, starter)) {
    const paused = await withDatabase((db) => pauseWithNote(db, list.id, STARTER_NOT_ALLOWED_NOTE));
    return paused.ok ? putBack(row, false) : paused;
  }
  if (row.sentAt !== null) {
    const problem = formatSentBefore(list.mailType, row.sentAt);
    return store(row, { kind: "refused", pieceId: null, problem, code: "duplicate" });
  }
  const body = buildBody(design, JSON.parse(row.cells), rules);
  const request = {
    ...buildRequest(design, body, { test: false, payerId: list.userId, verdict: row.verdict }),
    idempotency_key: formatKey(row),
  };
  const sent = await sendRequest(request, actor, null, list.reservationId);
  const found = await withDatabase((db) => findPieces(db, list, [row]));
  if (!found.ok) return found;
  const piece = found.value.get(formatKey(row));
  if (piece) return store(row, findRowOutcome(piece));
  return sent.ok ? storeUnsent(row, JSON.parse(sent.value.jsonText)) : storeFailure(row, sent.failure);
}

/** The pipeline answered, and there is no piece. */
function storeUnsent(row: ClaimedRow, answer: ProxyResponse): Promise<Outcome<unknown>> {
  // A list that was stopped meanwhile has nothing reserved any more.
  if (answer.shortfall) return store(row, { kind: "again", pause: RESERVATION_SHORT_NOTE });
  const problem = answer.error ?? REFUSED_WITHOUT_REASON;
  return store(row, { kind: "refused", pieceId: null, problem });
}

/** The pipeline did not take the row. */
async function storeFailure(row: ClaimedRow, failure: Failure): Promise<Outcome<unknown>> {
  switch (failure.code) {
    case "overloaded":
      return putBack(row, false);
    case "not_configured":
      return store(row, { kind: "again", pause: NOT_CONFIGURED_NOTE });
    // Its credits stay reserved until it is resumed.
    case "limit_reached":
      return store(row, { kind: "again", pause: STARTER_LIMIT_NOTE });
    // Its lease ends, and it is tried again with the same key.
    case "database_unavailable":
    case "provider_unreachable":
    case "in_progress":
      return { ok: false, failure };
    default:
      return store(row, { kind: "refused", pieceId: null, problem: failure.message });
  }
}

/**
 * Stores what became of a row, unless somebody else did: whoever has it is told apart by the number of its attempt.
 * @param asked whether the provider was asked just now: then its silence is a reason to wait
 */
async function store(row: RowAttempt, outcome: RowOutcome, asked = true): Promise<Outcome<unknown>> {
  const { listId } = row;
  if (outcome.kind === "again") {
    const noted = await withDatabase((db) =>
      outcome.pause === null
        ? noteNoAnswer(db, listId, outcome.wait)
        : pauseWithNote(db, listId, outcome.pause),
    );
    if (!noted.ok) return noted;
    const back = await putBack(row, true);
    return back.ok ? fail("provider_unreachable", REFUSED_WITHOUT_REASON) : back;
  }
  return withDatabase(async (db) => {
    const refused = outcome.kind === "refused" ? outcome : null;
    await db.$executeRaw`
      WITH stored AS (
        UPDATE bulk_rows SET state = ${outcome.kind}, lease_until = NULL, send_id = ${outcome.pieceId}::text, problem = ${refused?.problem ?? null}::text,
          problem_code = ${refused?.code ?? null}::text
        WHERE list_id = ${listId} AND number = ${row.number} AND attempt = ${row.attempt}::int AND state IN ('sending', 'checking')
      )
      UPDATE bulk_lists SET failures = 0, next_at = NULL, note = NULL
      WHERE id = ${listId} AND state = 'running' AND failures > 0 AND ${outcome.kind !== "checking"}`;
    if (outcome.kind === "checking" && asked) await noteNoAnswer(db, listId, PROVIDER_NO_ANSWER);
  });
}

/** Rows whose pieces are settled since, in any list. */
async function settleChecking(db: Db): Promise<void> {
  const settled = await db.$queryRaw<(RowPiece & RowAttempt)[]>`
    SELECT s.id, s.state, s.answer_status AS "answerStatus", s.note, r.list_id AS "listId", r.number, r.attempt
    FROM bulk_rows r JOIN sends s ON s.id = r.send_id
    WHERE r.state = 'checking' AND s.state NOT IN ('held', 'unknown') LIMIT ${SETTLED_AT_ONCE}::int`;
  for (const piece of settled) {
    const outcome = findRowOutcome(piece);
    if (outcome.kind !== "again") await store(piece, outcome);
    else await putBack(piece, true);
  }
}

/** The whole list waits, longer each time, because of `why`. One row of a batch says so for all. */
async function noteNoAnswer(db: Db, id: string, why: string): Promise<void> {
  const [last] = await db.$queryRaw<{ failures: number }[]>`SELECT failures FROM bulk_lists WHERE id = ${id}`;
  const failures = last?.failures ?? 0;
  const seconds = chooseListWait(failures);
  await db.$executeRaw`
    UPDATE bulk_lists SET failures = failures + 1, note = ${`${why} ${formatRetry(seconds)}`},
      next_at = clock_timestamp() + ${seconds}::int * interval '1 second'
    WHERE id = ${id} AND state = 'running' AND failures = ${failures}::int
      AND (next_at IS NULL OR next_at <= clock_timestamp())`;
}

/** The row is to be sent again; under a new key if the send of this one was refused. */
function putBack(row: RowAttempt, anew: boolean): Promise<Outcome<unknown>> {
  return withDatabase(
    (db) => db.$executeRaw`
      UPDATE bulk_rows SET state = 'ready', lease_until = NULL, attempt = attempt + ${anew ? 1 : 0}::int
      WHERE list_id = ${row.listId} AND number = ${row.number} AND attempt = ${row.attempt}::int AND state IN ('sending', 'checking')`,
  );
}
