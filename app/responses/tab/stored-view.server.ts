import { formatCategory } from "~/catalogue/categories";
import { formatPreset } from "~/catalogue/presets";
import { listUserOptions } from "~/people/stored-user.server";
import { orderUserOptions, type UserOption } from "~/people/user-option";
import type { Viewer } from "~/people/viewer.server";
import { type Failure, type Outcome, succeed, type ValueOf } from "~/platform/outcome";
import type { ChartView } from "~/ui/chart/chart-view";
import { drawChart } from "~/ui/chart/draw-chart.server";
import { formatDay, formatMoment } from "~/ui/moment";
import { canCancel } from "../cancel-response.server";
import { toBodies } from "../request-data";
import { parseResponseQuery } from "../search/filter.schema.server";
import { findResponse, findResponseRow, listResponses } from "../search/list-responses.server";
import { loadDays, loadStats } from "../stats/stats.server";
import type { ResponseDay, ResponsePage, ResponseStats, StoredResponse } from "../stored-response";
import {
  type CancelQuestion,
  type Column,
  FILTER_NAMES,
  type FilterValues,
  parseColumns,
  writeColumns,
} from "./stored-view";

const PAGE_ROWS = 50;
const CHART_DAYS = 30;

export type ResponseRow = ReturnType<typeof toResponseRow>;
export type StoredContent = ValueOf<typeof loadContent>;

/** The Stored Responses tab at an address. */
export interface StoredView {
  signedIn: boolean;
  /** Set when there is no `content`. */
  failure: Failure | null;
  /** The reason why the filter is not valid. */
  problem: string | null;
  filter: FilterValues;
  /** The filter as text: "Chidi Okafor", "Postcards". */
  applied: string[];
  /** The parameters of the filter, for links that keep it. */
  filterQuery: string;
  columns: readonly Column[];
  /** The parameters of filter, columns and page, with which an address leads back here. */
  listQuery: string;
  content: StoredContent | null;
  /** The question to confirm a cancel, if the address asks it. */
  question: CancelQuestion | null;
}

