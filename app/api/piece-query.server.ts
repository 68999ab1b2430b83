import type { z } from "zod";
import { formatBadRequest, formatFieldProblems, parseInput, selectFilled } from "~/platform/input.server";
import type { Outcome } from "~/platform/outcome";

/** Parses the query of a request to `/api/pieces`; empty parameters count as absent. Fails with `bad_input`. */
export function parsePieceQuery<Schema extends z.ZodType>(
  schema: Schema,
  request: Request,
): Outcome<z.output<Schema>> {
  const { searchParams } = new URL(request.url);
  return parseInput(schema, selectFilled(searchParams), formatBadRequest, formatFieldProblems);
}
