import type { Db } from "~/platform/database/client";
import { Prisma } from "../../../prisma/client/client";
import { MAY_BE_MAILED } from "../transition-sql.server";
import type { NewSend } from "./piece-order.server";
import { OWN_KEYS } from "./send-record.server";

/** Age in days up to which an earlier piece is a duplicate. */
const WITHIN_DAYS = 7;
/** SQL condition: the piece `s` was or may be mailed, and is young enough to have duplicates. */
export const MAKES_DUPLICATES = Prisma.sql`s.created_at > now() - ${WITHIN_DAYS}::int * interval '1 day' AND ${MAY_BE_MAILED}`;

export interface Duplicate {
  id: string;
  /** The provider's id; null while it is not known. */
  providerId: string | null;
  sentBy: string;
  at: Date;
  ageSeconds: number;
}

/**
 * Finds the last piece of the last seven days that was or may be mailed and that `send` repeats: an equal piece, or for a row of a list
 * any of this type to its address that another list or person sent. Locks the address until the transaction ends, so that of two at
 * once one is the first. A key that has its send already is no duplicate of itself.
 */
export async function findDuplicate(tx: Db, send: NewSend): Promise<Duplicate | undefined> {
  const { actorId, idempotencyKey, pieceHash, mailType, addressee, creditReservationId } = send;
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${addressee.key ?? pieceHash}, 0))::text`;
  const [duplicate] = await tx.$queryRaw<Duplicate[]>`
    SELECT s.id, s.provider_id AS "providerId", coalesce(u.display_name, s.actor_id) || coalesce(' via ' || s.via, '') AS "sentBy",
      s.created_at AS at, extract(epoch FROM now() - s.created_at)::float8 AS "ageSeconds"
    FROM sends s LEFT JOIN users u ON u.id = s.actor_id
    WHERE ${
      creditReservationId === null
        ? Prisma.sql`s.piece_hash = ${pieceHash}`
        : Prisma.sql`s.recipient_key = ${addressee.key} AND s.mail_type = ${mailType}
            AND NOT starts_with(s.idempotency_key, ${formatListPrefix(idempotencyKey)})`
    }
      AND ${MAKES_DUPLICATES}
      AND NOT EXISTS (SELECT 1 FROM sends WHERE actor_id = ${actorId} AND idempotency_key = ${idempotencyKey})
    ORDER BY s.created_at DESC LIMIT 1`;
  return duplicate;
}

/** Cuts the key of a row, `list:<id>:<row>:<attempt>`, to what all keys of its list begin with. */
function formatListPrefix(rowKey: string): string {
  return rowKey.slice(0, rowKey.indexOf(":", OWN_KEYS.row.length) + 1);
}
