import { requireValue } from "~/platform/http/replies.server";
import { succeed } from "~/platform/outcome";
import { jsonBodyRoute } from "~/route-handlers.server";
import { replayEvents } from "~/webhooks/webhooks-api.server";

/** Sends every event since a time to an endpoint again. */
export const action = jsonBodyRoute(async ({ id, viewer, body }) =>
  succeed({ queued: requireValue(await replayEvents(id, body, viewer)) }),
);
