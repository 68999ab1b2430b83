import { NOTHING_DONE } from "~/platform/outcome";
import type { PrismaClient } from "../../../prisma/client/client";
import type { MailProvider } from "../../emulators/mail-provider";
import { CALL_LIMIT_MS } from "./bench";
import type { MailAnswer, MailRequest } from "./calls";
import type { CancelAnswer, MailedPiece } from "./cancel-routes";

/** A call of a client, in ms of the clock that the database shares; `ended` is rounded up. */
export interface Call<Answer> {
  began: number;
  ended: number;
  answer: Answer;
}

/**
 * A call that returned the balance, or null; `sees`: the number of ledger entries of a cause that the answer
 * proves.
 */
interface Read extends Call<number | null> {
  userId: string;
  sees?: { cause: string; count: number };
}

/** Calls of all clients: sends by key, cancels by piece, and reads. */
export class History {
  readonly orders: { order: MailRequest & { key: string }; calls: Call<MailAnswer>[] }[] = [];
  readonly cancels: { piece: MailedPiece; calls: Call<CancelAnswer>[] }[] = [];
  readonly reads: Read[] = [];
}

export async function timeCall<Answer>(call: () => Promise<Answer>): Promise<Call<Answer>> {
  const began = Date.now();
  const answer = await call();
  return { began, ended: Date.now() + 1, answer };
}

interface Entry {
  id: bigint;
  userId: string;
  type: string;
  amount: number;
  balanceAfter: number;
  cause: string;
  causeKey: string;
  /** Start of its statement, in ms. */
  at: number;
  /** Commit time; equal to `at` on the embedded database. */
  committedAt: number;
  /** Position in its account, and the balance after it by the model. */
  index: number;
  balance: number;
}

/**
 * An answer that claims that the entry is committed and that the payer has this balance; `exact`: directly after
 * the entry.
 */
interface Claim extends Read {
  name: string;
  entry: Entry | undefined;
  exact?: boolean;
}

const COSTS = { postcard: 1, letter: 2 };
const SIGNS: Record<string, number> = { debit: -1, release: 0, reserve: 0 };
/** After this time another process may settle a call, and the answer has the balance at its end. */
const LEASE_MS = CALL_LIMIT_MS + 5_000;

/**
 * Compares the answers that clients received with the ledger and the provider, once everything is settled. Returns
 * each contradiction: a success without its entry or piece, an answer before the commit, entries in another order
 * than the calls, a balance that the account did not have during the call, a failure that cost credits.
 */
export async function checkHistory(
  db: PrismaClient,
  provider: MailProvider,
  { orders, cancels, reads }: History,
): Promise<string[]> {
  const problems: string[] = [];
  const claims: Claim[] = [];
  const accounts = await replayLedger(db, problems);
  const entries = new Map(
    [...accounts.values()].flat().map((entry) => [`${entry.cause} ${entry.causeKey}`, entry]),
  );
  const sends = await db.send.findMany({ select: { id: true, actorId: true, idempotencyKey: true } });
  const byKey = new Map<string, string[]>();
  for (const { id, actorId, idempotencyKey } of sends) {
    // The key of a freed send is followed by the send's id.
    const key = `${actorId} ${idempotencyKey.split(" ")[0]}`;
    byKey.set(key, [...(byKey.get(key) ?? []), id]);
  }
  const mailedIds = new Set(
    provider.pieces.flatMap(({ test, idempotencyKey }) => (test ? [] : [idempotencyKey])),
  );

  for (const { order, calls } of orders) {
    const owner = `auth-${order.caller ?? "ana"}`;
    const ids = byKey.get(`${owner} ${order.key}`) ?? [];
    const mailed = ids.some((id) => mailedIds.has(id));
    const sum = (cause: string) =>
      ids.reduce((all, id) => all + (entries.get(`${cause} ${id}`)?.amount ?? 0), 0);
    const cost = sum("send") - sum("refund");
    if (cost !== 0 && cost !== COSTS[order.type]) problems.push(`${order.key} cost ${cost}`);
    for (const [place, call] of calls.entries()) {
      const { status, json } = call.answer;
      const { credits, error } = json;
      const refute = (truth: string) =>
        problems.push(
          `${order.key} ${truth}; answer ${place + 1} was ${status} ${error} ${JSON.stringify(credits)}`,
        );
      const entry = credits?.success ? entries.get(`send ${json.send_id}`) : undefined;
      const [began, exact] = [calls[0]?.began ?? 0, !credits?.replayed && call.ended - call.began < LEASE_MS];
      const claim = { ...call, answer: credits?.newBalance ?? null, userId: order.payer ?? owner, entry };
      claims.push({ ...claim, name: order.key, ...(entry ? { began, exact } : {}) });
      if (credits?.success && !mailed) refute("was not mailed");
      if (credits?.success && credits.creditsDeducted !== entry?.amount)
        refute(`was charged ${entry?.amount}`);
      // Only the first answer proves the effect of the first call; a later answer describes itself.
      const refused = place === 0 && status !== null && error?.includes(NOTHING_DONE);
      if (!refused && !credits?.error?.startsWith("Nothing was charged")) continue;
      if (mailed) refute("was mailed");
      if (cost !== 0) refute(`cost ${cost}`);
    }
  }

  for (const { piece, calls } of cancels) {
    const entry = entries.get(`refund ${piece.id}`);
    for (const [place, { began, ended, answer }] of calls.entries()) {
      const refute = (truth: string) =>
        problems.push(`${piece.id} ${truth}; the answer was ${JSON.stringify(answer)}`);
      const refunded = answer.refunded ?? 0;
      const claim = { ended, answer: answer.newBalance, name: piece.id, userId: piece.userId, entry };
      const exact = refunded > 0 && ended - began < LEASE_MS;
      if (answer.cancelled) claims.push({ ...claim, began: calls[0]?.began ?? began, exact });
      if (answer.cancelled && !entry) refute("is not cancelled");
      if (refunded > 0 && refunded !== entry?.amount) refute(`was refunded ${entry?.amount}`);
      const refused = place === 0 && answer.error?.includes("othing was refunded");
      if (refused && entry && !(calls[1] && entry.at >= calls[1].began)) refute("was refunded");
    }
    if (calls.filter(({ answer }) => (answer.refunded ?? 0) > 0).length > 1)
      problems.push(`${piece.id} was said to be refunded twice`);
  }

  for (const read of reads) {
    const { cause, count } = read.sees ?? { cause: "", count: 0 };
    const seen = accounts.get(read.userId)?.filter((entry) => entry.cause === cause) ?? [];
    claims.push({ ...read, name: "a read", entry: seen[count - 1] });
    if (count > seen.length) problems.push(`${read.userId} has ${seen.length} of ${count} of ${cause}`);
  }
  return [...problems, ...findImpossible(claims, accounts)];
}

