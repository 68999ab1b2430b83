import type { Db } from "~/platform/database/client";
import { parseJson, parseRecord } from "~/platform/json-value";
import {
  type Identity,
  type Match,
  matchDetails,
  mayHold,
  toNameAndAddress,
} from "~/recipients/match-person.server";
import { listRowIds } from "~/recipients/person.server";
import { Prisma } from "../../../prisma/client/client";

/** A tested piece about a person. */
export interface PersonsTestedPiece {
  id: string;
  createdAt: Date;
  /** JSON: the saved recipient's details that filled its text. */
  recipientDetails: string | null;
  pdfUrl: string | null;
}

/**
 * Finds tested pieces that are or may be to a person.
 * @param ids of those that their pieces were sent from
 */
export async function findTestedPieces(
  db: Db,
  identity: Identity,
  ids: readonly string[],
): Promise<Match<PersonsTestedPiece>[]> {
  const links = [...identity.keys, ...identity.accounts];
  const known = [...ids, ...listRowIds(identity.known, "tested")];
  const isLinked = Prisma.sql`(recipient_link = ANY(${links}::text[]) OR id = ANY(${known}::text[]))`;
  const rows = await db.$queryRaw<(PersonsTestedPiece & { userId: string; linked: boolean })[]>`
    SELECT id, created_at AS "createdAt", recipient_details AS "recipientDetails", pdf_url AS "pdfUrl",
      user_id AS "userId", coalesce(${isLinked}, false) AS linked
    FROM tested_pieces WHERE part_hashes <> '{}' AND (${isLinked}
      OR (recipient_details IS NOT NULL AND ${mayHold(identity, Prisma.sql`lower(recipient_details)`)}))
    ORDER BY created_at, id`;
  return rows.flatMap(({ userId, linked, ...data }) => {
    const details = parseRecord(parseJson(data.recipientDetails ?? ""));
    const link = linked ? "exact" : matchDetails(details, identity);
    if (link === null) return [];
    const id = `tested:${data.id}`;
    const page = data.pdfUrl === null ? null : `/tested/${data.id}.pdf`;
    return [
      { id, link, ...toNameAndAddress(details), at: data.createdAt, userId, page, isOpen: false, data },
    ];
  });
}

/**
 * Removes recipient, PDF link and hashes from tested pieces, because short values can be guessed from hashes. They
 * can no longer be sent live.
 */
export function eraseTestedPieces(db: Db, ids: readonly string[]): Promise<number> {
  return erase(db, Prisma.sql`id = ANY(${[...ids]}::text[])`);
}

/** Erases tested pieces of at least `days` days in the same way. */
export function expireTestedPieces(db: Db, days: number): Promise<number> {
  return erase(db, Prisma.sql`created_at < now() - ${days}::int * interval '1 day' AND part_hashes <> '{}'`);
}

function erase(db: Db, condition: Prisma.Sql): Promise<number> {
  return db.$executeRaw`
    UPDATE tested_pieces SET recipient_details = NULL, pdf_url = NULL, recipient_link = NULL, call_hash = '',
      part_hashes = '{}'
    WHERE ${condition}`;
}
