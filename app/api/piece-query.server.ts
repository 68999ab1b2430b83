import type { z } from "zod";
import type { Viewer } from "~/people/viewer.server";
import {
  formatBadRequest,
  formatFieldProblems,
  parseInput,
  selectFilled,
} from "~/platform/input-problems.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { parseCursor } from "~/platform/page-cursor";
import type { PieceFilter } from "./load-pieces.server";
import { pieceQuery, preflightQuery } from "./piece.schema.server";

/** Parses the query of `GET /api/pieces`; empty parameters count as absent. Fails with `bad_input`. */
export function parsePieceQuery(
  parameters: URLSearchParams,
  viewer: Pick<Viewer, "id">,
): Outcome<PieceFilter> {
  const parsed = parse(pieceQuery, parameters);
  if (!parsed.ok) return parsed;
  const { user_id, mode, type, reference, tag, limit, cursor, idempotency_key } = parsed.value;
  return succeed({
    userId: user_id ?? viewer.id,
    mode: mode ?? null,
    type: type ?? null,
    reference: reference ?? null,
    tag: tag ?? null,
    limit,
    cursor: cursor === undefined ? null : parseCursor(cursor),
    idempotencyKey: idempotency_key ?? null,
  });
}

/** True for `preflight=only`. Fails with `bad_input`: a misspelt parameter must not send mail. */
export function parsePreflight(parameters: URLSearchParams): Outcome<boolean> {
  const parsed = parse(preflightQuery, parameters);
  return parsed.ok ? succeed(parsed.value.preflight === "only") : parsed;
}

function parse<T>(schema: z.ZodType<T>, parameters: URLSearchParams): Outcome<T> {
  return parseInput(schema, selectFilled(parameters), formatBadRequest, formatFieldProblems);
}
