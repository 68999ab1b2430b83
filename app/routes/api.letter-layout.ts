import type { ActionFunctionArgs } from "@remix-run/node";
import { requireJson } from "~/people/check-request.server";
import { replyFailure, replyJson } from "~/platform/http/replies.server";
import { drawLetter } from "~/print/letter/draw-letter.server";
import { parseLetterRequest } from "~/print/letter/letter-request.schema.server";

/** Lays a letter's text out for its preview. Nothing is stored. A POST, because an address would be logged. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { body } = await requireJson({ request, context });
  const asked = parseLetterRequest(body);
  if (!asked.ok) return replyFailure(asked.failure);
  const drawn = await drawLetter(asked.value.text, asked.value.page_size);
  return drawn.ok ? replyJson({ success: true, letter: drawn.value }) : replyFailure(drawn.failure);
}
