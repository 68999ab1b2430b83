import { Prisma } from "../../prisma/client/client";
import type { StoredResponse } from "./stored-response.schema.server";

/** A stored response as the database returns it. Its bodies are JSON texts, undefined when they were not loaded. */
export interface ResponseRow
  extends Omit<StoredResponse, "created_at" | "cancelled_at" | "is_refused" | Body> {
  created_at: Date;
  cancelled_at: Date | null;
  is_refused?: boolean | null;
  request_data?: string | null;
  response_data?: string | null;
  response_headers?: string | null;
  response_bytes?: Uint8Array | null;
}

type Body = "request_data" | "response_data" | "response_headers" | "response_base64";

/** A page of a list, newest first. */
export interface ResponsePage {
  rows: ResponseRow[];
  /** Opaque; null on the last page. */
  nextCursor: string | null;
  /** Counted to 1,000, and for a common text or tag among the newest 5,000 rows; `more` means "at least". */
  matching: { count: number; more: boolean };
  /** The number of newest rows that were searched; null when all were. */
  searchedNewest: number | null;
}

/**
 * The columns of a stored response, from {@link JOIN_LISTED}. The cancelled flag comes from its piece; only a copy has one
 * of its own.
 */
export const LISTED_COLUMNS = Prisma.sql`
  r.id, r.user_id, u.display_name AS user_display_name, r.endpoint_category, r.endpoint_preset, r.method, r.path,
  r.status_code, r.duration_ms, r.tags, r.send_id, r.is_cancelled OR cancelled.id IS NOT NULL AS is_cancelled,
  coalesce(cancelled.cancelled_at, r.cancelled_at) AS cancelled_at,
  coalesce(cancelled.cancel_reason, r.cancellation_reason) AS cancellation_reason, r.created_at, r.mode, r.addressee`;

/** Joins to `responses r` its user and its piece, if that is cancelled. */
export const JOIN_LISTED = Prisma.sql`
  JOIN users u ON u.id = r.user_id LEFT JOIN sends cancelled ON cancelled.id = r.send_id AND cancelled.state = 'cancelled'`;

/** Marks a refusal inside a 2xx answer. Reads only the beginning of the body: a list has up to a hundred rows. */
export const REFUSED_COLUMN = Prisma.sql`
  CASE WHEN r.status_code BETWEEN 200 AND 299 THEN
    (SELECT left(a.response_data, 500) ~ '^\\s*\\{[^{}]*"success"\\s*:\\s*false' FROM response_bodies a WHERE a.response_id = r.id)
  END AS is_refused`;

export const BODY_COLUMNS = Prisma.sql`b.request_data, b.response_data, b.response_headers, b.response_bytes`;

/** True when its bodies were erased or have expired. */
export function isEmptied({ request_data, response_data }: ResponseRow): boolean {
  return request_data === null && response_data === null;
}

/** Converts a row with its bodies. */
export function toStoredResponse(row: ResponseRow): StoredResponse {
  return {
    ...toListed(row),
    request_data: JSON.parse(row.request_data ?? "null"),
    response_data: JSON.parse(row.response_data ?? "null"),
    response_headers: JSON.parse(row.response_headers ?? "{}"),
    ...(row.response_bytes ? { response_base64: toBase64(row.response_bytes) } : {}),
  };
}

/** Writes a stored response as JSON text. Inserts its bodies unparsed. */
export function serializeStoredResponse(row: ResponseRow): string {
  const bodies = (["request_data", "response_data", "response_headers"] as const)
    .filter((name) => row[name] !== undefined)
    .map((name) => `,"${name}":${row[name] ?? (name === "response_headers" ? "{}" : "null")}`);
  if (row.response_bytes) bodies.push(`,"response_base64":"${toBase64(row.response_bytes)}"`);
  return `${JSON.stringify(toListed(row)).slice(0, -1)}${bodies.join("")}}`;
}

export function serializeResponsePage({ rows, nextCursor, matching, searchedNewest }: ResponsePage): string {
  const rest = { next_cursor: nextCursor, matching, searched_newest: searchedNewest };
  return `{"success":true,"data":[${rows.map(serializeStoredResponse).join(",")}],${JSON.stringify(rest).slice(1)}`;
}

function toListed(row: ResponseRow): StoredResponse {
  const { request_data, response_data, response_headers, response_bytes, is_refused, ...listed } = row;
  return {
    ...listed,
    created_at: row.created_at.toISOString(),
    cancelled_at: row.cancelled_at?.toISOString() ?? null,
    ...(is_refused === undefined ? {} : { is_refused: is_refused === true }),
  };
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