/** Recomputes the balances from the amounts. */
async function replayLedger(db: PrismaClient, problems: string[]): Promise<Map<string, Entry[]>> {
  const rows = await db.$queryRaw<Omit<Entry, "index" | "balance">[]>`
    SELECT *, (extract(epoch FROM created_at) * 1000)::float8 AS at,
      (extract(epoch FROM coalesce(committed, created_at)) * 1000)::float8 AS "committedAt"
    FROM (SELECT id, user_id AS "userId", transaction_type AS type, amount, balance_after AS "balanceAfter", cause,
      cause_key AS "causeKey", created_at, CASE current_setting('track_commit_timestamp')
        WHEN 'on' THEN pg_xact_commit_timestamp(xmin) END AS committed
      FROM credit_transactions) AS ledger ORDER BY id`;
  const accounts = new Map<string, Entry[]>();
  for (const row of rows) {
    const account = accounts.get(row.userId) ?? [];
    const balance = (account.at(-1)?.balance ?? 0) + (SIGNS[row.type] ?? 1) * row.amount;
    if (balance !== row.balanceAfter)
      problems.push(`entry ${row.id} has ${row.balanceAfter} credits, the model ${balance}`);
    account.push({ ...row, index: account.length, balance });
    accounts.set(row.userId, account);
  }
  return accounts;
}

/**
 * Visits the calls in chronological order. A finished call proves its entry and all earlier ones on the account: a
 * call that begins later writes a later entry and reads a later balance.
 */
function findImpossible(claims: readonly Claim[], accounts: ReadonlyMap<string, Entry[]>): string[] {
  const problems: string[] = [];
  const proven = new Map<string, number>();
  let newest = -1n;
  const moments = claims.flatMap((claim) => {
    const { name, userId, sees, entry, exact, began, ended, answer } = claim;
    let [oldest, from] = [newest, -1];
    const begin = () => {
      oldest = newest;
      from = Math.max(entry?.index ?? -1, proven.get(userId) ?? -1);
    };
    const end = () => {
      if (entry && entry.committedAt > ended)
        problems.push(`${name}: answered before ${entry.id} was committed`);
      if (entry && !sees && (entry.at < began || entry.id < oldest))
        problems.push(`${name}: entry ${entry.id} is older than the call (${oldest})`);
      if (entry && entry.id > newest) newest = entry.id;
      const account = accounts.get(userId) ?? [];
      const found = account.find(
        ({ index, balance, at }) => index >= from && at <= ended && balance === answer,
      );
      if (answer !== null && (!found || (exact && entry?.balance !== answer)))
        problems.push(`${name}: ${userId} did not have ${answer} credits then`);
      proven.set(userId, Math.max(proven.get(userId) ?? -1, from, found?.index ?? -1));
    };
    return [
      { time: began, order: 0, pass: begin },
      { time: ended, order: 1, pass: end },
    ];
  });
  moments.sort((a, b) => a.time - b.time || a.order - b.order);
  for (const { pass } of moments) pass();
  return problems;
}
