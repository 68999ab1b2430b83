import { formatCategory } from "~/catalogue/categories";
import { formatPreset } from "~/catalogue/presets";
import { buildUrl } from "~/outside/mail-provider/call/address.server";
import { formatSentHeaders } from "~/outside/mail-provider/call/client.server";
import { listUserOptions } from "~/people/stored-user.server";
import { orderUserOptions, type UserOption } from "~/people/user-option";
import type { Viewer } from "~/people/viewer.server";
import { env } from "~/platform/env.server";
import { succeed, type ValueOf } from "~/platform/outcome";
import { formatMoment } from "~/ui/moment";
import { canCancel, quoteResponse } from "../cancel-response.server";
import { isEmptied, type ResponsePage, type ResponseRow, toStoredResponse } from "../response-row.server";
import { parseResponseQuery } from "../search/filter.schema.server";
import { findResponseRow, loadResponseRow, toStoredAnswer } from "../search/find-response.server";
import { listResponses } from "../search/list-responses.server";
import { chartDays, loadDays, loadStats, sumStats } from "../stats/stats.server";
import {
  COLUMN_NAMES,
  type Column,
  formatRequestBody,
  parseStoredRequest,
  type StoredRequest,
  toBodies,
} from "../stored-response";

const PAGE_ROWS = 50;
const CHART_DAYS = 30;

const FILTERS = ["user_id", "category", "search", "status", "method", "mode", "tag", "from", "to"] as const;
type FilterValues = Record<(typeof FILTERS)[number], string>;

export type StoredView = Awaited<ReturnType<typeof loadStoredView>>;
export type StoredContent = ValueOf<typeof loadContent>;
export type ResponseView = ReturnType<typeof toResponseView>;
export type ResponsePageView = ValueOf<typeof loadResponsePage>;
export type CancelQuestion = NonNullable<Awaited<ReturnType<typeof loadCancelQuestion>>>;

/** Loads the Stored Responses tab for an address, also without a viewer or a database. */
export async function loadStoredView(request: Request, viewer: Viewer | null) {
  const { searchParams } = new URL(request.url);
  const fields = FILTERS.map((name) => [name, searchParams.get(name) ?? ""] as const);
  const filter = Object.fromEntries(fields) as FilterValues;
  const query = new URLSearchParams(fields.filter(([, value]) => value !== "").map(([...pair]) => pair));
  const columns = parseColumns(searchParams);
  const listQuery = new URLSearchParams(query);
  const written = writeColumns(columns);
  if (written !== null) listQuery.set("columns", written);
  const [loaded, question] = await Promise.all([
    viewer && loadContent(searchParams, listQuery, viewer),
    viewer && loadCancelQuestion(searchParams.get("cancel")),
  ]);
  const content = loaded?.ok ? loaded.value : null;
  return {
    signedIn: viewer !== null,
    /** Set when a viewer gets no `content`. */
    failure: loaded && !loaded.ok ? loaded.failure : null,
    filter,
    /** The filter as text: "Chidi Okafor", "Postcards". */
    applied: formatFilter(filter, content?.users ?? []),
    /** The parameters of the filter, for links that keep it. */
    filterQuery: query.toString(),
    columns,
    /** The parameters of filter, columns and page, with which an address leads back here. */
    listQuery: withCursor(listQuery, searchParams.get("cursor")).toString(),
    content,
    question,
  };
}

/** Loads the question that confirms a cancel, for the response that the address names. */
export async function loadCancelQuestion(id: string | null) {
  return id ? { id, message: await quoteResponse(id) } : null;
}

/** Returns the address without the empty parameters of a form; null when it has none. */
export function findCleanAddress(request: Request): string | null {
  const { pathname, searchParams } = new URL(request.url);
  const columns = searchParams.getAll("columns");
  const set = [...searchParams].filter(([name, value]) => value !== "" && name !== "columns");
  const written = columns.length === 0 ? null : writeColumns(parseColumns(searchParams));
  if (written !== null) set.push(["columns", written]);
  if (set.length === searchParams.size && (written === null || columns[0] === written)) return null;
  return set.length === 0 ? pathname : `${pathname}?${new URLSearchParams(set)}`;
}

/** Parses the columns in an address, comma-separated or repeated; all when it names none. */
function parseColumns(parameters: URLSearchParams): readonly Column[] {
  const named = parameters.getAll("columns").flatMap((value) => value.split(","));
  const known = COLUMN_NAMES.filter((column) => named.includes(column));
  return known.length === 0 ? COLUMN_NAMES : known;
}

/** Writes columns for an address; null for all. */
function writeColumns(columns: readonly Column[]): string | null {
  return columns.length === COLUMN_NAMES.length ? null : columns.join(",");
}

