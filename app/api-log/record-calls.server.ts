import { setTimeout as wait } from "node:timers/promises";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { PERSON_PREFIX } from "~/platform/http/session.server";
import { type CurrentRequest, errorNameOf, log } from "~/platform/log.server";
import { finishBeforeExit } from "~/platform/stopping.server";
import { LOG_DAYS } from "./api-log-view";

interface AnsweredCall extends CurrentRequest {
  method: string;
  /** `routes/api.pieces.$id`; undefined for an address without a route. */
  route: string | undefined;
  params: Record<string, string | undefined> | undefined;
  status: number;
  durationMs: number;
}

const FLUSH_MS = 1_000;
const ROWS_PER_STATEMENT = 500;
/** While the database is down; later calls are dropped and counted. */
const MAX_WAITING = 5_000;
/** Rows per minute of unknown callers in each process, so that a flood does not fill the table. */
const UNKNOWN_PER_MINUTE = 60;
const EXPIRED_AT_ONCE = 5_000;
/** An id has a digit; a word in its place may be a name. */
const ID = /^(?=.*\d)[\w-]{1,64}$/;

let waiting: object[] = [];
let dropped = 0;
let isPlanned = false;
let unknown = { minute: 0, count: 0 };

/** Adds a call to the log within a second. The answer does not wait; a killed process loses that second. */
export function recordCall(call: AnsweredCall): void {
  if (env().database.kind === "none") return;
  const [kind, name] = (call.caller ?? "").split(" ");
  const isKnown = kind === "token" || kind === "person";
  if (waiting.length >= MAX_WAITING || (!isKnown && isUnknownFlood())) {
    dropped++;
    return;
  }
  const { params = {}, providerPath, subject } = call;
  const id = Object.values(params).find((value) => value !== undefined && ID.test(value));
  waiting.push({
    at: new Date().toISOString(),
    request_id: call.id,
    method: call.method,
    path: formatPattern(call.route),
    about: id ?? (providerPath || subject || null),
    user_id: kind === "person" ? PERSON_PREFIX + name : null,
    token_id: kind === "token" ? name : null,
    status: call.status,
    duration_ms: call.durationMs,
    reason: call.status >= 400 ? (call.reason ?? null) : null,
  });
  planFlush();
}

/** Formats a route as `/api/pieces/:id`. An address without a route may hold personal data, so it is not logged. */
function formatPattern(route: string | undefined): string {
  if (route === undefined) return "/api/…";
  const parts = route.replace(/^routes\//, "").split(/\.(?!\])/);
  return `/${parts.map((part) => part.replace("[.]", ".").replace("$", ":")).join("/")}`;
}

function isUnknownFlood(): boolean {
  const minute = Math.floor(Date.now() / 60_000);
  if (unknown.minute !== minute) unknown = { minute, count: 0 };
  return ++unknown.count > UNKNOWN_PER_MINUTE;
}

function planFlush(): void {
  if (isPlanned) return;
  isPlanned = true;
  void finishBeforeExit(wait(FLUSH_MS, null, { ref: false }).then(flush));
}

async function flush(): Promise<void> {
  isPlanned = false;
  const batch = waiting.splice(0, ROWS_PER_STATEMENT);
  if (dropped > 0) log.warn("api_log.calls_dropped", { reason: `${dropped} calls are not in the log` });
  dropped = 0;
  try {
    const stored = await withDatabase((db) => insertCalls(db, batch));
    if (!stored.ok) {
      const all = [...batch, ...waiting];
      waiting = all.slice(0, MAX_WAITING);
      dropped += all.length - waiting.length;
    }
  } catch (error) {
    log.warn("api_log.calls_lost", { errorName: errorNameOf(error) });
  }
  if (waiting.length > 0) planFlush();
}

function insertCalls(db: Db, rows: readonly object[]): Promise<number> {
  return db.$executeRaw`
    INSERT INTO api_calls (at, request_id, method, path, about, user_id, token_id, status, duration_ms, reason)
    SELECT at, request_id, method, path, about, user_id, token_id, status, duration_ms, reason
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS call (at timestamptz, request_id text, method text, path text,
      about text, user_id text, token_id text, status int, duration_ms int, reason text)`;
}

export async function expireCalls(db: Db): Promise<void> {
  let removed: number;
  do {
    removed = await db.$executeRaw`
      DELETE FROM api_calls WHERE id IN (
        SELECT id FROM (SELECT id, at FROM api_calls ORDER BY id LIMIT ${EXPIRED_AT_ONCE}::int) oldest
        WHERE at < now() - ${LOG_DAYS}::int * interval '1 day')`;
  } while (removed === EXPIRED_AT_ONCE);
}
