import type { ActionFunctionArgs } from "@remix-run/node";
import { requireJson } from "~/people/check-request.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { drawLetter } from "~/print/letter/draw-letter.server";
import { parseLetterRequest } from "~/print/letter/letter-request.schema.server";

/** Lays out a letter's text for its preview. It is posted, because addresses are logged. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { body } = await requireJson({ request, context });
  const { text, page_size } = requireValue(parseLetterRequest(body));
  return replyJson({ success: true, letter: requireValue(await drawLetter(text, page_size)) });
}
