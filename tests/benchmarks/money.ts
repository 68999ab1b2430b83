import type pg from "pg";
import { call, expectOk, type Measured, type Measurement, runBenchmark } from "./benchmark";
import { fillMail } from "./fill-mail";

/** Spending, what a purchase paid for, and Insights, with a million ledger rows and a million stored responses. */

const BASE_URL = "http://127.0.0.1:9/v1";
const USER = "auth-bench";
/** Ledger rows of other people, for each row of mail. */
const LEDGER_SHARE = 9;
const RESPONSES_SHARE = 20;

await runBenchmark({
  http: ["page"],
  rows: 50_000,
  limitMs: 1_500,
  variables: { STANNP_API_KEY: "bench-key", STANNP_BASE_URLS: `US=${BASE_URL}`, STANNP_CURRENCY: "USD" },
  subject: "bench",
  fill,
  measure: measureMoney,
  async *readFiles() {},
});

async function fill(client: pg.Client, rows: number, say: (line: string) => void): Promise<void> {
  // The rows of the years before have lower ids.
  await client.query(`ALTER SEQUENCE credit_transactions_id_seq RESTART WITH ${rows * LEDGER_SHARE * 2 + 1}`);
  await fillMail(client, { rows, baseUrl: BASE_URL }, say);
  say("prices, purchases and the ledger of others");
  await client.query(
    `UPDATE mail_items SET provider_cost = CASE type WHEN 'letter' THEN 1.17 ELSE 0.99 END,
       country = (ARRAY['US', 'GB', 'CA', 'AU'])[1 + abs(hashtext(id)) % 4], status_at = created_at + interval '4 days'`,
  );
  await client.query(
    `INSERT INTO checkout_sessions (id, user_id, actor_id, credits, amount_cents, currency, state, success_url,
       cancel_url, created_at, closed_at)
     SELECT cause_key, user_id, user_id, 100, 999, 'usd', 'completed', '/', '/', created_at, created_at
     FROM credit_transactions WHERE cause = 'checkout'`,
  );
  await client.query(
    `INSERT INTO credit_transactions (id, user_id, transaction_type, amount, balance_before, balance_after, description,
       actor_id, cause, cause_key, created_at)
     SELECT n, 'user-' || (1 + n % 40), 'credit', 1, n, n + 1, 'a gift', 'system', 'adjustment', 'gift-' || n,
       now() - interval '365 days' * (3 - 2 * n::float8 / ($1::int * ${LEDGER_SHARE * 2}))
     FROM generate_series(1, $1::int * ${LEDGER_SHARE * 2}) n`,
    [rows],
  );
  // One account with a queue of its own: bought, then spent to the last credit, and again.
  await client.query("INSERT INTO users (id, display_name, username) VALUES ('fifo', 'Fifo', 'fifo')");
  await client.query(
    `INSERT INTO credit_transactions (user_id, transaction_type, amount, balance_before, balance_after, description,
       actor_id, cause, cause_key, created_at)
     SELECT 'fifo', CASE n % 101 WHEN 0 THEN 'purchase' ELSE 'debit' END, CASE n % 101 WHEN 0 THEN 100 ELSE 1 END,
       CASE n % 101 WHEN 0 THEN 1000 ELSE 1101 - n % 101 END, CASE n % 101 WHEN 0 THEN 1100 ELSE 1100 - n % 101 END,
       'row', 'fifo', CASE n % 101 WHEN 0 THEN 'checkout' ELSE 'send' END, 'fifo-' || n, now()
     FROM generate_series(0, $1::int) n`,
    [rows],
  );
  await client.query(
    `INSERT INTO checkout_sessions (id, user_id, actor_id, credits, amount_cents, currency, state, success_url,
       cancel_url, closed_at)
     SELECT cause_key, user_id, user_id, 100, 999, 'usd', 'completed', '/', '/', created_at
     FROM credit_transactions WHERE user_id = 'fifo' AND cause = 'checkout'`,
  );
  say("responses");
  await client.query(
    `INSERT INTO responses (id, user_id, actor_id, kind, endpoint_category, endpoint_preset, method, path, status_code,
       duration_ms, tags, search_text, created_at)
     SELECT 'r' || n, 'user-' || (1 + n % 40), 'user-1', 'auto', 'letters', 'letters.list', 'GET', 'letters/list',
       200, 50 + abs(hashtext(n::text)) % 400, '{}', '', now() - interval '365 days' * random()
     FROM generate_series(1, $1::int * ${RESPONSES_SHARE}) n`,
    [rows],
  );
  await client.query(
    `INSERT INTO response_hours (hour, status, shard, total)
     SELECT date_trunc('hour', created_at, 'UTC'), status_code, 0, count(*) FROM responses GROUP BY 1, 2`,
  );
  await client.query("VACUUM ANALYZE");
}

