import { createHash } from "node:crypto";
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { withDatabase } from "../database/database.server";
import { env } from "../env.server";
import type { RateKind } from "./default-rates";

/**
 * Requests per minute of each caller. Each process counts in its memory. Where other processes may share the database,
 * a caller who has used a quarter of a limit here is also counted there, behind the request's back: a busy person costs
 * no statement, a flood one at a time, and the whole of K processes lets through at most (K + 3) / 4 of the limit.
 * While the database is away the memory counts alone.
 */

const MINUTE_SECONDS = 60;
const SHARED_FROM = 1 / 4;

const limiters = new Map<RateKind, RateLimiterMemory>();
/** What is counted here and not yet there, by key; an entry means that a statement is under way. */
const unsent = new Map<string, number>();
let shared: RateLimiterPostgres | undefined;

/**
 * Counts one request.
 * @param caller a name of who calls, the same in every process
 * @returns seconds until the caller may go on, 0 at once
 */
export async function countRequest(kind: RateKind, caller: string): Promise<number> {
  const { rateLimits, database } = env();
  const limit = rateLimits?.[kind];
  if (limit === undefined) return 0;
  const own = openLimiter(kind, limit);
  const { consumedPoints, msBeforeNext } = await own.consume(caller).catch((refused: unknown) => {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  });
  if (consumedPoints > limit) return Math.max(1, Math.ceil(msBeforeNext / 1000));
  const from = Math.ceil(limit * SHARED_FROM);
  if (database.kind === "postgres" && consumedPoints >= from) {
    share(own, limit, caller, consumedPoints === from ? consumedPoints : 1);
  }
  return 0;
}

function openLimiter(kind: RateKind, limit: number): RateLimiterMemory {
  const known = limiters.get(kind);
  if (known) return known;
  const made = new RateLimiterMemory({ keyPrefix: kind, points: limit, duration: MINUTE_SECONDS });
  limiters.set(kind, made);
  return made;
}

/** Adds to the shared count, one statement at a time for each caller. What is over the limit there is refused here. */
function share(own: RateLimiterMemory, limit: number, caller: string, points: number): void {
  const key = `${own.keyPrefix}:${caller}`;
  const waiting = unsent.get(key);
  unsent.set(key, (waiting ?? 0) + points);
  if (waiting === undefined) void send(own, limit, caller, key);
}

async function send(own: RateLimiterMemory, limit: number, caller: string, key: string): Promise<void> {
  try {
    for (let points = unsent.get(key) ?? 0; points > 0; points = unsent.get(key) ?? 0) {
      unsent.set(key, 0);
      const total = await openShared().penalty(hash(key), points);
      if (total.consumedPoints <= limit) continue;
      const seconds = Math.ceil(total.msBeforeNext / 1000);
      // A count that ends later was begun by a clock that was ahead: it would refuse for hours.
      if (seconds > MINUTE_SECONDS) await openShared().delete(hash(key));
      else await own.block(caller, seconds);
    }
  } catch {
    // The database is away, which its own log lines tell.
  } finally {
    unsent.delete(key);
  }
}

/** Neither names nor addresses are kept in the database. */
function hash(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

function openShared(): RateLimiterPostgres {
  shared ??= new RateLimiterPostgres({
    storeClient: { query: runStatement },
    storeType: "client",
    tableName: "rate_counts",
    tableCreated: true,
    keyPrefix: "",
    points: 1,
    duration: MINUTE_SECONDS,
  });
  return shared;
}

/** As the library expects it of `pg`: its statement on our connections, with their limits. */
async function runStatement({ text, values }: { text: string; values: unknown[] }) {
  const done = await withDatabase((db) =>
    text.trimStart().startsWith("DELETE")
      ? db.$executeRawUnsafe(text, ...values.map(toParameter)).then(() => [])
      : db.$queryRawUnsafe<Record<string, unknown>[]>(text, ...values.map(toParameter)),
  );
  if (!done.ok) throw new Error(done.failure.message);
  const rows = done.value.map((row) => ({ ...row, points: Number(row.points), expire: Number(row.expire) }));
  return { rows, rowCount: rows.length };
}

/** Milliseconds since 1970 are more than an integer of the database holds. */
function toParameter(value: unknown): unknown {
  return typeof value === "number" && value > 2 ** 31 ? BigInt(value) : value;
}
