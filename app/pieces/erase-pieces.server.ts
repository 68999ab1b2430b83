import type { Db } from "~/platform/database/client";
import { isSentTo, type Person } from "~/recipients/person.server";
import { Prisma } from "../../prisma/client/client";
import { isOpen, type PieceState } from "./states";
import { IS_UNSETTLED, SELECT_STATE } from "./transition-sql.server";

/** A piece to a person, with what is kept of it. */
export interface PersonsPiece {
  id: string;
  state: PieceState;
  mailType: string;
  providerId: string | null;
  createdAt: Date;
  recipientName: string | null;
  recipientEmail: string | null;
  /** The request as it was sent. */
  requestBody: string;
  /** The provider's answer. */
  answerText: string | null;
  testedPieceId: string | null;
  hasPdf: boolean;
}

/** Not settled: their bytes are still needed, because a repeated call must have the same. */
export function isUnsettled({ state }: Pick<PersonsPiece, "state">): boolean {
  return isOpen(state) || state === "cancelling";
}

/** All pieces to a person, whoever sent them. */
export function findPiecesTo(db: Db, person: Person): Promise<PersonsPiece[]> {
  return db.$queryRaw<PersonsPiece[]>`
    SELECT s.id, ${SELECT_STATE}, s.mail_type AS "mailType", s.provider_id AS "providerId", s.created_at AS "createdAt",
      s.recipient_name AS "recipientName", s.recipient_email AS "recipientEmail", s.request_body AS "requestBody",
      s.answer_text AS "answerText", s.tested_piece_id AS "testedPieceId",
      EXISTS (SELECT 1 FROM piece_pdfs p WHERE p.send_id = s.id AND p.pdf IS NOT NULL) AS "hasPdf"
    FROM sends s WHERE ${isSentTo(person)} ORDER BY s.created_at`;
}

/**
 * Takes name, address, content and PDF from settled pieces; state, cost and provider's id stay. Part of a transaction.
 */
export async function erasePieces(db: Db, ids: readonly string[]): Promise<void> {
  const chosen = Prisma.sql`${[...ids]}::text[]`;
  await db.$queryRaw`SELECT set_config('mailroom.erasing', 'on', true)`;
  await db.$executeRaw`
    UPDATE sends SET recipient_id = NULL, recipient_name = NULL, recipient_email = NULL, recipient_place = NULL,
      recipient_key = NULL, search_text = '',
      piece_hash = NULL, request_body = '{}', answer_text = NULL, unsaved_request = NULL
    WHERE id = ANY(${chosen})`;
  await db.$executeRaw`UPDATE mail_items SET addressee = NULL, place = NULL, search_text = '' WHERE send_id = ANY(${chosen})`;
  await db.$executeRaw`DELETE FROM piece_pdfs WHERE send_id = ANY(${chosen})`;
  await db.$executeRaw`UPDATE piece_events SET answer_text = NULL, note = NULL WHERE piece_id = ANY(${chosen})`;
  await db.$queryRaw`SELECT set_config('mailroom.erasing', '', true)`;
}

/** Removes the name from the items of tests, which have no send. */
export function eraseSampleItems(db: Db, { name }: Person): Promise<number> {
  return db.$executeRaw`
    UPDATE mail_items SET addressee = NULL, place = NULL, search_text = ''
    WHERE send_id IS NULL AND lower(addressee) = lower(${name})`;
}

/** Settled pieces that are so many days old and have their content still. */
export async function findExpiredPieces(db: Db, days: number, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM sends WHERE settled_at < now() - ${days}::int * interval '1 day'
      AND NOT ${IS_UNSETTLED}
      AND (request_body <> '{}' OR answer_text IS NOT NULL OR recipient_name IS NOT NULL) LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}