async function* measureMoney(at: Measured, samples: number): AsyncGenerator<Measurement> {
  const { loadSpending } = await import("~/credits/spending/load-spending.server");
  const { withDatabase } = await import("~/platform/database/database.server");
  const { findPaidWith, listUses } = await import("~/credits/ledger/paid-with.server");
  const { countStates, measureAnswers, measureDelivery } = await import("~/insights/insights.server");
  const few = Math.ceil(samples / 4);
  for (const [name, userId, address] of [
    ["spending of a year, all users", null, ""],
    ["spending of a year, one user", USER, `&user_id=${USER}`],
  ] as const) {
    yield {
      name,
      product: async () => expectOk(await loadSpending({ month: null, until: null, userId }, new Date())),
      http: [() => call(at, `/users?view=spending${address}`)],
      rounds: few,
    };
  }
  yield* measureHistory(at, few);
  const [last] = (
    await at.raw.query<{ id: string; charge: string }>(
      `SELECT max(cause_key) FILTER (WHERE cause = 'checkout') AS id,
         (SELECT cause_key FROM credit_transactions WHERE user_id = 'fifo' AND cause = 'send' ORDER BY id DESC LIMIT 1) AS charge
       FROM credit_transactions WHERE user_id = 'fifo'`,
    )
  ).rows;
  if (!last) throw new Error("there is no purchase");
  const [row] = (
    await at.raw.query<{ id: string }>(
      "SELECT id FROM credit_transactions WHERE cause = 'checkout' AND cause_key = $1",
      [last.id],
    )
  ).rows;
  yield {
    name: "what a purchase paid for",
    product: async () => expectOk(await withDatabase((db) => listUses(db, BigInt(row?.id ?? 0)))),
    http: [() => call(at, `/purchases/${last.id}`)],
  };
  yield {
    name: "which purchase paid",
    product: async () => expectOk(await withDatabase((db) => findPaidWith(db, last.charge))),
    http: [null],
  };
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  for (const [name, product] of [
    ["states of 12 weeks", () => withDatabase((db) => countStates(db, days(84)))],
    ["days to delivery, 90 days", () => withDatabase((db) => measureDelivery(db, days(90)))],
    ["answer times, 14 days", () => withDatabase((db) => measureAnswers(db, days(14)))],
  ] as const) {
    yield { name, product: async () => expectOk<unknown>(await product()), http: [null], rounds: few };
  }
  yield { name: "the page /insights", product: null, http: [() => call(at, "/insights")], rounds: few };
}

/** The ledger as Transaction History shows it. */
async function* measureHistory(at: Measured, rounds: number): AsyncGenerator<Measurement> {
  const { listTransactions } = await import("~/credits/history/transactions.server");
  const { parseTransactionQuery } = await import("~/credits/history/transactions.schema.server");
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  for (const [name, address] of [
    ["history, first page", {}],
    ["history of one user", { user_id: USER }],
    ["history, refunds", { type: "refund" }],
    ["history, a type that no row has", { type: "release" }],
    ["history of a month, two years ago", { from: day(740), to: day(710) }],
    ["history of one user, a month, half a year ago", { user_id: USER, from: day(200), to: day(170) }],
    ["history, search of a common word", { q: "mailed" }],
    ["history, search of a word that nobody has", { q: "xyzzyx" }],
    ["history of one user, a word that nobody has", { user_id: USER, q: "xyzzyx" }],
  ] as [string, Record<string, string>][]) {
    const parameters = new URLSearchParams(address);
    yield {
      name,
      product: async () => expectOk(await listTransactions(expectOk(parseTransactionQuery(parameters)))),
      http: [() => call(at, `/users?view=history&${parameters}`)],
      rounds,
    };
  }
}
