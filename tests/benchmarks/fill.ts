import type pg from "pg";
import { formatCategory } from "~/catalogue/categories";
import { PRESETS } from "~/catalogue/presets";

/** The tag of twenty responses. */
export const RARE_WORD = "needle-haystack";
/** An address with no server, so that no call leaves. */
export const BASE_URL = "http://127.0.0.1:9/v1";
/** A list of 50,000 rows. */
export const LIST = "bench-list";
const BATCH_ROWS = 20_000;
/** The most pieces, and the most ledger rows: a hundred times a large team's year. */
const MAX_PIECES = 1_000_000;
/** Names made of syllables, for the search. */
const WORD = (salt: string, from: string) =>
  `'${salt}' || translate(left(md5('${salt}' || (${from})::text), 5), '0123456789', 'klmnoprstu')`;
const TEXT = `' person ' || n || ' ' || ${WORD("ma", "n % 400")} || ' ' || ${WORD("lo", "n % 4000")} ||
  CASE WHEN n % 20 = 0 THEN ' portland ' ELSE ' ' || ${WORD("vi", "n % 800")} || ' ' END || (10000 + n % 90000) || ' '`;

/**
 * Fills a database that has our tables with a year of a team: `rows` stored responses, a tenth as many pieces of
 * `auth-bench` and of forty others each with events, recipients and charges, and as many ledger rows as responses in
 * the two years before. Every tenth piece is a test. Each ledger row continues the balance of its account.
 */
export async function fillTables(client: pg.Client, rows: number): Promise<void> {
  await client.query(
    `SET synchronous_commit = off; SET work_mem = '128MB'; SET maintenance_work_mem = '512MB'; SELECT setseed(0.5);
     INSERT INTO users (id, display_name, username, search_text)
       SELECT 'user-' || n, 'Person ' || n, 'person' || n, ' person ' || n || ' ' FROM generate_series(1, 40) n
       UNION ALL VALUES ('auth-bench', 'bench', 'bench@example.com', ' bench ');
     INSERT INTO credit_accounts (user_id, balance) SELECT id, 1000000 FROM users`,
  );
  await fillLedger(client, Math.min(rows, MAX_PIECES));
  await fillPieces(client, Math.min(Math.ceil(rows / 10), MAX_PIECES / 2));
  await fillResponses(client, rows);
  await client.query(
    `INSERT INTO bulk_lists (id, actor_id, user_id, name, mail_type, design)
       VALUES ('${LIST}', 'auth-bench', 'auth-bench', 'bench', 'postcard', '{}');
     INSERT INTO bulk_rows (list_id, number, cells, state, address_key)
       SELECT '${LIST}', n + 1, '[]', 'ready', md5((n * 3)::text) FROM generate_series(1, 50000) n`,
  );
  await client.query("VACUUM ANALYZE");
}

/** Inserts the two years before: each user gets a gift, then buys, spends as many credits, and buys again. */
async function fillLedger(client: pg.Client, rows: number): Promise<void> {
  await client.query(
    `INSERT INTO credit_transactions (user_id, transaction_type, amount, balance_before, balance_after, description,
       actor_id, cause, cause_key, created_at)
     SELECT user_id, type, abs(change), after - change, after, 'a ' || type, user_id, cause, 'old-' || n,
       now() - interval '365 days' * (3 - 2 * n::float8 / $1::int)
     FROM generate_series(1, $1::int) n
       CROSS JOIN LATERAL (SELECT ((n - 1) / 41 - 1) % 101 AS step,
         CASE n % 41 WHEN 0 THEN 'auth-bench' ELSE 'user-' || n % 41 END AS user_id) u
       CROSS JOIN LATERAL (SELECT * FROM (VALUES ('credit', 'adjustment', 1000, 1000, n <= 41),
         ('purchase', 'checkout', 100, 1100, step = 0), ('debit', 'send', -1, 1100 - step, step > 0)
       ) AS e (type, cause, change, after, fits) WHERE fits) e
     ORDER BY n`,
    [rows],
  );
}

