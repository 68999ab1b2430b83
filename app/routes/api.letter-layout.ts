import { replyJson, requireValue } from "~/platform/http/replies.server";
import { drawLetter } from "~/print/letter/draw-letter.server";
import { parseLetterRequest } from "~/print/letter/letter-request.schema.server";
import { jsonBodyRoute } from "~/route-handlers.server";

/** Lays out a letter's text for its preview. It is posted, because addresses are logged. */
export const action = jsonBodyRoute(async ({ body }) => {
  const { text, page_size } = requireValue(parseLetterRequest(body));
  return replyJson({ success: true, letter: requireValue(await drawLetter(text, page_size)) });
});
