import type { z } from "zod";
import { isViewerOrStored, NO_SUCH_USER } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { cancelSend } from "~/pieces/cancel/cancel-mail.server";
import type { MailType } from "~/pieces/mail-type";
import { loadPiecePdf } from "~/pieces/piece-pdf.server";
import { isOpen, type PieceState } from "~/pieces/states";
import { loadTestedPdf } from "~/pieces/tested/tested-piece.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { formatBadRequest, formatFieldProblems, parseInput, selectFilled } from "~/platform/input.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { cutPage, type Page } from "~/platform/page-cursor";
import { type PieceLabels, Prisma, type Send } from "../../prisma/client/client";
import type { PieceQuery, WirePiece } from "./piece.schema.server";

type SendColumn = "id" | "userId" | "actorId" | "providerId" | "cost" | "charged" | "note" | "testedPieceId";

interface Row
  extends Pick<Send, SendColumn | "createdAt" | "settledAt">,
    Pick<PieceLabels, "reference" | "tags"> {
  test: boolean;
  type: MailType;
  /** Null for a test. */
  state: PieceState | null;
  status: string | null;
  statusAt: Date | null;
  recipient: string | null;
  hasPdf: boolean;
}

const TYPES: readonly MailType[] = ["postcard", "letter"];

const LIVE = Prisma.sql`
  SELECT s.id, false AS test, s.mail_type AS type, s.state, i.status, i.status_at AS "statusAt",
    s.provider_id AS "providerId", s.user_id AS "userId", s.actor_id || coalesce(' via ' || s.via, '') AS "actorId",
    coalesce(i.addressee, s.recipient_name) AS recipient, s.cost, s.charged, l.reference,
    coalesce(l.tags, '{}') AS tags, s.tested_piece_id AS "testedPieceId",
    s.erased_at IS NULL AND i.id IS NOT NULL AS "hasPdf", s.note, s.created_at AS "createdAt", s.settled_at AS "settledAt"
  FROM (SELECT id, mail_type, state, provider_id, user_id, actor_id, via, recipient_name, cost, charged, note,
    created_at, settled_at, erased_at, tested_piece_id, idempotency_key FROM sends`;
const WITH_ITEM = Prisma.sql`) s LEFT JOIN mail_items i ON i.id = s.id
  LEFT JOIN piece_labels l ON l.key = coalesce(s.tested_piece_id, s.idempotency_key) AND l.actor_id = s.actor_id
    AND NOT l.is_test`;
const TESTS = Prisma.sql`
  SELECT i.id, true AS test, i.type, NULL::text AS state, i.status, i.status_at AS "statusAt",
    i.provider_id AS "providerId", i.user_id AS "userId", i.actor_id AS "actorId", i.addressee AS recipient, 0 AS cost,
    0 AS charged, l.reference, coalesce(l.tags, '{}') AS tags, t.id AS "testedPieceId",
    t.pdf_url IS NOT NULL AS "hasPdf", NULL::text AS note, i.created_at AS "createdAt", i.created_at AS "settledAt"
  FROM (SELECT * FROM mail_items`;
const WITH_TESTED = Prisma.sql`) i LEFT JOIN piece_labels l ON l.key = i.id AND l.is_test
  LEFT JOIN tested_pieces t ON t.id = l.tested_piece_id`;

/** Loads a piece, live or test. Fails with `not_found`, or as the database does. */
export async function loadPiece(id: string): Promise<Outcome<WirePiece>> {
  const found = await withDatabase((db) => selectOne(db, id));
  if (!found.ok) return found;
  return found.value
    ? succeed(toWirePiece(found.value))
    : fail("not_found", "There is no piece with this ID. Nothing was changed.");
}

/** Loads the provider's PDF of a piece, live or test. Fails with `not_found`, as the database does, or as fetching it does. */
export async function loadPieceFile(id: string): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  const found = await loadPiece(id);
  if (!found.ok) return found;
  const { mode, tested_piece_id } = found.value;
  return mode === "live" ? loadPiecePdf(id) : loadTestedPdf(tested_piece_id ?? "");
}

/** Cancels a live piece and refunds it. Fails with `not_found`, and as `cancelSend` does. */
export async function cancelPiece(id: string, viewer: Viewer) {
  const known = await loadPiece(id);
  if (!known.ok) return known;
  const cancelled = await cancelSend(id, viewer);
  if (!cancelled.ok) return cancelled;
  const { kind, message, refund } = cancelled.value;
  const piece = await loadPiece(id);
  return succeed({
    piece: piece.ok ? piece.value : known.value,
    message,
    refund: refund && { credits_refunded: refund.creditsRefunded, new_balance: refund.newBalance },
    /** True until the provider confirms it. */
    pending: kind === "pending",
  });
}

/** Parses the query of a request to `/api/pieces`; empty parameters count as absent. Fails with `bad_input`. */
export function parsePieceQuery<Schema extends z.ZodType>(
  schema: Schema,
  request: Request,
): Outcome<z.output<Schema>> {
  const { searchParams } = new URL(request.url);
  return parseInput(schema, selectFilled(searchParams), formatBadRequest, formatFieldProblems);
}

