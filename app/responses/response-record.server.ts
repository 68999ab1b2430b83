import { randomUUID } from "node:crypto";
import { formatCategory } from "~/catalogue/categories";
import { formatPreset } from "~/catalogue/presets";
import type { BackgroundTask } from "~/platform/background-runner.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { dropAccents } from "~/platform/search-words";
import { Prisma } from "../../prisma/client/client";
import { loadMailFacts, type MailFacts, NO_MAIL } from "./mail-facts.server";
import { writeResponseWords } from "./response-words";

/** A response to be stored. Secrets are masked and files stripped already. */
export interface NewResponse {
  id: string;
  /** The owner. */
  userId: string;
  /** The person who sent or saved it. */
  actorId: string;
  kind: "auto" | "manual";
  category: string;
  preset: string;
  method: string;
  path: string;
  statusCode: number | null;
  durationMs: number | null;
  tags: string[];
  /** The live piece that it belongs to. */
  sendId: string | null;
  /** JSON texts. */
  requestText: string | null;
  responseText: string | null;
  /** The body, if `responseText` does not determine its bytes. */
  responseBytes?: Uint8Array | null;
  headersText: string;
  /** Time of the answer by `performance.now()`; now when absent. */
  since?: number | undefined;
}

/** Rows per status in the counters, so that 16 parallel writers rarely wait for each other. */
const SHARDS = 16;
/** Fewer per hour, because charts read hundreds of hours. */
const HOUR_SHARDS = 4;

/** Creates an ID in the form of the IDs of pieces. */
export function createResponseId(): string {
  return randomUUID().replaceAll("-", "");
}

/** The result of storing a response. `known` is false, and nothing is stored, when its user does not exist. */
export interface Inserted {
  inserted: boolean;
  known: boolean;
}

/** Stores a response with its bodies and counts it. If its ID or piece is stored already, nothing changes. */
export async function insertResponse(db: Db, response: NewResponse): Promise<Inserted> {
  const [stored] = await insertResponses(db, [response]);
  return stored ?? { inserted: false, known: false };
}

/**
 * Stores several responses as {@link insertResponse} does, in one statement, in their order.
 * @param responses with distinct IDs
 */
export async function insertResponses(db: Db, responses: readonly NewResponse[]): Promise<Inserted[]> {
  const facts: MailFacts[] = [];
  for (const response of responses) facts.push(await loadMailFacts(db, response));
  const rows = await db.$queryRaw<(Inserted & { id: string })[]>`
    WITH given (id, user_id, actor_id, kind, category, preset, method, path, status_code, duration_ms, tags,
      search_text, send_id, request_data, response_data, response_headers, response_bytes, age_ms,
      words, is_complete, mode, addressee) AS (
      VALUES ${Prisma.join(responses.map((response, index) => toRow(response, facts[index] ?? NO_MAIL)))}
    ), fresh AS (
      INSERT INTO responses (id, user_id, actor_id, kind, endpoint_category, endpoint_preset, method, path,
        status_code, duration_ms, tags, search_text, send_id, created_at, mode, addressee)
      SELECT g.id, u.id, g.actor_id, g.kind, g.category, g.preset, g.method, g.path, g.status_code, g.duration_ms,
        g.tags, g.search_text, g.send_id, now() - g.age_ms * interval '1 ms',
        g.mode, g.addressee
      FROM given g JOIN users u ON u.id = g.user_id
      ON CONFLICT DO NOTHING RETURNING id, status_code, created_at
    ), body AS (
      INSERT INTO response_bodies (response_id, request_data, response_data, response_headers, response_bytes)
      SELECT g.id, g.request_data, g.response_data, g.response_headers, g.response_bytes
      FROM given g JOIN fresh f ON f.id = g.id
    ), words AS (
      INSERT INTO response_words (response_id, created_at, words, is_complete)
      SELECT f.id, f.created_at, g.words, g.is_complete FROM given g JOIN fresh f ON f.id = g.id
    ), ${countResponses("fresh", 1)}
    SELECT g.id, f.id IS NOT NULL AS inserted, u.id IS NOT NULL AS known
    FROM given g LEFT JOIN fresh f ON f.id = g.id LEFT JOIN users u ON u.id = g.user_id`;
  const byId = new Map(rows.map(({ id, inserted, known }) => [id, { inserted, known }]));
  return responses.map(({ id }) => byId.get(id) ?? { inserted: false, known: false });
}

