import { Prisma } from "../../prisma/client/client";
import type { ResponseMode, ResponsePage, StoredResponse } from "./stored-response";

/** A stored response as the database gives it. Its bodies are JSON texts, undefined when they were not loaded. */
export interface ResponseRow {
  id: string;
  user_id: string;
  user_display_name: string;
  endpoint_category: string;
  endpoint_preset: string;
  method: string;
  path: string;
  status_code: number | null;
  duration_ms: number | null;
  tags: string[];
  send_id: string | null;
  mode: ResponseMode | null;
  addressee: string | null;
  is_cancelled: boolean;
  cancelled_at: Date | null;
  cancellation_reason: string | null;
  created_at: Date;
  is_refused?: boolean | null;
  request_data?: string | null;
  response_data?: string | null;
  response_headers?: string | null;
  response_bytes?: Uint8Array | null;
}

/** A page of a list as the database gives it. */
export interface RowPage extends Omit<ResponsePage, "responses"> {
  rows: ResponseRow[];
}

/**
 * The columns of a stored response, from {@link JOIN_LISTED}. The flag of a cancel is that of its piece; only a copy has
 * one of its own.
 */
export const LISTED_COLUMNS = Prisma.sql`
  r.id, r.user_id, u.display_name AS user_display_name, r.endpoint_category, r.endpoint_preset, r.method, r.path,
  r.status_code, r.duration_ms, r.tags, r.send_id, r.is_cancelled OR cancelled.id IS NOT NULL AS is_cancelled,
  coalesce(cancelled.cancelled_at, r.cancelled_at) AS cancelled_at,
  coalesce(cancelled.cancel_reason, r.cancellation_reason) AS cancellation_reason, r.created_at, r.mode, r.addressee`;

/** Joins to `responses r` its user and its piece, if that is cancelled. */
export const JOIN_LISTED = Prisma.sql`
  JOIN users u ON u.id = r.user_id LEFT JOIN sends cancelled ON cancelled.id = r.send_id AND cancelled.state = 'cancelled'`;

/**
 * A refusal inside a 2xx answer. Only its beginning is read, before any inner object: a list has up to a hundred rows.
 */
export const REFUSED_COLUMN = Prisma.sql`
  CASE WHEN r.status_code BETWEEN 200 AND 299 THEN
    (SELECT left(a.response_data, 500) ~ '^\\s*\\{[^{}]*"success"\\s*:\\s*false' FROM response_bodies a WHERE a.response_id = r.id)
  END AS is_refused`;

/** Of `response_bodies b`. */
export const BODY_COLUMNS = Prisma.sql`b.request_data, b.response_data, b.response_headers, b.response_bytes`;

export function toStoredResponse(row: ResponseRow): StoredResponse {
  const { request_data, response_data, response_headers, response_bytes } = row;
  return {
    ...toListed(row),
    ...(request_data === undefined ? {} : { request_data: parseBody(request_data) }),
    ...(response_data === undefined ? {} : { response_data: parseBody(response_data) }),
    ...(response_headers === undefined
      ? {}
      : { response_headers: (parseBody(response_headers) ?? {}) as Record<string, string> }),
    ...(response_bytes ? { response_base64: toBase64(response_bytes) } : {}),
  };
}

/** A stored response as JSON text. Its bodies are inserted as they are, to save parsing them. */
export function serializeStoredResponse(row: ResponseRow): string {
  const bodies = (["request_data", "response_data", "response_headers"] as const)
    .filter((name) => row[name] !== undefined)
    .map((name) => `,"${name}":${row[name] ?? (name === "response_headers" ? "{}" : "null")}`);
  if (row.response_bytes) bodies.push(`,"response_base64":"${toBase64(row.response_bytes)}"`);
  return `${JSON.stringify(toListed(row)).slice(0, -1)}${bodies.join("")}}`;
}

/** A page as `GET /api/responses` gives it. */
export function serializeResponsePage({ rows, nextCursor, matching, searchedNewest }: RowPage): string {
  const rest = { next_cursor: nextCursor, matching, searched_newest: searchedNewest };
  return `{"success":true,"data":[${rows.map(serializeStoredResponse).join(",")}],${JSON.stringify(rest).slice(1)}`;
}

function toListed(row: ResponseRow): StoredResponse {
  return {
    id: row.id,
    method: row.method,
    path: row.path,
    endpoint_category: row.endpoint_category,
    endpoint_preset: row.endpoint_preset,
    status_code: row.status_code,
    duration_ms: row.duration_ms,
    tags: row.tags,
    user_id: row.user_id,
    user_display_name: row.user_display_name,
    created_at: row.created_at.toISOString(),
    is_cancelled: row.is_cancelled,
    cancelled_at: row.cancelled_at?.toISOString() ?? null,
    cancellation_reason: row.cancellation_reason,
    send_id: row.send_id,
    mode: row.mode,
    addressee: row.addressee,
    ...(row.is_refused === undefined ? {} : { is_refused: row.is_refused === true }),
  };
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function parseBody(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}
