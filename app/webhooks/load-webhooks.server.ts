import { randomUUID } from "node:crypto";
import { isAdmin, type Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { fail, type ValueOf } from "~/platform/outcome";
import { cutNumberedPage, parseRowId } from "~/platform/page-cursor";
import { HOUR_MS, MINUTE_MS } from "~/platform/time";
import { buildAddress } from "~/platform/url";
import { formatMoment } from "~/ui/moment";
import { type DeliveryRecord, findDelivery, listDeliveries } from "./delivery-record.server";
import { endpointAddress } from "./endpoint-address";
import { type EndpointRecord, findEndpoint, formatAddress, SECRETS } from "./endpoint-record.server";
import { DELIVERY_STATES, EVENT_NAMES } from "./events";
import { NO_SUCH_DELIVERY, NO_SUCH_ENDPOINT } from "./messages";
import type { EndpointDraft } from "./webhooks-post.server";

const PAGE_ROWS = 30;

export type EndpointView = ReturnType<typeof toEndpointView>;
export type DeliveryRow = ReturnType<typeof toDeliveryRow>;
export type EndpointPageView = ValueOf<typeof loadEndpointPage>;
export type DeliveryPageView = ValueOf<typeof loadDelivery>;

export function loadEndpoints(viewer: Viewer, now: Date) {
  return withDatabase(async (db) => {
    const found = await db.webhookEndpoint.findMany({ omit: SECRETS, orderBy: { createdAt: "asc" } });
    return {
      endpoints: found.map((record) => toEndpointView(record, now)),
      mayChange: isAdmin(viewer),
      /** ID of the endpoint that this page's form creates. */
      newId: randomUUID(),
    };
  });
}

/** Loads an endpoint with a page of its deliveries. @param query `state`, `event`, `about` and `before` */
export async function loadEndpointPage(id: string, query: URLSearchParams, viewer: Viewer, now: Date) {
  const state = DELIVERY_STATES.find((known) => known === query.get("state"));
  const event = EVENT_NAMES.find((name) => name === query.get("event"));
  const about = (query.get("about") ?? "").trim().slice(0, 100);
  const filter = { state: state ?? null, event: event ?? null, about };
  const isMessage = about.startsWith("msg_");
  const ids = isMessage ? { message_id: about } : { piece_id: about || undefined };
  const before = parseRowId(query.get("before"));
  return withDatabase(async (db) => {
    const endpoint = await findEndpoint(db, id);
    if (!endpoint) return fail("not_found", NO_SUCH_ENDPOINT);
    const cursor = before ?? undefined;
    const wanted = { endpoint_id: id, state, type: event, ...ids, cursor, limit: PAGE_ROWS };
    const rows = await listDeliveries(db, wanted);
    const toAddress = (before: string | null) => endpointAddress(id, { ...filter, before });
    const { visible, ...pages } = cutNumberedPage(rows, PAGE_ROWS, before, toAddress);
    const view = toEndpointView(endpoint, now);
    const { url, description } = endpoint;
    const draft: EndpointDraft = { url, description, events: view.events, problems: {} };
    return {
      endpoint: view,
      /** The stored values for the form; null: the viewer may not change them. */
      draft: isAdmin(viewer) ? draft : null,
      filter,
      rows: visible.map((row) => toDeliveryRow(row, now)),
      ...pages,
    };
  });
}

/** Loads a delivery of an endpoint. Fails with `not_found`, or as the database does. */
export async function loadDelivery(endpointId: string, id: string, viewer: Viewer, now: Date) {
  if (parseRowId(id) === null) return fail("not_found", NO_SUCH_DELIVERY);
  return withDatabase(async (db) => {
    const endpoint = await findEndpoint(db, endpointId);
    const found = await findDelivery(db, id);
    if (!endpoint || found?.endpointId !== endpointId) return fail("not_found", NO_SUCH_DELIVERY);
    const delivery = {
      ...toDeliveryRow(found, now),
      messageId: found.messageId,
      resentBy: found.resentBy,
      payload: found.payload,
      tries: found.tries
        .map((one) => ({
          id: String(one.id),
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
    return {
      endpoint: toEndpointView(endpoint, now),
      delivery,
      mayResend: isAdmin(viewer) && endpoint.disabledAt === null,
    };
  });
}

function toEndpointView(record: EndpointRecord, now: Date) {
  const { id, url, description, failingSince, disabledAt, disabledReason, previousUntil } = record;
  const since = disabledAt ?? failingSince;
  const state: "active" | "failing" | "off" = disabledAt ? "off" : failingSince ? "failing" : "active";
  return {
    id,
    address: formatAddress(url),
    description,
    events: EVENT_NAMES.filter((name) => record.events.includes(name)),
    state,
    since: since && formatMoment(since, now),
    reason: disabledReason,
    created: formatMoment(record.createdAt, now),
    earlierSecretUntil: previousUntil && previousUntil > now ? formatMoment(previousUntil, now) : null,
  };
}

function toDeliveryRow(record: DeliveryRecord, now: Date) {
  const { id, type, state, attempts, lastProblem, lastStatus } = record;
  return {
    id,
    type,
    subject: toSubject(record),
    state,
    result: lastProblem ?? (lastStatus === null ? "Not tried yet" : `Answered ${lastStatus}`),
    attempts,
    created: formatMoment(record.createdAt, now),
    /** Wait until the next try; null: none is due. */
    next: state === "waiting" ? formatWait(record.nextAt.getTime() - now.getTime()) : null,
  };
}

function toSubject(record: DeliveryRecord): { name: string; href: string } | null {
  const { type, pieceId, subjectId, subjectName, mailType } = record;
  if (pieceId !== null) {
    const kind = mailType === "letter" ? "Letter" : "Postcard";
    const name = subjectName === null ? `${kind} ${pieceId.slice(0, 8)}` : `${kind} to ${subjectName}`;
    return { name, href: `/sends/${encodeURIComponent(pieceId)}` };
  }
  if (subjectId === null) return null;
  if (type === "alarm.opened") return { name: `Alarm ${subjectId}`, href: "/alarms" };
  const href =
    type === "balance.low"
      ? buildAddress("/users", { view: "history", user_id: subjectId })
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
