import { randomUUID } from "node:crypto";
import { closeAlarmsAbout } from "~/alarms/alarm-record.server";
import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { checkFresh } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { UNKNOWN_FORM } from "~/platform/http/body.server";
import type { Flash } from "~/platform/http/flash.server";
import { replyFailure } from "~/platform/http/replies.server";
import { type Failed, fail, type Outcome, succeed } from "~/platform/outcome";
import type { PrismaClient } from "../../prisma/client/client";
import { findTargetProblem } from "./check-target.server";
import { queueTest, requeueDelivery } from "./delivery-record.server";
import {
  deleteEndpoint,
  disableEndpoint,
  type EndpointFields,
  enableEndpoint,
  insertEndpoint,
  MAX_ENDPOINTS,
  rotateSecret,
  updateEndpoint,
} from "./endpoint-record.server";
import { EVENT_NAMES } from "./events";
import { IS_OFF, NO_SUCH_DELIVERY, NO_SUCH_ENDPOINT, PROBLEMS } from "./messages";
import { makeSecret } from "./sign.server";
import { replayEvents } from "./webhooks-api.server";
import { type EndpointDraft, endpointAddress } from "./webhooks-view";

const SWITCHED_ON = "Endpoint switched on. What was waiting is sent now.";
const GONE = fail("not_found", NO_SUCH_ENDPOINT);
const SAME_STATE = "The endpoint is in that state already. Nothing was changed.";

const MAX_URL_CHARS = 1_000;
const MAX_DESCRIPTION_CHARS = 200;

/** A secret to show once; the form with its problems; or a message and its page. */
export type WebhooksPost =
  | { secret: { endpointId: string; text: string; rotated: boolean } }
  | { draft: EndpointDraft }
  | { flash: Flash; to: string };

/** Handles the form of a new endpoint. @throws Response 400 for a form that is not of this page */
export async function handleNewEndpoint(form: FormData, viewer: Viewer): Promise<WebhooksPost> {
  if (form.get("intent") !== "create") throw replyFailure(UNKNOWN_FORM);
  const { draft, fields } = parseEndpoint(form);
  const fresh = checkFresh(viewer);
  if (!fresh.ok) return { draft: { ...draft, problems: { form: fresh.failure.message } } };
  if (!fields) return { draft };
  const endpoint = { ...fields, id: randomUUID(), secret: makeSecret(), createdBy: viewer.id };
  const stored = await withDatabase(async (db) => {
    await ensureViewerStored(db, viewer);
    return insertEndpoint(db, endpoint);
  });
  if (!stored.ok) return { draft: { ...draft, problems: { form: stored.failure.message } } };
  if (!stored.value) {
    const problem = `There are ${MAX_ENDPOINTS} endpoints already. No endpoint was created. Remove one first.`;
    return { draft: { ...draft, problems: { form: problem } } };
  }
  return { secret: { endpointId: endpoint.id, text: endpoint.secret, rotated: false } };
}

