import { randomUUID } from "node:crypto";
import { closeAlarmsAbout } from "~/alarms/alarm-record.server";
import { ensureViewerStored } from "~/people/stored-user.server";
import { checkFresh, type Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { formatInteger } from "~/platform/format-integer";
import { getText, UNKNOWN_FORM } from "~/platform/http/body.server";
import { type Flash, toFlash } from "~/platform/http/flash.server";
import { replyFailure } from "~/platform/http/replies.server";
import { type Failed, fail, type Outcome, succeed } from "~/platform/outcome";
import { parseRowId } from "~/platform/page-cursor";
import type { PrismaClient } from "../../prisma/client/client";
import { queueTest, requeueDelivery } from "./delivery-record.server";
import { endpointAddress } from "./endpoint-address";
import {
  disableEndpoint,
  type EndpointFields,
  enableEndpoint,
  findTargetProblem,
  insertEndpoint,
  MAX_ENDPOINTS,
  rotateSecret,
} from "./endpoint-record.server";
import { EVENT_NAMES } from "./events";
import { NO_SUCH_DELIVERY, NO_SUCH_ENDPOINT, PROBLEMS } from "./messages";
import { makeSecret } from "./sign.server";
import { replayEvents } from "./webhooks-api.server";

const SWITCHED_ON = "Endpoint switched on. Waiting events are sent now.";
const REMOVED = "Endpoint removed, with its deliveries.";
const ALREADY_ON = "The endpoint is already on. Nothing was changed.";
const ALREADY_OFF = "The endpoint is already off. Nothing was changed.";
const GONE = fail("not_found", NO_SUCH_ENDPOINT);
const TOO_MANY = `There are ${MAX_ENDPOINTS} endpoints already. No endpoint was created. Remove one first.`;
const SENT_BEFORE =
  "This form was sent before, and its endpoint was created once. If you did not see its secret, rotate it on its page.";
/** Matches the ID that the page of a new endpoint chose, so that a second press creates no second endpoint. */
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const MAX_URL_CHARS = 1_000;
const MAX_DESCRIPTION_CHARS = 200;

export interface EndpointDraft extends EndpointFields {
  problems: Partial<Record<"url" | "description" | "events" | "form", string>>;
}

/** A secret to show once, or the form with its problems. */
export interface PostResult {
  secret: { endpointId: string; text: string; rotated: boolean } | null;
  draft: EndpointDraft | null;
}

/** Handles the form of a new endpoint. @throws Response 400 for a form that is not of this page */
export async function handleNewEndpoint(form: FormData, viewer: Viewer): Promise<PostResult> {
  if (form.get("intent") !== "create") throw replyFailure(UNKNOWN_FORM);
  const { draft, fields } = parseEndpoint(form, viewer);
  if (!fields) return { secret: null, draft };
  const posted = getText(form, "id");
  const id = UUID.test(posted) ? posted : randomUUID();
  const endpoint = { ...fields, id, secret: makeSecret(), createdBy: viewer.id };
  const stored = await withDatabase(async (db) => {
    await ensureViewerStored(db, viewer);
    const done = await insertEndpoint(db, endpoint);
    return done === "stored" ? done : fail("bad_input", done === "full" ? TOO_MANY : SENT_BEFORE);
  });
  if (!stored.ok) return { secret: null, draft: { ...draft, problems: { form: stored.failure.message } } };
  return { secret: { endpointId: endpoint.id, text: endpoint.secret, rotated: false }, draft: null };
}

/** Handles a form of an endpoint's page. @throws Response 400 for a form that is not of this page */
export async function handleEndpointPost(id: string, form: FormData, viewer: Viewer) {
  const here = endpointAddress(id);
  const alarm = { kind: "webhook_disabled", subject: { type: "webhook", id } } as const;
  const act = async (work: (db: PrismaClient) => Promise<string | Failed>, to = here) => {
    const done = await withDatabase(async (db) => {
      await ensureViewerStored(db, viewer);
      return work(db);
    });
    return reply(done, to);
  };
  switch (form.get("intent")) {
    case "save": {
      const { draft, fields } = parseEndpoint(form, viewer);
      if (!fields) return { secret: null, draft };
      return act(async (db) => {
        const { count } = await db.webhookEndpoint.updateMany({ where: { id }, data: fields });
        return count === 1 ? "Endpoint saved." : GONE;
      });
    }
    case "rotate": {
      const fresh = checkFresh(viewer);
      if (!fresh.ok) return reply(fresh, here);
      const text = makeSecret();
      const rotated = await withDatabase((db) => rotateSecret(db, id, text));
      if (!rotated.ok) return reply(rotated, here);
      if (!rotated.value) return reply(GONE, "/webhooks");
      return { secret: { endpointId: id, text, rotated: true }, draft: null };
    }
    case "test": {
      const event = EVENT_NAMES.find((name) => name === form.get("event"));
      return act((db) => queueTest(db, id, event));
    }
    case "disable":
      return act(async (db) =>
        (await disableEndpoint(db, id, viewer.id, "Switched off by hand."))
          ? "Endpoint switched off. Events are kept for 30 days and can be sent later."
          : fail("bad_input", ALREADY_OFF),
      );
    case "enable":
      return act((db) =>
        db.$transaction(async (tx) => {
          if (!(await enableEndpoint(tx, id))) return fail("bad_input", ALREADY_ON);
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
        (db) =>
          db.$transaction(async (tx) => {
            const { count } = await tx.webhookEndpoint.deleteMany({ where: { id } });
            if (count === 0) return GONE;
            await closeAlarmsAbout(tx, alarm, viewer.id, REMOVED);
            return REMOVED;
          }),
        "/webhooks",
      );
    default:
      throw replyFailure(UNKNOWN_FORM);
  }
}

/** Handles the form that sends a delivery again. @throws Response 400 for a form that is not of this page */
export async function handleDeliveryPost(endpointId: string, id: string, form: FormData, viewer: Viewer) {
  if (form.get("intent") !== "resend") throw replyFailure(UNKNOWN_FORM);
  if (parseRowId(id) === null) return fail("not_found", NO_SUCH_DELIVERY);
  return withDatabase(async (db) => {
    await ensureViewerStored(db, viewer);
    return requeueDelivery(db, endpointId, id, viewer.id);
  });
}

function reply(done: Outcome<string>, to: string): { flash: Flash; to: string } {
  return { flash: toFlash(done), to };
}

/** Parses an endpoint's form. `fields` is null when the draft has problems, or the sign-in is too old to store it. */
function parseEndpoint(
  form: FormData,
  viewer: Viewer,
): { draft: EndpointDraft; fields: EndpointFields | null } {
  const url = getText(form, "url").trim();
  const description = getText(form, "description").trim();
  const events = EVENT_NAMES.filter((name) => form.getAll("event").includes(name));
  const fresh = checkFresh(viewer);
  const problems = fresh.ok ? findProblems({ url, description, events }) : { form: fresh.failure.message };
  const draft = { url, description, events, problems };
  if (Object.keys(problems).length > 0) return { draft, fields: null };
  return { draft, fields: { url: new URL(url).href, description, events } };
}

function findProblems({ url, description, events }: EndpointFields): EndpointDraft["problems"] {
  const problems: EndpointDraft["problems"] = {};
  const urlProblem = url.length > MAX_URL_CHARS ? PROBLEMS.url : findTargetProblem(url);
  if (urlProblem !== null) problems.url = urlProblem;
  if (description.length > MAX_DESCRIPTION_CHARS || description.includes("\u0000")) {
    problems.description = PROBLEMS.description;
  }
  if (events.length === 0) problems.events = PROBLEMS.events;
  return problems;
}

function formatQueued(count: number): string {
  if (count === 0) return "No events to send since then.";
  return count === 1 ? "1 event queued." : `${formatInteger(count)} events queued. They are sent in order.`;
}
