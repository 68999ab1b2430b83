import { randomUUID } from "node:crypto";
import { formatCategory } from "~/catalogue/categories";
import { formatPreset } from "~/catalogue/presets";
import { isTestValue, parseInlineRecipient } from "~/outside/mail-provider/request-fields";
import type { BackgroundTask } from "~/platform/background-runner.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { dropAccents } from "~/platform/search-words";
import { formatName, formatPlace, parseAddressee, selectText } from "~/recipients/addressee.server";
import { Prisma, type StoredResponse } from "../../prisma/client/client";
import { writeResponseWords } from "./search/response-words.server";
import type { ResponseMode } from "./stored-response";

type Stored = "id" | "userId" | "actorId" | "method" | "path" | "statusCode" | "durationMs" | "tags";

/** A response of `userId` to be stored. Secrets are masked and files stripped already. */
export interface NewResponse extends Pick<StoredResponse, Stored> {
  kind: "auto" | "manual";
  category: string;
  preset: string;
  /** The live piece that it belongs to. */
  sendId: string | null;
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

/**
 * Stores a response with its bodies and counts it. If its ID or piece is stored already, nothing changes. False, and
 * nothing is stored, when its user does not exist.
 */
export async function insertResponse(db: Db, response: NewResponse): Promise<boolean> {
  return (await insertResponses(db, [response])).length > 0;
}

/**
 * Stores several responses as {@link insertResponse} does, in one statement. Returns the IDs of those whose users exist.
 * @param responses with distinct IDs
 */
export async function insertResponses(db: Db, responses: readonly NewResponse[]): Promise<string[]> {
  const facts: MailFacts[] = [];
  for (const response of responses) facts.push(await loadMailFacts(db, response));
  const known = await db.$queryRaw<{ id: string }[]>`
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
    SELECT g.id FROM given g JOIN users u ON u.id = g.user_id`;
  return known.map(({ id }) => id);
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

export type SearchedFields = Pick<NewResponse, "path" | "method" | "category" | "preset" | "tags">;

/**
 * Builds the search text: path, method, tags, and category and preset by ID and name, each on its own line, so that
 * no match spans two.
 */
export function buildSearchText({ path, method, category, preset, tags }: SearchedFields): string {
  const named = [formatCategory(category), formatPreset(preset)];
  const lines = [path, method, category, preset, ...named, ...tags];
  return lines.join("\n").toLowerCase().replaceAll("\u001f", " ");
}

type MailCall = Pick<NewResponse, "path" | "sendId" | "requestText" | "responseText">;

interface MailFacts {
  mode: ResponseMode | null;
  /** "Ana Lopez", else company or place, else "Recipient 1001"; null without a recipient. */
  addressee: string | null;
  /** Search words of the recipient: name, company, city and postcode, each on its line. */
  words: string[];
}

const NO_MAIL: MailFacts = { mode: null, addressee: null, words: [] };
const CREATES_MAIL = /^(?:letters|postcards)\/(?:create|post)(?:\.json)?$/i;

/** Parses a stored response that may have made mail. Looks up a recipient who is named by an ID alone. */
async function loadMailFacts(db: Db, call: MailCall): Promise<MailFacts> {
  if (!CREATES_MAIL.test(call.path.trim())) return NO_MAIL;
  const request = parseRecord(parseJson(call.requestText ?? ""));
  const body = parseRecord(request.body);
  const answer = parseRecord(parseRecord(parseJson(call.responseText ?? "")).data);
  const { recipientId } = parseAddressee(body);
  // The answer to live mail has the details of a recipient who was named by an ID.
  const details = recipientId === null ? parseInlineRecipient(body) : answer;
  const found = formatName(details) ?? (recipientId && (await findName(db, recipientId, request.base)));
  const company = selectText(details, "company");
  const place = formatPlace(details);
  const named = found || company || place || (recipientId && `Recipient ${recipientId}`) || null;
  return {
    mode: findMode(call, body),
    addressee: named,
    words: [...new Set([named, company, place].filter((word): word is string => Boolean(word)))],
  };
}

/** Null when the request was not stored. */
function findMode({ sendId }: MailCall, body: Record<string, unknown>): ResponseMode | null {
  if (sendId !== null) return "live";
  if (Object.keys(body).length === 0) return null;
  return isTestValue(body.test) ? "test" : "live";
}

async function findName(db: Db, recipientId: string, label: unknown): Promise<string | null> {
  const { baseUrls } = env();
  const base = baseUrls.find((one) => one.label === label) ?? baseUrls[0];
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT name FROM mail_recipients WHERE base_url = ${base.url} AND recipient_id = ${recipientId}
      AND deleted_at IS NULL LIMIT 1`;
  return rows[0]?.name ?? null;
}

type Undescribed = MailCall & { id: string };

/**
 * Reads mode and recipient of letters and postcards that were stored before these were, the newest first. Idempotent.
 * Skips erased requests.
 */
export const describeResponses: BackgroundTask<Undescribed> = {
  name: "describe_responses",
  // Small, because each row changes the index of search texts.
  batchSize: 50,
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