async function fillPieces(client: pg.Client, pieces: number): Promise<void> {
  await client.query(
    `CREATE TEMP TABLE made AS
     SELECT *, CASE type WHEN 'letter' THEN 2 ELSE 1 END AS cost, (10000000 + n)::text AS provider_id,
       now() - interval '365 days' * age AS created_at, ${TEXT} AS words,
       CASE WHEN test THEN 'test' WHEN luck < 0.04 THEN 'cancelled' WHEN luck < 0.05 THEN 'returned'
         WHEN age < 0.002 THEN 'received' WHEN age < 0.01 THEN 'handed_over' ELSE 'delivered' END AS status
     FROM (
       SELECT n, replace(gen_random_uuid()::text, '-', '') AS id, n::float8 / ($1::int * 2) AS age, random() AS luck,
         CASE n % 2 WHEN 0 THEN 'auth-bench' ELSE 'user-' || (1 + n / 2 % 40) END AS user_id,
         CASE n / 2 % 2 WHEN 0 THEN 'letter' ELSE 'postcard' END AS type, n / 2 % 10 = 9 AS test
       FROM generate_series(1, $1::int * 2) n
     ) drawn`,
    [pieces],
  );
  await client.query(
    `UPDATE made SET words = ' siobhan omalley dublin d02 af30 d02af30 ' WHERE n = $1::int * 2;`,
    [pieces],
  );
  await client.query(
    `INSERT INTO sends (id, user_id, actor_id, idempotency_key, request_hash, mail_type, cost, charged, state, method,
       path, url, request_headers, request_body, provider_id, answer_status, answer_text, recipient_name, recipient_key,
       search_text, created_at, settled_at, cancelled_at)
     SELECT id, user_id, user_id, id, md5(id), type, cost, cost, CASE status WHEN 'cancelled' THEN 'cancelled' ELSE 'accepted' END,
       'POST', type || 's/create', '${BASE_URL}/' || type || 's/create', '{"content-type":"application/json"}',
       '{"size":"4x6","message":"' || repeat('Dear reader. ', 20) || '"}', provider_id, 200,
       '{"success":true,"data":{"id":' || provider_id || ',"status":"received"}}', 'Person ' || n, md5(n::text), '',
       created_at, created_at, CASE status WHEN 'cancelled' THEN created_at END
     FROM made WHERE NOT test;
     INSERT INTO mail_items (id, user_id, actor_id, send_id, type, preset, method, path, base_url, provider_id, addressee,
       search_text, status, status_rank, status_at, test, is_cancelled, cancelled_at, cancellation_reason, provider_cost,
       country, created_at)
     SELECT id, user_id, user_id, CASE WHEN NOT test THEN id END, type, type || 's.create', 'POST', type || 's/create',
       '${BASE_URL}', CASE WHEN test THEN '0' ELSE provider_id END, 'Person ' || n, words, status,
       CASE status WHEN 'cancelled' THEN 80 WHEN 'returned' THEN 70 WHEN 'received' THEN 10 WHEN 'handed_over' THEN 40
         WHEN 'delivered' THEN 60 ELSE 0 END, created_at + interval '4 days', test, status = 'cancelled',
       CASE status WHEN 'cancelled' THEN created_at END, CASE status WHEN 'cancelled' THEN 'Cancelled by bench' END,
       cost * 0.81, (ARRAY['US', 'GB', 'CA', 'AU'])[1 + n % 4], created_at
     FROM made;
     INSERT INTO mail_events (item_id, status, source, at)
     SELECT id, s.status, s.source, created_at FROM made
     CROSS JOIN LATERAL (VALUES ('received', 'send'), ('producing', 'webhook'), (made.status, 'refresh')) AS s(status, source)
     WHERE NOT test ON CONFLICT DO NOTHING;
     INSERT INTO mail_recipients (id, user_id, base_url, recipient_id, name, email, is_verified, created_at, search_text)
     SELECT md5(user_id || ' ' || n), user_id, '${BASE_URL}', CASE WHEN n % 3 > 0 THEN (20000000 + n)::text END, 'Person ' || n,
       'p' || n || '@example.com', n % 3 > 0, created_at, words
     FROM made;
     WITH entries AS (
       SELECT user_id, 'purchase' AS type, 100 AS change, 'checkout' AS cause, 'checkout-' || id AS cause_key,
         NULL AS mail_type, NULL AS piece, created_at AS at FROM made WHERE n / 2 % 49 = 0
       UNION ALL SELECT user_id, 'debit', -cost, 'send', id, type, id, created_at FROM made WHERE NOT test
       UNION ALL SELECT user_id, 'refund', cost, 'refund', id, type, id, least(created_at + interval '1 hour', now())
         FROM made WHERE status = 'cancelled'
     ), reached AS (
       SELECT e.*, o.balance + sum(change) OVER (PARTITION BY user_id ORDER BY at, type <> 'purchase') AS balance
       FROM entries e JOIN (SELECT DISTINCT ON (user_id) user_id, balance_after AS balance FROM credit_transactions
         ORDER BY user_id, id DESC) o USING (user_id)
     )
     INSERT INTO credit_transactions (user_id, transaction_type, amount, balance_before, balance_after, description,
       actor_id, cause, cause_key, mail_type, reference_response_id, created_at)
     SELECT user_id, type, abs(change), balance - change, balance,
       CASE cause WHEN 'send' THEN initcap(mail_type) || ' mailed' WHEN 'refund' THEN initcap(mail_type) || ' cancelled' ELSE cause END, user_id, cause, cause_key, mail_type,
       piece, at FROM reached ORDER BY at, type <> 'purchase';
     INSERT INTO checkout_sessions (id, user_id, actor_id, credits, amount_cents, currency, state, success_url, cancel_url,
       created_at, closed_at)
     SELECT cause_key, user_id, user_id, 100, 999, 'usd', 'completed', '/', '/', created_at, created_at
     FROM credit_transactions WHERE cause = 'checkout';
     DROP TABLE made`,
  );
}