/** Handles a form of an endpoint's page. @throws Response 400 for a form that is not of this page */
export async function handleEndpointPost(id: string, form: FormData, viewer: Viewer): Promise<WebhooksPost> {
  const here = endpointAddress(id);
  const act = async (work: (db: PrismaClient) => Promise<string | Failed>, to = here) => {
    const done = await withDatabase(async (db) => {
      await ensureViewerStored(db, viewer);
      return work(db);
    });
    return reply(done, to);
  };
  switch (form.get("intent")) {
    case "save": {
      const { draft, fields } = parseEndpoint(form);
      const fresh = checkFresh(viewer);
      if (!fresh.ok) return { draft: { ...draft, problems: { form: fresh.failure.message } } };
      if (!fields) return { draft };
      return act(async (db) => ((await updateEndpoint(db, id, fields)) ? "Endpoint saved." : GONE));
    }
    case "rotate": {
      const fresh = checkFresh(viewer);
      if (!fresh.ok) return reply(fresh, here);
      const text = makeSecret();
      const rotated = await withDatabase((db) => rotateSecret(db, id, text));
      if (!rotated.ok) return reply(rotated, here);
      return rotated.value ? { secret: { endpointId: id, text, rotated: true } } : reply(GONE, "/webhooks");
    }
    case "test": {
      const event = EVENT_NAMES.find((name) => name === form.get("event")) ?? null;
      const queued = `${event ? "Sample" : "Test event"} queued. It is sent within seconds.`;
      return act(async (db) =>
        (await queueTest(db, id, event, new Date())) ? queued : fail("bad_input", IS_OFF),
      );
    }
    case "disable":
      return act(async (db) =>
        (await disableEndpoint(db, id, viewer.id, "Switched off by hand."))
          ? "Endpoint switched off. Events are kept for 30 days and can be sent later."
          : fail("bad_input", SAME_STATE),
      );
    case "enable":
      return act((db) =>
        db.$transaction(async (tx) => {
          if (!(await enableEndpoint(tx, id))) return fail("bad_input", SAME_STATE);
          const alarm = { kind: "webhook_disabled", subject: { type: "webhook", id } } as const;
          await closeAlarmsAbout(tx, alarm, viewer.id, SWITCHED_ON);
          return SWITCHED_ON;
        }),
      );
    case "replay": {
      const order = { since: `${form.get("since")}:00Z`, missed_only: form.get("missed") !== null };
      const queued = await replayEvents(id, order, viewer);
      return reply(queued.ok ? succeed(formatQueued(queued.value)) : queued, here);
    }
    case "remove":
      return act(
        async (db) => ((await deleteEndpoint(db, id)) ? "Endpoint removed, with its deliveries." : GONE),
        "/webhooks",
      );
    default:
      throw replyFailure(UNKNOWN_FORM);
  }
}

/** Handles the form that sends a delivery again. @throws Response 400 for a form that is not of this page */
export async function handleDeliveryPost(
  endpointId: string,
  id: string,
  form: FormData,
  viewer: Viewer,
): Promise<Outcome<string>> {
  if (form.get("intent") !== "resend") throw replyFailure(UNKNOWN_FORM);
  if (!/^\d{1,18}$/.test(id)) return fail("not_found", NO_SUCH_DELIVERY);
  return withDatabase(async (db) => {
    await ensureViewerStored(db, viewer);
    const queued = await requeueDelivery(db, { id, endpointId, by: viewer.id });
    if (queued === null) return fail("not_found", NO_SUCH_DELIVERY);
    return queued === "off" ? fail("bad_input", IS_OFF) : "Queued again. It is sent within seconds.";
  });
}

function reply(done: Outcome<string | null>, to: string): WebhooksPost {
  return done.ok
    ? { flash: { tone: "ok", message: done.value ?? "" }, to }
    : { flash: { tone: "bad", message: done.failure.message }, to };
}

/** Parses an endpoint's form. `fields` is null when the draft has problems. */
function parseEndpoint(form: FormData): { draft: EndpointDraft; fields: EndpointFields | null } {
  const url = String(form.get("url") ?? "").trim();
  const description = String(form.get("description") ?? "").trim();
  const events = EVENT_NAMES.filter((name) => form.getAll("event").includes(name));
  const urlProblem = url.length > MAX_URL_CHARS ? PROBLEMS.url : findTargetProblem(url);
  const problems: EndpointDraft["problems"] = {
    ...(urlProblem === null ? {} : { url: urlProblem }),
    ...(description.length > MAX_DESCRIPTION_CHARS || description.includes("\u0000")
      ? { description: PROBLEMS.description }
      : {}),
    ...(events.length === 0 ? { events: PROBLEMS.events } : {}),
  };
  const draft = { url, description, events, problems };
  if (Object.keys(problems).length > 0) return { draft, fields: null };
  return { draft, fields: { url: new URL(url).href, description, events } };
}

function formatQueued(count: number): string {
  if (count === 0) return "No events to send since then.";
  return count === 1
    ? "1 event queued."
    : `${count.toLocaleString("en")} events queued. They are sent in order.`;
}
