import type { Db } from "~/platform/database/client";
import { sha256 } from "~/platform/hash.server";
import { parseRecord } from "~/platform/json-value";
import { parseAddressee, parseMergeData } from "~/recipients/addressee.server";
import { MAY_BE_MAILED } from "../transition-sql.server";

/** Age up to which an earlier piece is a duplicate. */
const WITHIN_DAYS = 7;
/** Fields that change neither content nor address. */
const ASIDE = ["recipient", "tags", "test", "idempotency_key", "campaign_id"];

export interface Duplicate {
  id: string;
  /** The provider's id; null while it is not known. */
  providerId: string | null;
  sentBy: string;
  ageSeconds: number;
}

/**
 * Hashes content and address of a piece, without tags and payer; null for a piece without a recipient. A recipient
 * named by its id is another one in another account (`baseUrl`).
 */
export function hashPiece(mailType: string, body: unknown, baseUrl: string): string | null {
  const { key, recipientId } = parseAddressee(body);
  const address = key ?? (recipientId && [baseUrl, recipientId]);
  if (address === null) return null;
  const content = Object.entries(parseRecord(body))
    .filter(([name]) => !ASIDE.includes(name) && !name.startsWith("recipient["))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([mailType, address, content, parseMergeData(body)]));
}

/**
 * Finds the last piece like `send` of the last seven days that was or may be mailed. Locks the piece until the
 * transaction ends, so that of two at once one is the first. A key that has its send already is no duplicate of itself.
 */
export async function findDuplicate(
  tx: Db,
  pieceHash: string,
  { actorId, idempotencyKey }: { actorId: string; idempotencyKey: string },
): Promise<Duplicate | undefined> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${pieceHash}, 0))::text`;
  const [duplicate] = await tx.$queryRaw<Duplicate[]>`
    SELECT s.id, s.provider_id AS "providerId", coalesce(u.display_name, s.actor_id) || coalesce(' via ' || s.via, '') AS "sentBy",
      extract(epoch FROM now() - s.created_at)::float8 AS "ageSeconds"
    FROM sends s LEFT JOIN users u ON u.id = s.actor_id
    WHERE s.piece_hash = ${pieceHash} AND s.created_at > now() - ${WITHIN_DAYS}::int * interval '1 day'
      AND ${MAY_BE_MAILED}
      AND NOT EXISTS (SELECT 1 FROM sends WHERE actor_id = ${actorId} AND idempotency_key = ${idempotencyKey})
    ORDER BY s.created_at DESC LIMIT 1`;
  return duplicate;
}
