import type pg from "pg";
import { fillMail } from "./fill-mail";

/** What the search is measured on: letters and postcards to people with names and places, and the words of responses. */

const BATCH_ROWS = 100_000;
/** Pieces for each hundred responses. */
const PIECES_PER_HUNDRED = 10;
/** Words made of syllables: `from` names of one kind. */
const WORD = (salt: string, from: string) =>
  `'${salt}' || translate(left(md5('${salt}' || (${from})::text), 5), '0123456789', 'klmnoprstu')`;

/**
 * Fills an empty database whose tables are there: so many responses with words of their values, a tenth as many pieces of
 * one user and of all others each, with their recipients. One person is `siobhan omalley`; every twentieth lives in
 * Portland.
 */
export async function fillFind(client: pg.Client, rows: number, say: (line: string) => void): Promise<void> {
  await fillMail(
    client,
    { rows: (rows / 200) * PIECES_PER_HUNDRED, baseUrl: "https://api-us1.stannp.com/v1" },
    say,
  );
  say("texts of pieces and recipients");
  const text = `' ' || ${WORD("ma", "abs(hashtext(id)) % 400")} || ' ' || ${WORD("lo", "abs(hashtext(id || 'l')) % 4000")} || ' ' ||
    CASE WHEN abs(hashtext(id)) % 20 = 0 THEN 'portland' ELSE ${WORD("vi", "abs(hashtext(id || 'c')) % 800")} END || ' ' ||
    (10000 + abs(hashtext(id || 'p')) % 90000) || ' '`;
  for (const table of ["mail_items", "mail_recipients"]) {
    await client.query(`UPDATE ${table} SET search_text = ${text}`);
    await client.query(
      `UPDATE ${table} SET search_text = ' siobhan omalley dublin d02 af30 d02af30 '
       WHERE id = (SELECT id FROM ${table} ORDER BY created_at LIMIT 1)`,
    );
  }
  await client.query("UPDATE sends SET search_text = ''");
  await client.query("UPDATE users SET search_text = ' ' || lower(display_name) || ' '");
  await fillWords(client, rows, say);
  await client.query("VACUUM ANALYZE");
}

async function fillWords(client: pg.Client, rows: number, say: (line: string) => void): Promise<void> {
  await client.query("DROP INDEX response_words_idx");
  const definition = `CREATE INDEX response_words_idx ON response_words
    USING gin (array_to_tsvector(string_to_array(btrim(words), ' '))) WITH (gin_pending_list_limit = 256) WHERE words IS NOT NULL`;
  for (let from = 1; from <= rows; from += BATCH_ROWS) {
    await client.query(
      `WITH fresh AS (
         INSERT INTO responses (id, user_id, actor_id, kind, endpoint_category, endpoint_preset, method, path, status_code,
           duration_ms, tags, search_text, created_at)
         SELECT 'response' || n, 'user-' || (1 + n % 40), 'user-1', 'auto', 'postcards', 'postcards.list', 'GET', 'postcards/list',
           200, 40, '{}', '', now() - interval '365 days' * (1 - n::float8 / $3::int)
         FROM generate_series($1::int, $2::int) n RETURNING id, created_at, substr(id, 9)::int AS n
       )
       INSERT INTO response_words (response_id, created_at, words)
       SELECT id, created_at, ' success portland ' || n || ' ' || (SELECT string_agg(${WORD("re", "n * 31 + m * m * 977")}, ' ')
         FROM generate_series(1, 30) m) || ' ' FROM fresh`,
      [from, Math.min(from + BATCH_ROWS - 1, rows), rows],
    );
    say(`${Math.min(from + BATCH_ROWS - 1, rows)} of ${rows} responses`);
  }
  say("index of words");
  await client.query("SET maintenance_work_mem = '512MB'");
  await client.query(definition);
}