/** Creates indexes after the rows, as a restore does. */
async function fillResponses(client: pg.Client, rows: number): Promise<void> {
  // Most calls only read, so those presets have more rows. Bodies have 1 to 8 KB.
  const pool = PRESETS.flatMap(({ categoryId, id, method, path, label, exampleResponse }, index) =>
    Array.from({ length: method === "GET" ? 6 : 1 + (index % 3) }, (_, size) => ({
      preset: id,
      category: categoryId,
      method,
      path,
      named: `${formatCategory(categoryId)}\n${label}`,
      body: JSON.stringify({ success: true, data: Array(2 + size * 2).fill(exampleResponse) }),
    })),
  );
  await client.query(
    `CREATE TEMP TABLE pool AS SELECT row_number() OVER () AS p, e.* FROM jsonb_to_recordset($1::jsonb)
       AS e(preset text, category text, method text, path text, named text, body text)`,
    [JSON.stringify(pool)],
  );
  await client.query("CREATE UNIQUE INDEX ON pool (p); ANALYZE pool");
  const indexes = await client.query<{ name: string; definition: string }>(
    `SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid IN ('responses'::regclass, 'response_words'::regclass) AND NOT i.indisprimary`,
  );
  for (const { name } of indexes.rows) await client.query(`DROP INDEX "${name}"`);
  for (let from = 1; from <= rows; from += BATCH_ROWS) {
    await client.query(
      `WITH drawn AS MATERIALIZED (
         SELECT n, replace(gen_random_uuid()::text, '-', '') AS id, 'user-' || (1 + floor(40 * power(random(), 2))) AS user_id,
           1 + floor(random() * ${pool.length})::int AS p, random() AS luck, random() AS fate,
           now() - interval '365 days' * (1 - n::float8 / $3::int) AS created_at
         FROM generate_series($1::int, $2::int) n
       ), made AS MATERIALIZED (
         SELECT drawn.*, category, preset, named, method, replace(path, '{id}', (1000 + n)::text) AS path, body,
           CASE WHEN luck < 0.84 THEN 200 WHEN luck < 0.89 THEN 201 WHEN luck < 0.93 THEN 400 WHEN luck < 0.96 THEN 404
             WHEN luck < 0.98 THEN 429 WHEN luck < 0.997 THEN 503 END AS status,
           CASE WHEN n % ($3::int / 20) = 0 THEN ARRAY['${RARE_WORD}'] WHEN fate < 0.7 THEN ARRAY['auto-saved']
             WHEN fate < 0.9 THEN ARRAY['campaign-' || (n % 200), 'checked'] ELSE ARRAY['for ' || left(md5(n::text), 6)] END AS tags
         FROM drawn JOIN pool USING (p)
       ), stored AS (
         INSERT INTO responses (id, user_id, actor_id, kind, endpoint_category, endpoint_preset, method, path, status_code,
           duration_ms, tags, search_text, created_at)
         SELECT id, user_id, user_id, 'auto', category, preset, method, path, status, 20 + n % 400, tags,
           lower(concat_ws(chr(10), path, method, category, preset, named, array_to_string(tags, chr(10)))), created_at FROM made
       ), found AS (
         INSERT INTO response_words (response_id, created_at, words, is_complete)
         SELECT id, created_at, ' success portland ' || n || ' ' ||
           (SELECT string_agg(${WORD("re", "n * 31 + m * m * 977")}, ' ') FROM generate_series(1, 12) m) || ' ', true FROM made
       )
       INSERT INTO response_bodies (response_id, request_data, response_data, response_headers)
       SELECT id, '{"base":"US","method":"' || method || '","path":"' || path || '","query":{},"headers":{},"body":null}',
         replace(body, '{"success":true', '{"success":true,"ref":' || n), '{"content-type":"application/json"}' FROM made`,
      [from, Math.min(from + BATCH_ROWS - 1, rows), rows],
    );
  }
  for (const { definition } of indexes.rows) await client.query(definition);
  await client.query(
    `INSERT INTO response_counters (status, shard, total)
       SELECT coalesce(status_code, 0), abs(hashtext(id)) % 16, count(*) FROM responses GROUP BY 1, 2;
     INSERT INTO response_hours (hour, status, shard, total)
       SELECT date_trunc('hour', created_at, 'UTC'), coalesce(status_code, 0), abs(hashtext(id)) % 4, count(*)
       FROM responses GROUP BY 1, 2, 3`,
  );
}
