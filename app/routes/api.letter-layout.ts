import type { ActionFunctionArgs } from "@remix-run/node";
import { requireJson } from "~/people/check-request.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { drawLetter } from "~/print/letter/draw-letter.server";
import { parseLetterRequest } from "~/print/letter/letter-request.schema.server";

/** Lays a letter's text out for its preview. Nothing is stored. A POST, because an address would be logged. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { body } = await requireJson({ request, context });
  const asked = requireValue(parseLetterRequest(body));
  return replyJson({ success: true, letter: requireValue(await drawLetter(asked.text, asked.page_size)) });
}
