import { replyJsonText, requireValue } from "~/platform/http/replies.server";
import { noteRequest } from "~/platform/log.server";
import { answerRequest } from "~/proxy/send-request.server";
import { keyedBodyRoute } from "~/route-handlers.server";

export const action = keyedBodyRoute(async ({ request, viewer, body }) => {
  noteRequest({ providerPath: formatEndpoint(body) });
  const answered = requireValue(await answerRequest(body, viewer, request.signal));
  return replyJsonText(answered.json, answered.httpStatus);
});

/** Formats the endpoint of a request without IDs and queries: `recipients/get`. */
function formatEndpoint(body: unknown): string {
  const { path } = Object(body) as { path?: unknown };
  return typeof path === "string" ? (/^\/?([a-z_]{1,40}(?:\/[a-z_]{1,40})?)/i.exec(path)?.[1] ?? "") : "";
}
