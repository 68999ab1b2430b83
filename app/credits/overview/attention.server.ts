import { withDatabase } from "~/platform/database/database.server";
import type { Outcome } from "~/platform/outcome";
import type { Attention } from "../credits-view";

const SHOWN = 10;

/**
 * What needs a decision, ten of each at most: pieces, the oldest first, and payments of the last 30 days.
 * Fails with `not_configured` or `database_unavailable`.
 */
export function loadAttention(): Promise<Outcome<Attention>> {
  return withDatabase(async (db) => {
    const sends = await db.$queryRaw<Attention["sends"]>`
      SELECT s.id, s.mail_type AS "mailType", u.display_name AS payer
      FROM sends s JOIN users u ON u.id = s.user_id
      WHERE s.state = 'needs_review' ORDER BY s.created_at LIMIT ${SHOWN}::int`;
    const payments = await db.$queryRaw<Attention["payments"]>`
      SELECT c.id, coalesce(c.note, '') AS note, u.display_name AS buyer
      FROM checkout_sessions c JOIN users u ON u.id = c.user_id
      WHERE (c.state = 'mismatch' OR c.flag IS NOT NULL) AND c.created_at > now() - interval '30 days'
      ORDER BY c.created_at DESC LIMIT ${SHOWN}::int`;
    return { sends, payments };
  });
}