/** Loads the Stored Responses tab for an address, also without a viewer or a database. */
export async function loadStoredView(request: Request, viewer: Viewer | null): Promise<StoredView> {
  const { searchParams } = new URL(request.url);
  const fields = FILTER_NAMES.map((name) => [name, searchParams.get(name) ?? ""] as const);
  const values = Object.fromEntries(fields) as FilterValues;
  const query = new URLSearchParams(fields.filter(([, value]) => value !== "").map(([...pair]) => pair));
  const columns = parseColumns(searchParams);
  const listQuery = new URLSearchParams(query);
  const written = writeColumns(columns);
  if (written !== null) listQuery.set("columns", written);
  const view: StoredView = {
    columns,
    listQuery: withCursor(listQuery, searchParams.get("cursor")).toString(),
    signedIn: viewer !== null,
    failure: null,
    problem: null,
    filter: values,
    applied: formatFilter(values, []),
    filterQuery: query.toString(),
    content: null,
    question: null,
  };
  if (!viewer) return view;
  const content = await loadContent(searchParams, listQuery, viewer);
  if (!content.ok) return { ...view, failure: content.failure };
  const { users, problem } = content.value;
  return { ...view, applied: formatFilter(values, users), problem, content: content.value };
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

async function loadContent(parameters: URLSearchParams, listQuery: URLSearchParams, viewer: Viewer) {
  const now = new Date();
  const query = parseResponseQuery(parameters);
  const none: Outcome<ResponsePage> = succeed({
    responses: [],
    nextCursor: null,
    matching: { count: 0, more: false },
    searchedNewest: null,
  });
  const [users, stats, days, page, opened, chosen] = await Promise.all([
    listUserOptions(viewer),
    loadStats(),
    loadDays(CHART_DAYS),
    query.ok ? listResponses({ ...query.value, limit: PAGE_ROWS, bodies: false }) : none,
    loadOpened(parameters.get("open")),
    loadChosen(parameters, listQuery, now),
  ]);
  if (!page.ok) return page;
  if (!stats.ok) return stats;
  if (!days.ok) return days;
  const { responses, nextCursor, matching, searchedNewest } = page.value;
  const pages = new URLSearchParams(listQuery);
  if (chosen) pages.set("compare", chosen.id);
  return succeed({
    users: users.ok ? users.value : orderUserOptions([], viewer),
    problem: query.ok ? null : query.failure.message,
    totals: sumStats(stats.value),
    days: chartDays(days.value),
    rows: responses.map((response) => toResponseRow(response, now)),
    /** Y of "Showing X of Y responses": "12", or "1000+". */
    matching: `${matching.count.toLocaleString("en", { useGrouping: false })}${matching.more ? "+" : ""}`,
    searchedNewest,
    older: nextCursor === null ? null : buildAddress(pages, nextCursor),
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
  const found = await findResponse(id);
  if (!found.ok || !found.value) return null;
  const { method, path, addressee, created_at } = found.value;
  return {
    id,
    subject: `${method} ${path}${addressee === null ? "" : ` to ${addressee}`}`,
    at: formatMoment(new Date(created_at), now),
    remove: buildAddress(listQuery, parameters.get("cursor")),
  };
}

/** Builds the row of a stored response. */
export function toResponseRow(response: StoredResponse, now: Date) {
  const { id, method, path, tags, mode, addressee, cancelled_at: cancelledAt } = response;
  return {
    ...{ id, method, path, tags, mode, addressee },
    category: formatCategory(response.endpoint_category),
    preset: formatPreset(response.endpoint_preset),
    status: response.status_code,
    isRefused: response.is_refused ?? false,
    durationMs: response.duration_ms,
    user: response.user_display_name,
    at: formatMoment(new Date(response.created_at), now),
    cancelled: response.is_cancelled
      ? {
          at: cancelledAt === null ? null : formatMoment(new Date(cancelledAt), now),
          reason: response.cancellation_reason,
        }
      : null,
    canCancel: canCancel(response),
    sendId: response.send_id,
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

const SUCCESSFUL = ["200", "201"];
const FIRST_ERROR = 400;

/** Sums up the figures of the tab: statuses 200 and 201 are successful, 400 and above are errors. */
export function sumStats({ total, by_status, recent_count }: ResponseStats) {
  const sum = { total, successful: 0, errors: 0, recent: recent_count };
  for (const [status, count] of Object.entries(by_status)) {
    if (SUCCESSFUL.includes(status)) sum.successful += count;
    if (Number(status) >= FIRST_ERROR) sum.errors += count;
  }
  return sum;
}

const CLASSES = [
  { id: "2xx", name: "2xx", tone: "accent" },
  { id: "3xx", name: "3xx", tone: "pale" },
  { id: "4xx", name: "4xx", tone: "warn" },
  { id: "5xx", name: "5xx", tone: "bad" },
  { id: "none", name: "no answer", tone: "none" },
] as const;

/** Draws the responses of some days by class of status, leaving out classes that no response has. */
function chartDays(days: readonly ResponseDay[]): ChartView {
  const shown = CLASSES.map((one) => ({
    ...one,
    sum: days.reduce((sum, { counts }) => sum + counts[one.id], 0),
  })).filter(({ sum }) => sum > 0);
  return drawChart({
    question: `Responses per day, last ${days.length} days`,
    answer:
      shown.length === 0
        ? "No responses were stored in this time."
        : `${shown.map(({ name, sum }) => `${name}: ${sum.toLocaleString("en")}`).join(", ")}.`,
    series: shown.map(({ name, tone }) => ({ name, tone })),
    table: { label: "Responses by day", heads: ["Day", ...shown.map(({ name }) => name)] },
    places: days.map(({ day, counts }) => ({
      key: day,
      label: formatDay(day),
      title: `${formatDay(day)}: ${shown.map(({ id, name }) => `${counts[id]} ${name}`).join(", ")}`,
      values: shown.map(({ id }) => counts[id]),
    })),
  });
}
