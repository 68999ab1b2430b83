import { z } from "zod";
import { parseInput } from "~/platform/input.server";
import type { Outcome } from "~/platform/outcome";
import type { LetterRequest } from "./page";

const schema = z.object({
  text: z.string("is required"),
  page_size: z.enum(["A4", "US-LETTER"], "must be A4 or US-LETTER"),
});

export function parseLetterRequest(body: unknown): Outcome<LetterRequest> {
  return parseInput(schema, body, (problems) => `The letter was not laid out: ${problems}.`);
}
