import { randomUUID } from "node:crypto";
import { formatCategory } from "~/catalogue/categories";
import { formatPreset } from "~/catalogue/presets";
import type { Db } from "~/platform/database/client";
import { Prisma } from "../../prisma/client/client";

/** A response to be stored. Secrets are masked and files stripped already. */
export interface NewResponse {
  id: string;
  /** Whose it is. */
  userId: string;
  /** Who sent or saved it. */
  actorId: string;
  kind: "auto" | "manual";
  category: string;
  preset: string;
  method: string;
  path: string;
  statusCode: number | null;
  durationMs: number | null;
  tags: string[];
  /** The live piece whose response it is. */
  sendId: string | null;
  /** JSON texts. */
  requestText: string | null;
  responseText: string | null;
  headersText: string;
}

/** Rows per status in the counters, so that 16 parallel writers rarely wait for each other. */
const SHARDS = 16;
/** Fewer per hour, because charts read hundreds of hours. */
const HOUR_SHARDS = 4;

/** In the same form as the IDs of pieces. */
export function createResponseId(): string {
  return randomUUID().replaceAll("-", "");
}

/**
 * Stores a response with its bodies and counts it, in one statement. If its ID or piece is stored already, nothing
 * changes. `known` is false, and nothing is stored, when the user does not exist.
 */
export async function insertResponse(
  db: Db,
  response: NewResponse,
): Promise<{ inserted: boolean; known: boolean }> {
  const { id, userId, sendId } = response;
  const rows = await db.$queryRaw<{ inserted: boolean; known: boolean }[]>`
    WITH fresh AS (
      INSERT INTO responses (id, user_id, actor_id, kind, endpoint_category, endpoint_preset, method, path,
        status_code, duration_ms, tags, search_text, send_id)
      SELECT ${id}, u.id, ${response.actorId}, ${response.kind}, ${response.category}, ${response.preset},
        ${response.method}, ${response.path}, ${response.statusCode}::int, ${response.durationMs}::int,
        ${response.tags}::text[], ${buildSearchText(response)}, ${sendId}::text
      FROM users u WHERE u.id = ${userId}
      ON CONFLICT DO NOTHING RETURNING id, status_code, created_at
    ), body AS (
      INSERT INTO response_bodies (response_id, request_data, response_data, response_headers)
      SELECT id, ${response.requestText}::text, ${response.responseText}::text, ${response.headersText} FROM fresh
    ), ${countResponses("fresh", 1)}
    SELECT EXISTS (SELECT 1 FROM fresh) AS inserted, EXISTS (SELECT 1 FROM users WHERE id = ${userId}) AS known`;
  const { inserted = false, known = false } = rows[0] ?? {};
  return { inserted, known };
}

/**
 * The parts of a statement that count the responses of its part `source` up or down. The order is always the same, so
 * that two statements cannot deadlock.
 * @param source has `status_code` and `created_at`, one row
 */
export function countResponses(source: "fresh" | "gone", change: 1 | -1): Prisma.Sql {
  const shard = Math.floor(Math.random() * SHARDS);
  const from = Prisma.raw(source);
  return Prisma.sql`counter AS (
      INSERT INTO response_counters (status, shard, total)
      SELECT coalesce(status_code, 0), ${shard}::int, ${change}::int FROM ${from}
      ON CONFLICT (status, shard) DO UPDATE SET total = response_counters.total + ${change}::int
    ), hour AS (
      INSERT INTO response_hours (hour, status, shard, total)
      SELECT date_trunc('hour', created_at, 'UTC'), coalesce(status_code, 0),
        ${shard % HOUR_SHARDS}::int, ${change}::int
      FROM ${from}
      ON CONFLICT (hour, status, shard) DO UPDATE SET total = response_hours.total + ${change}::int
    )`;
}

/**
 * What a search looks through besides the user's name: path, method, tags, and category and preset by ID and name.
 * Each is on a line of its own, so that no match spans two.
 */
function buildSearchText({ path, method, category, preset, tags }: NewResponse): string {
  const named = [formatCategory(category), formatPreset(preset)];
  return [path, method, category, preset, ...named, ...tags].join("\n").toLowerCase();
}
