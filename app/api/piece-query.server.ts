import type { Viewer } from "~/people/viewer.server";
import { formatFieldProblems } from "~/platform/input-problems.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { parseCursor } from "~/platform/page-cursor";
import type { PieceFilter } from "./load-pieces.server";
import { pieceQuery } from "./piece.schema.server";

/** Parses the query of `GET /api/pieces`; empty parameters count as absent. Fails with `bad_input`. */
export function parsePieceQuery(
  parameters: URLSearchParams,
  viewer: Pick<Viewer, "id">,
): Outcome<PieceFilter> {
  const parsed = pieceQuery.safeParse(
    Object.fromEntries([...parameters].filter(([, value]) => value.trim() !== "")),
  );
  if (!parsed.success)
    return fail("bad_input", `The request is not valid: ${formatFieldProblems(parsed.error)}.`);
  const { user_id, mode, type, reference, tag, limit, cursor, idempotency_key } = parsed.data;
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