function toRow(response: NewResponse, { mode, addressee, words }: MailFacts): Prisma.Sql {
  const { id, userId, actorId, kind, category, preset, method, path, tags, sendId } = response;
  const found = writeResponseWords(response.requestText, response.responseText);
  const ageMs = response.since === undefined ? 0 : Math.round(performance.now() - response.since);
  return Prisma.sql`(${id}::text, ${userId}::text, ${actorId}::text, ${kind}::text, ${category}::text,
    ${preset}::text, ${method}::text, ${path}::text, ${response.statusCode}::int, ${response.durationMs}::int,
    ${tags}::text[], ${buildSearchText(response) + writeRecipientWords(words)}::text, ${sendId}::text, ${response.requestText}::text,
    ${response.responseText}::text, ${response.headersText}::text, ${response.responseBytes ?? null}::bytea, ${ageMs}::int,
    ${found.words}::text, ${found.isComplete}::boolean, ${mode}::text, ${addressee}::text)`;
}

/**
 * Writes the parts of a statement that count the responses of its part `source` up or down, always in the same order,
 * so that two statements cannot deadlock.
 * @param source has `status_code` and `created_at`
 */
export function countResponses(source: "fresh" | "gone", change: 1 | -1): Prisma.Sql {
  const shard = Math.floor(Math.random() * SHARDS);
  const from = Prisma.raw(source);
  return Prisma.sql`counter AS (
      INSERT INTO response_counters (status, shard, total)
      SELECT coalesce(status_code, 0), ${shard}::int, ${change}::int * count(*) FROM ${from} GROUP BY 1 ORDER BY 1
      ON CONFLICT (status, shard) DO UPDATE SET total = response_counters.total + excluded.total
    ), hour AS (
      INSERT INTO response_hours (hour, status, shard, total)
      SELECT date_trunc('hour', created_at, 'UTC'), coalesce(status_code, 0),
        ${shard % HOUR_SHARDS}::int, ${change}::int * count(*)
      FROM ${from} GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (hour, status, shard) DO UPDATE SET total = response_hours.total + excluded.total
    )`;
}

/**
 * Writes the recipient's words for the end of a search text, as spelled and without accents. The separator before
 * them appears nowhere else, so that an erasure can cut them off.
 */
function writeRecipientWords(words: readonly string[]): string {
  const spelled = words.map((word) => word.toLowerCase());
  const spellings = [...new Set([...spelled, ...spelled.map(dropAccents)])];
  return spellings.length === 0 ? "" : `\u001f${spellings.join("\n")}`;
}

/**
 * Builds the search text: path, method, tags, and category and preset by ID and name, each on its own line, so that
 * no match spans two.
 */
export function buildSearchText({
  path,
  method,
  category,
  preset,
  tags,
}: Pick<NewResponse, "path" | "method" | "category" | "preset" | "tags">): string {
  const named = [formatCategory(category), formatPreset(preset)];
  return [path, method, category, preset, ...named, ...tags]
    .join("\n")
    .toLowerCase()
    .replaceAll("\u001f", " ");
}

/** Small, because each row changes the index of search texts. */
const BATCH_SIZE = 50;

type Undescribed = Pick<NewResponse, "id" | "path" | "sendId" | "requestText" | "responseText">;

/**
 * Reads mode and recipient of letters and postcards that were stored before these were, the newest first. Idempotent.
 * Skips erased requests.
 */
export const describeResponses: BackgroundTask<Undescribed> = {
  name: "describe_responses",
  batchSize: BATCH_SIZE,
  atOnce: 1,
  claim: (limit) =>
    withDatabase(
      (db) => db.$queryRaw<Undescribed[]>`
        SELECT r.id, r.path, r.send_id AS "sendId", b.request_data AS "requestText", b.response_data AS "responseText"
        FROM (
          SELECT id, path, send_id, created_at FROM responses
          WHERE NOT described AND endpoint_category IN ('letters', 'postcards')
          ORDER BY created_at DESC, id DESC LIMIT ${limit}::int
        ) r LEFT JOIN response_bodies b ON b.response_id = r.id`,
    ),
  work: (row) =>
    withDatabase(async (db) => {
      const { mode, addressee, words } = await loadMailFacts(db, row);
      // Writes no recipient if an erasure has emptied the request.
      await db.$executeRaw`
        UPDATE responses r SET described = true, mode = coalesce(mode, ${mode}::text),
          addressee = CASE WHEN kept THEN ${addressee}::text END,
          search_text = CASE WHEN kept THEN split_part(search_text, chr(31), 1) || ${writeRecipientWords(words)}::text
            ELSE search_text END
        FROM (SELECT ${row.requestText}::text IS NOT NULL AND EXISTS (SELECT 1 FROM response_bodies
          WHERE response_id = ${row.id} AND request_data IS NOT NULL) AS kept) s
        WHERE r.id = ${row.id} AND NOT r.described`;
    }),
};
