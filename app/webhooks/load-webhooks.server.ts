import { isAdmin } from "~/people/admin.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { HOUR_MS, MINUTE_MS } from "~/platform/time";
import { formatMoment } from "~/ui/moment";
import { formatAddress } from "./check-target.server";
import { type DeliveryRecord, findDelivery, listDeliveries } from "./delivery-record.server";
import { type EndpointRecord, findEndpoint, listEndpoints } from "./endpoint-record.server";
import { DELIVERY_STATES, EVENT_NAMES } from "./events";
import { NO_SUCH_DELIVERY, NO_SUCH_ENDPOINT } from "./messages";
import {
  type DeliveryRow,
  type DeliveryView,
  type EndpointPageView,
  type EndpointView,
  endpointAddress,
} from "./webhooks-view";

const PAGE_ROWS = 30;
const DELIVERY_ID = /^\d{1,18}$/;

/** Loads all endpoints. Fails as the database does. */
export async function loadEndpoints(
  viewer: Viewer,
  now: Date,
): Promise<Outcome<{ endpoints: EndpointView[]; mayChange: boolean }>> {
  const listed = await withDatabase(listEndpoints);
  if (!listed.ok) return listed;
  return succeed({
    endpoints: listed.value.map((record) => toEndpointView(record, now)),
    mayChange: isAdmin(viewer),
  });
}

/**
 * Loads an endpoint with a page of its deliveries. Fails with `not_found`, or as the database does.
 * @param query `state`, `event`, `about` and `before`
 */
export async function loadEndpointPage(
  id: string,
  query: URLSearchParams,
  viewer: Viewer,
  now: Date,
): Promise<Outcome<EndpointPageView>> {
  const state = DELIVERY_STATES.find((known) => known === query.get("state")) ?? null;
  const event = EVENT_NAMES.find((name) => name === query.get("event")) ?? null;
  const about = (query.get("about") ?? "").trim().slice(0, 100);
  const filter = { state, event, about };
  const isMessage = about.startsWith("msg_");
  const ids = { messageId: isMessage ? about : null, pieceId: isMessage ? null : about || null };
  const cursor = query.get("before") ?? "";
  const before = DELIVERY_ID.test(cursor) ? cursor : null;
  const loaded = await withDatabase(async (db) => ({
    endpoint: await findEndpoint(db, id),
    rows: await listDeliveries(db, { endpointId: id, state, type: event, ...ids, before, limit: PAGE_ROWS }),
  }));
  if (!loaded.ok) return loaded;
  const { endpoint, rows } = loaded.value;
  if (!endpoint) return fail("not_found", NO_SUCH_ENDPOINT);
  const view = toEndpointView(endpoint, now);
  const page = rows.slice(0, PAGE_ROWS);
  const last = rows.length > PAGE_ROWS ? (page.at(-1)?.id ?? null) : null;
  return succeed({
    endpoint: view,
    draft: isAdmin(viewer)
      ? { url: endpoint.url, description: endpoint.description, events: view.events, problems: {} }
      : null,
    filter,
    rows: page.map((row) => toDeliveryRow(row, now)),
    newest: before === null ? null : endpointAddress(id, filter),
    older: last === null ? null : endpointAddress(id, { ...filter, before: last }),
  });
}

/** Loads a delivery of an endpoint. Fails with `not_found`, or as the database does. */
export async function loadDelivery(
  endpointId: string,
  id: string,
  viewer: Viewer,
  now: Date,
): Promise<Outcome<{ endpoint: EndpointView; delivery: DeliveryView; mayResend: boolean }>> {
  if (!DELIVERY_ID.test(id)) return fail("not_found", NO_SUCH_DELIVERY);
  const loaded = await withDatabase(async (db) => ({
    endpoint: await findEndpoint(db, endpointId),
    found: await findDelivery(db, id),
  }));
  if (!loaded.ok) return loaded;
  const { endpoint, found } = loaded.value;
  if (!endpoint || found?.endpointId !== endpointId) return fail("not_found", NO_SUCH_DELIVERY);
  const delivery: DeliveryView = {
    ...toDeliveryRow(found, now),
    messageId: found.messageId,
    resentBy: found.resentBy,
    payload: found.payload,
    tries: found.tries
      .map((one) => ({
        id: one.id,
        at: formatMoment(one.at, now),
        result: one.problem ?? `The receiver answered ${one.status}.`,
        ok: one.problem === null,
        durationMs: one.durationMs,
        requestHeaders: toHeaders(one.requestHeaders),
        answerHeaders: toHeaders(one.answerHeaders),
        answerText: one.answerText || null,
      }))
      .reverse(),
  };
  return succeed({
    endpoint: toEndpointView(endpoint, now),
    delivery,
    mayResend: isAdmin(viewer) && endpoint.disabledAt === null,
  });
}

function toEndpointView(record: EndpointRecord, now: Date): EndpointView {
  const { id, url, description, failingSince, disabledAt, disabledReason, previousUntil } = record;
  const since = disabledAt ?? failingSince;
  return {
    id,
    address: formatAddress(url),
    description,
    events: EVENT_NAMES.filter((name) => record.events.includes(name)),
    state: disabledAt ? "off" : failingSince ? "failing" : "active",
    since: since && formatMoment(since, now),
    reason: disabledReason,
    created: formatMoment(record.createdAt, now),
    earlierSecretUntil: previousUntil && previousUntil > now ? formatMoment(previousUntil, now) : null,
  };
}

function toDeliveryRow(record: DeliveryRecord, now: Date): DeliveryRow {
  const { id, type, state, attempts, lastProblem, lastStatus } = record;
  return {
    id,
    type,
    subject: toSubject(record),
    state,
    result: lastProblem ?? (lastStatus === null ? "Not tried yet" : `Answered ${lastStatus}`),
    attempts,
    created: formatMoment(record.createdAt, now),
    next: state === "waiting" ? formatWait(record.nextAt.getTime() - now.getTime()) : null,
  };
}

function toSubject({
  type,
  pieceId,
  subjectId,
  subjectName,
  mailType,
}: DeliveryRecord): DeliveryRow["subject"] {
  if (pieceId !== null) {
    const kind = mailType === "letter" ? "Letter" : "Postcard";
    const name = subjectName === null ? `${kind} ${pieceId.slice(0, 8)}` : `${kind} to ${subjectName}`;
    return { name, href: `/sends/${encodeURIComponent(pieceId)}` };
  }
  if (subjectId === null) return null;
  if (type === "alarm.opened") return { name: `Alarm ${subjectId}`, href: "/alarms" };
  const href =
    type === "balance.low"
      ? `/users?${new URLSearchParams({ view: "history", user_id: subjectId })}`
      : `/bulk/${encodeURIComponent(subjectId)}`;
  return { name: subjectName ?? subjectId, href };
}

function formatWait(ms: number): string {
  if (ms < MINUTE_MS) return "within a minute";
  if (ms < HOUR_MS) return `in ${Math.ceil(ms / MINUTE_MS)} min`;
  return `in ${Math.ceil(ms / HOUR_MS)} h`;
}

function toHeaders(text: string | null): [string, string][] {
  return Object.entries(parseRecord(parseJson(text ?? ""))).map(([name, value]) => [name, String(value)]);
}
