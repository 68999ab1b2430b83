import type { MailType } from "~/pieces/mail-type";
import type { PieceState } from "~/pieces/states";
import { IS_OPEN, SELECT_STATE } from "~/pieces/transition-sql.server";
import { withDatabase } from "~/platform/database/database.server";
import type { Outcome } from "~/platform/outcome";

const SHOWN = 50;

/** Live mail whose outcome is not known yet, so that it is no mail item: the credits are held. */
export interface HeldPiece {
  /** Its page is `/sends/<id>`. */
  id: string;
  type: MailType;
  addressee: string | null;
  state: PieceState;
  /** Credits. */
  cost: number;
  createdAt: Date;
  /** All held pieces of the user, also those beyond the 50 that are listed. */
  total: number;
}

/**
 * A user's held letters and postcards, the newest 50 first. Fails as the database does.
 *
 * Counting them makes the planner start from the few open pieces, not from the user's whole history.
 */
export function listHeldPieces(userId: string): Promise<Outcome<HeldPiece[]>> {
  return withDatabase(
    (db) => db.$queryRaw<HeldPiece[]>`
      SELECT id, mail_type AS type, coalesce(recipient_name, 'Recipient ' || recipient_id) AS addressee,
        ${SELECT_STATE}, cost, created_at AS "createdAt", (count(*) OVER ())::int AS total
      FROM sends WHERE user_id = ${userId} AND ${IS_OPEN}
      ORDER BY created_at DESC, id DESC LIMIT ${SHOWN}::int`,
  );
}