async function loadContent(parameters: URLSearchParams, listQuery: URLSearchParams, viewer: Viewer) {
  const now = new Date();
  const query = parseResponseQuery(parameters);
  const matching = { count: 0, more: false };
  const none: ResponsePage = { rows: [], nextCursor: null, matching, searchedNewest: null };
  const [users, stats, days, page, opened, chosen] = await Promise.all([
    listUserOptions(viewer),
    loadStats(),
    loadDays(CHART_DAYS),
    query.ok ? listResponses({ ...query.value, limit: PAGE_ROWS, bodies: false }) : succeed(none),
    loadOpened(parameters.get("open")),
    loadChosen(parameters, listQuery, now),
  ]);
  if (!page.ok) return page;
  if (!stats.ok) return stats;
  if (!days.ok) return days;
  const { count, more } = page.value.matching;
  const pages = new URLSearchParams(listQuery);
  if (chosen) pages.set("compare", chosen.id);
  return succeed({
    users: users.ok ? users.value : orderUserOptions([], viewer),
    /** The reason why the filter is not valid. */
    problem: query.ok ? null : query.failure.message,
    totals: sumStats(stats.value),
    days: chartDays(days.value),
    rows: page.value.rows.map((row) => toResponseView(row, now)),
    /** Y of "Showing X of Y responses": "12", or "1000+". */
    matching: `${count}${more ? "+" : ""}`,
    searchedNewest: page.value.searchedNewest,
    older: page.value.nextCursor === null ? null : buildAddress(pages, page.value.nextCursor),
    newest: parameters.has("cursor") ? buildAddress(pages, null) : null,
    opened,
    chosen,
  });
}

/** Loads the row that the address opens; without bodies if it was deleted. */
async function loadOpened(id: string | null) {
  if (!id) return null;
  const found = await findResponseRow(id);
  if (!found.ok || !found.value) return { id, bodies: null };
  const { request_data, response_data } = found.value;
  return { id, bodies: toBodies(request_data ?? null, response_data ?? null) };
}

/** Loads the response that was chosen on another page; null if it was deleted. */
async function loadChosen(parameters: URLSearchParams, listQuery: URLSearchParams, now: Date) {
  const id = parameters.get("compare");
  if (!id) return null;
  const found = await findResponseRow(id);
  if (!found.ok || !found.value) return null;
  const { method, path, addressee, created_at } = found.value;
  return {
    id,
    subject: `${method} ${path}${addressee === null ? "" : ` to ${addressee}`}`,
    at: formatMoment(created_at, now),
    remove: buildAddress(listQuery, parameters.get("cursor")),
  };
}

export function toResponseView(row: ResponseRow, now: Date) {
  const { id, method, path, tags, mode, addressee, cancelled_at: at } = row;
  const cancelledAt = at && formatMoment(at, now);
  return {
    ...{ id, method, path, tags, mode, addressee },
    category: formatCategory(row.endpoint_category),
    preset: formatPreset(row.endpoint_preset),
    status: row.status_code,
    isRefused: row.is_refused ?? false,
    durationMs: row.duration_ms,
    user: row.user_display_name,
    at: formatMoment(row.created_at, now),
    cancelled: row.is_cancelled ? { at: cancelledAt, reason: row.cancellation_reason } : null,
    canCancel: canCancel(row),
    sendId: row.send_id,
  };
}

function formatFilter(values: FilterValues, users: readonly UserOption[]): string[] {
  const { user_id: userId, category, search, status, method, mode, tag, from, to } = values;
  return [
    userId === "" ? "all users" : (users.find(({ id }) => id === userId)?.display_name ?? userId),
    category === "" ? "all categories" : formatCategory(category),
    search && `“${search}”`,
    status && (status === "none" ? "no answer" : `status ${status}`),
    method,
    mode,
    tag && `tag ${tag}`,
    from && `from ${from}`,
    to && `to ${to}`,
  ].filter((part) => part !== "");
}

function buildAddress(query: URLSearchParams, cursor: string | null): string {
  const parameters = withCursor(query, cursor);
  return parameters.size === 0 ? "/stored" : `/stored?${parameters}`;
}

function withCursor(query: URLSearchParams, cursor: string | null): URLSearchParams {
  const parameters = new URLSearchParams(query);
  if (cursor !== null) parameters.set("cursor", cursor);
  return parameters;
}

/** Loads everything that the page of a stored response shows. Fails with `not_found`, or as the database does. */
export async function loadResponsePage(id: string) {
  const found = await loadResponseRow(id);
  if (!found.ok) return found;
  const { request_data: data, response_headers: headers } = toStoredResponse(found.value);
  const { type, isFile } = toStoredAnswer(found.value);
  const request = parseStoredRequest(data);
  return succeed({
    row: toResponseView(found.value, new Date()),
    base: request?.base || null,
    url: request && findUrl(request),
    query: Object.entries(request?.query ?? {}),
    requestHeaders: request ? Object.entries(listSentHeaders(request)) : [],
    /** JSON text; all of `request_data` when it is not a `StoredRequest`. */
    requestBody: formatRequestBody(request ? request.body : data),
    erasedPart: findErasedPart(found.value),
    responseHeaders: Object.entries(headers ?? {}),
    responseBody: found.value.response_data ?? null,
    /** Its media type. The text of a file is not shown. */
    answer: { type, isFile },
  });
}

/** Finds what of the bodies is erased. One of which an object was erased is stored as JSON without spaces. */
function findErasedPart(row: ResponseRow): "all" | "some" | null {
  if (isEmptied(row)) return "all";
  return `${row.request_data}${row.response_data}`.includes('{"erased":true}') ? "some" : null;
}

function findUrl({ base: label, path, query }: StoredRequest): string | null {
  const base = env().baseUrls.find((known) => known.label === label);
  const url = base && buildUrl(base, path, query);
  return url?.ok ? url.value : null;
}

/** Lists the headers as they were sent. A body is sent as JSON unless a header names another type. */
function listSentHeaders({ headers, body }: StoredRequest): Record<string, string> {
  return formatSentHeaders(body === null ? headers : { "content-type": "application/json", ...headers });
}
