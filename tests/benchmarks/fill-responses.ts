import type pg from "pg";
import { formatCategory } from "~/catalogue/categories";
import { PRESETS } from "~/catalogue/presets";

/** A year of a team's stored responses, as the product would have kept them. */

const USERS = 40;
const BATCH_ROWS = 20_000;
const BODIES_PER_PRESET = 5;
/** Statuses by their share of a thousand; null is without an answer. */
const STATUSES: [number | null, number][] = [
  [200, 840],
  [201, 50],
  [400, 35],
  [404, 30],
  [401, 10],
  [422, 10],
  [429, 10],
  [500, 6],
  [503, 6],
  [null, 3],
];
/** Twenty rows in all have it. */
export const RARE_WORD = "needle-haystack";

/**
 * Fills an empty database whose tables are there. Indexes are made after the rows, as a restore does.
 * @param say is told how far it is
 */
export async function fillResponses(
  client: pg.Client,
  rows: number,
  say: (line: string) => void,
): Promise<void> {
  await client.query("SET maintenance_work_mem = '512MB'; SET synchronous_commit = off; SELECT setseed(0.5)");
  await client.query(
    "INSERT INTO users (id, display_name, username) SELECT 'user-' || n, 'Person ' || n, 'person' || n FROM generate_series(1, $1::int) n",
    [USERS],
  );
  await makePools(client);
  const restoreIndexes = await dropIndexes(client);
  for (let from = 1; from <= rows; from += BATCH_ROWS) {
    await fillBatch(client, from, Math.min(from + BATCH_ROWS - 1, rows), rows);
    if ((from - 1) % (BATCH_ROWS * 10) === 0) say(`${from - 1 + BATCH_ROWS} of ${rows} rows`);
  }
  say("indexes and counters");
  await restoreIndexes();
  await client.query(`
    INSERT INTO response_counters (status, shard, total)
    SELECT coalesce(status_code, 0), abs(hashtext(id)) % 16, count(*) FROM responses GROUP BY 1, 2`);
  await client.query(`
    INSERT INTO response_hours (hour, status, shard, total)
    SELECT date_trunc('hour', created_at, 'UTC'), coalesce(status_code, 0), abs(hashtext(id)) % 4, count(*)
    FROM responses GROUP BY 1, 2, 3`);
  await client.query("VACUUM ANALYZE");
}

/** What rows are put together from: presets by weight, statuses by share, bodies of a few KB. */
async function makePools(client: pg.Client): Promise<void> {
  // Listing and looking is most of the work; the first presets of a category are its lists.
  const presets = PRESETS.flatMap((preset, index) =>
    Array.from({ length: preset.method === "GET" ? 6 : 1 + (index % 3) }, () => preset),
  );
  await client.query(
    "CREATE TEMP TABLE preset_pool AS SELECT n, d->>'c' AS category, d->>'i' AS id, d->>'m' AS method, d->>'p' AS path, d->>'n' AS named FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS e(d, n)",
    [
      JSON.stringify(
        presets.map(({ categoryId, id, method, path, label }) => {
          const named = `${formatCategory(categoryId)}\n${label}`;
          return { c: categoryId, i: id, m: method, p: path, n: named };
        }),
      ),
    ],
  );
  await client.query("CREATE UNIQUE INDEX ON preset_pool (n)");
  const bodies = PRESETS.flatMap(({ exampleResponse }) =>
    Array.from({ length: BODIES_PER_PRESET }, (_, size) =>
      writeBody(exampleResponse ?? { success: true }, size),
    ),
  );
  await client.query(
    "CREATE TEMP TABLE body_pool AS SELECT n, b AS body FROM unnest($1::text[]) WITH ORDINALITY AS e(b, n)",
    [bodies],
  );
  await client.query("CREATE UNIQUE INDEX ON body_pool (n)");
  const statuses = STATUSES.flatMap(([status, share]) => Array.from({ length: share }, () => status));
  await client.query(
    "CREATE TEMP TABLE status_pool AS SELECT n, s AS status FROM unnest($1::int[]) WITH ORDINALITY AS e(s, n)",
    [statuses],
  );
  await client.query("CREATE UNIQUE INDEX ON status_pool (n)");
}

/** 1 to 8 KB of JSON. */
function writeBody(example: unknown, size: number): string {
  const rows = Array.from({ length: 2 + size * 3 }, (_, n) => ({
    n,
    note: `row ${n * 7919} of ${size}`,
    example,
  }));
  return JSON.stringify({ success: true, data: rows });
}

async function fillBatch(client: pg.Client, from: number, to: number, rows: number): Promise<void> {
  await client.query(
    `WITH drawn AS MATERIALIZED (
       SELECT n, replace(gen_random_uuid()::text, '-', '') AS id,
         1 + floor(${USERS} * power(random(), 2))::int AS person,
         1 + floor((SELECT count(*) FROM preset_pool) * random())::int AS preset,
         1 + floor((SELECT count(*) FROM status_pool) * random())::int AS status,
         1 + floor((SELECT count(*) FROM body_pool) * random())::int AS body,
         random() AS luck
       FROM generate_series($1::int, $2::int) n
     ), made AS MATERIALIZED (
       SELECT d.n, d.id, d.person, p.category, p.id AS preset, p.named, p.method,
         replace(p.path, '{id}', (1000 + d.n)::text) AS path, s.status, b.body,
         CASE WHEN d.n % ($3::int / 20) = 0 THEN ARRAY['${RARE_WORD}']
              WHEN d.luck < 0.7 THEN ARRAY['auto-saved']
              WHEN d.luck < 0.9 THEN ARRAY['campaign-' || (d.n % 200), 'checked']
              ELSE ARRAY['for ' || left(md5(d.n::text), 6)] END AS tags,
         now() - interval '365 days' * (1 - d.n::float8 / $3::int) AS created_at
       FROM drawn d JOIN preset_pool p ON p.n = d.preset JOIN status_pool s ON s.n = d.status
         JOIN body_pool b ON b.n = d.body
     ), kept AS (
       INSERT INTO responses (id, user_id, actor_id, kind, endpoint_category, endpoint_preset, method, path,
         status_code, duration_ms, tags, search_text, created_at)
       SELECT id, 'user-' || person, 'user-' || person, 'auto', category, preset, method, path, status, 20 + n % 400,
         tags, lower(concat_ws(chr(10), path, method, category, preset, named, array_to_string(tags, chr(10)))), created_at
       FROM made
     )
     INSERT INTO response_bodies (response_id, request_data, response_data, response_headers)
     SELECT id, '{"base":"US","method":"' || method || '","path":"' || path || '","query":{},"headers":{},"body":null}',
       replace(body, '{"success":true', '{"success":true,"ref":' || n), '{"content-type":"application/json","x-request-id":"' || id || '"}'
     FROM made`,
    [from, to, rows],
  );
}

async function dropIndexes(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = 'responses'::regclass AND NOT i.indisprimary`);
  for (const { name } of rows) await client.query(`DROP INDEX "${name}"`);
  return async () => {
    for (const { definition } of rows) await client.query(definition);
  };
}
