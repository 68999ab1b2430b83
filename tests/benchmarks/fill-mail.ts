import type pg from "pg";

/** A year of one user's mail among forty others', as the product would have kept it. */

const OTHERS = 40;
/** Status words from the newest piece to the oldest: up to which share of the year, and their ranks. */
const STATUS = `CASE WHEN luck < 0.04 THEN 'cancelled' WHEN luck < 0.05 THEN 'returned' WHEN age < 0.002 THEN 'received'
  WHEN age < 0.005 THEN 'producing' WHEN age < 0.01 THEN 'handed_over' WHEN age < 0.02 THEN 'local_delivery'
  ELSE 'delivered' END`;
const RANK = `CASE status WHEN 'cancelled' THEN 80 WHEN 'returned' THEN 70 WHEN 'received' THEN 10
  WHEN 'producing' THEN 20 WHEN 'handed_over' THEN 40 WHEN 'local_delivery' THEN 50 WHEN 'delivered' THEN 60 ELSE 0 END`;

/**
 * Fills an empty database whose tables are there: so many items, recipients and ledger rows of `auth-bench`, and as many
 * of forty others. Every tenth item is a test. Balances are only as right as the tables' own checks ask.
 * @param say is told how far it is
 */
export async function fillMail(
  client: pg.Client,
  { rows, baseUrl }: { rows: number; baseUrl: string },
  say: (line: string) => void,
): Promise<void> {
  await client.query("SET synchronous_commit = off; SET work_mem = '128MB'; SELECT setseed(0.5)");
  await client.query(
    `INSERT INTO users (id, display_name, username) SELECT 'user-' || n, 'Person ' || n, 'person' || n FROM generate_series(1, $1::int) n
     UNION ALL SELECT 'auth-bench', 'bench', 'bench@example.com'`,
    [OTHERS],
  );
  await client.query("INSERT INTO credit_accounts (user_id, balance) SELECT id, 1000000 FROM users");
  await client.query(
    `CREATE TEMP TABLE made AS
     SELECT *, ${STATUS} AS status, now() - interval '365 days' * age AS created_at FROM (
       SELECT n, replace(gen_random_uuid()::text, '-', '') AS id, n::float8 / ($1::int * 2) AS age, random() AS luck,
         CASE n % 2 WHEN 0 THEN 'auth-bench' ELSE 'user-' || (1 + n / 2 % ${OTHERS}) END AS user_id,
         CASE n / 2 % 2 WHEN 0 THEN 'letter' ELSE 'postcard' END AS type, n / 2 % 10 = 9 AS test
       FROM generate_series(1, $1::int * 2) n
     ) drawn`,
    [rows],
  );
  await client.query("UPDATE made SET status = 'test' WHERE test");
  say("sends");
  await client.query(
    `INSERT INTO sends (id, user_id, actor_id, idempotency_key, request_hash, mail_type, cost, charged, state, method,
       path, url, request_headers, request_body, provider_id, answer_status, answer_text, recipient_name, recipient_key, search_text,
       created_at, settled_at, cancelled_at)
     SELECT id, user_id, user_id, id, md5(id), type, CASE type WHEN 'letter' THEN 2 ELSE 1 END,
       CASE type WHEN 'letter' THEN 2 ELSE 1 END, CASE status WHEN 'cancelled' THEN 'cancelled' ELSE 'accepted' END,
       'POST', type || 's/create', $1 || '/' || type || 's/create', '{"content-type":"application/json"}',
       '{"size":"4x6","message":"' || repeat('Dear reader. ', 20) || '","recipient":{"firstname":"Person","lastname":"' || n || '"}}',
       (10000000 + n)::text, 200, '{"success":true,"data":{"id":' || (10000000 + n) || ',"status":"received"}}',
       'Person ' || n, md5(n::text), ' person ' || n || ' ', created_at, created_at,
       CASE status WHEN 'cancelled' THEN created_at END
     FROM made WHERE NOT test`,
    [baseUrl],
  );
  say("items and events");
  await client.query(
    `INSERT INTO mail_items (id, user_id, actor_id, send_id, type, preset, method, path, base_url, provider_id,
       addressee, search_text, status, status_rank, status_at, test, is_cancelled, cancelled_at, cancellation_reason, created_at)
     SELECT id, user_id, user_id, CASE WHEN NOT test THEN id END, type, type || 's.create', 'POST', type || 's/create',
       $1, CASE WHEN test THEN '0' ELSE (10000000 + n)::text END, 'Person ' || n, ' person ' || n || ' ', status, ${RANK}, created_at, test,
       status = 'cancelled', CASE status WHEN 'cancelled' THEN created_at END,
       CASE status WHEN 'cancelled' THEN 'Cancelled by bench' END, created_at
     FROM made`,
    [baseUrl],
  );
  await client.query(
    `INSERT INTO mail_events (item_id, status, source, at)
     SELECT id, s.status, s.source, created_at FROM made
     CROSS JOIN LATERAL (VALUES ('received', 'send'), ('producing', 'webhook'), (made.status, 'refresh')) AS s(status, source)
     WHERE NOT test ON CONFLICT DO NOTHING`,
  );
  say("recipients and the ledger");
  await client.query(
    `INSERT INTO mail_recipients (id, user_id, base_url, recipient_id, name, email, is_verified, created_at, search_text)
     SELECT md5(user_id || ' ' || $1 || ' inline ' || md5(n::text)), user_id, $1,
       CASE WHEN n % 3 > 0 THEN (20000000 + n)::text END, 'Person ' || n, 'p' || n || '@example.com', n % 3 > 0, created_at,
       ' person ' || n || ' '
     FROM made`,
    [baseUrl],
  );
  await client.query(
    `INSERT INTO credit_transactions (user_id, transaction_type, amount, balance_before, balance_after, description,
       actor_id, cause, cause_key, mail_type, reference_response_id, created_at)
     SELECT user_id, 'purchase', 100, 1000000, 1000100, 'Bought by card', 'stripe', 'checkout', 'checkout-' || id, NULL,
       NULL, created_at
     FROM made WHERE n / 2 % 50 = 0
     UNION ALL
     (SELECT user_id, 'debit', CASE type WHEN 'letter' THEN 2 ELSE 1 END, 1000000,
       1000000 - CASE type WHEN 'letter' THEN 2 ELSE 1 END, type || ' mailed', user_id, 'send', id, type, id, created_at
     FROM made WHERE NOT test ORDER BY created_at)
     UNION ALL
     SELECT user_id, 'refund', CASE type WHEN 'letter' THEN 2 ELSE 1 END, 1000000,
       1000000 + CASE type WHEN 'letter' THEN 2 ELSE 1 END, type || ' cancelled', user_id, 'refund', id, type, id, created_at
     FROM made WHERE status = 'cancelled'`,
  );
  await client.query("DROP TABLE made");
  await client.query("VACUUM ANALYZE");
}