/** Lists a page of a user's pieces, newest first. Fails with `not_found` for an unknown user, or as the database does. */
export async function listPieces(
  query: PieceQuery,
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<Page<WirePiece>>> {
  const { user_id = viewer.id } = query;
  const loaded = await withDatabase(async (db) =>
    (await isViewerOrStored(db, user_id, viewer)) ? selectPage(db, { ...query, user_id }, viewer.id) : null,
  );
  if (!loaded.ok) return loaded;
  if (loaded.value === null) return NO_SUCH_USER;
  const { rows, nextCursor } = cutPage(loaded.value, query.limit);
  return succeed({ rows: rows.map(toWirePiece), nextCursor });
}

async function selectOne(db: Db, id: string): Promise<Row | null> {
  const [row] = await db.$queryRaw<Row[]>`
    ${LIVE} WHERE id = ${id} ${WITH_ITEM} UNION ALL ${TESTS} WHERE id = ${id} AND test ${WITH_TESTED}`;
  return row ?? null;
}

/** Uses one index for live pieces of all types, and one for each type of test. */
function selectPage(
  db: Db,
  { user_id, mode, type, reference, tag, limit, cursor, idempotency_key: key }: PieceQuery,
  viewerId: string,
): Promise<Row[]> {
  if (key !== undefined) {
    return db.$queryRaw<Row[]>`
      ${LIVE} WHERE actor_id = ${viewerId}
        AND (idempotency_key = ${key} OR tested_piece_id = ${key})
        ORDER BY created_at DESC LIMIT 1 ${WITH_ITEM}`;
  }
  const after = cursor
    ? Prisma.sql`AND (created_at, id) < (${cursor.createdAt}::timestamptz, ${cursor.id})`
    : Prisma.empty;
  const order = Prisma.sql`ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}::int`;
  const ofType = type === undefined ? Prisma.empty : Prisma.sql`AND mail_type = ${type}`;
  const isNamed = Prisma.sql`(${reference ?? null}::text IS NULL OR l.reference = ${reference ?? null}::text)
    AND (${tag ?? null}::text IS NULL OR l.tags @> ARRAY[${tag ?? null}::text])`;
  const named = reference !== undefined || tag !== undefined;
  const isNamedLive = Prisma.sql`AND id IN (SELECT n.id FROM piece_labels l JOIN sends n
    ON n.actor_id = l.actor_id AND (n.idempotency_key = l.key OR n.tested_piece_id = l.key)
    WHERE NOT l.is_test AND ${isNamed})`;
  const isNamedTest = Prisma.sql`AND id IN (SELECT l.key FROM piece_labels l WHERE l.is_test AND ${isNamed})`;
  const live = Prisma.sql`(${LIVE} WHERE user_id = ${user_id} ${ofType} ${named ? isNamedLive : Prisma.empty}
    ${after} ${order} ${WITH_ITEM})`;
  const tests = TYPES.filter((one) => type === undefined || one === type).map(
    (one) => Prisma.sql`(${TESTS} WHERE user_id = ${user_id} AND type = ${one} AND test
      ${named ? isNamedTest : Prisma.empty} ${after} ${order} ${WITH_TESTED})`,
  );
  const parts = [...(mode === "test" ? [] : [live]), ...(mode === "live" ? [] : tests)];
  return db.$queryRaw<Row[]>`
    SELECT * FROM (${Prisma.join(parts, " UNION ALL ")}) p
    ORDER BY p."createdAt" DESC, p.id DESC LIMIT ${limit + 1}::int`;
}

function toWirePiece(row: Row): WirePiece {
  const { id, test, state, cost, charged } = row;
  return {
    id,
    mode: test ? "test" : "live",
    type: row.type,
    state: toWireState(state),
    status: row.status,
    status_at: row.statusAt?.toISOString() ?? null,
    provider_id: test ? null : row.providerId,
    user_id: row.userId,
    actor_id: row.actorId,
    recipient: row.recipient,
    credits: {
      cost,
      held: state !== null && isOpen(state) ? cost : 0,
      charged: state === "cancelled" ? 0 : charged,
    },
    reference: row.reference,
    tags: row.tags,
    tested_piece_id: row.testedPieceId,
    pdf_url: row.hasPdf ? `${env().appOrigin}/api/pieces/${id}/pdf` : null,
    note: row.note,
    url: test ? null : `${env().appOrigin}/sends/${id}`,
    created_at: row.createdAt.toISOString(),
    settled_at: row.settledAt?.toISOString() ?? null,
  };
}

function toWireState(state: PieceState | null): WirePiece["state"] {
  switch (state) {
    case null:
      return "test";
    case "reserved":
    case "sending":
    case "unknown":
      return "checking";
    case "needs_review":
      return "needs_decision";
    default:
      return state;
  }
}
