import { z } from "zod";
import { formatProblems } from "~/platform/input.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { LetterRequest } from "./page";

const schema = z.object({
  text: z.string("is required"),
  page_size: z.enum(["A4", "US-LETTER"], "must be A4 or US-LETTER"),
});

/** Parses the request of a letter's preview; else `bad_input`. */
export function parseLetterRequest(body: unknown): Outcome<LetterRequest> {
  const parsed = schema.safeParse(body);
  return parsed.success
    ? succeed(parsed.data)
    : fail("bad_input", `The letter was not laid out: ${formatProblems(parsed.error)}.`);
}
