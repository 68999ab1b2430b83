import type { ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { requireJson } from "~/people/check-request.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { formatProblems } from "~/platform/input-problems.server";
import { fail, succeed } from "~/platform/outcome";
import { drawLetter } from "~/print/letter/draw-letter.server";
import type { LetterRequest } from "~/print/letter/letter-drawing";

const schema = z.object({
  text: z.string("is required"),
  page_size: z.enum(["A4", "US-LETTER"], "must be A4 or US-LETTER"),
}) satisfies z.ZodType<LetterRequest>;

/** Lays out a letter's text for its preview. It is posted, because addresses are logged. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { body } = await requireJson({ request, context });
  const parsed = schema.safeParse(body);
  const { text, page_size } = requireValue(
    parsed.success
      ? succeed(parsed.data)
      : fail("bad_input", `The letter was not laid out: ${formatProblems(parsed.error)}.`),
  );
  return replyJson({ success: true, letter: requireValue(await drawLetter(text, page_size)) });
}
