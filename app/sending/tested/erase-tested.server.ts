import type { Db } from "~/platform/database/client";
import { Prisma } from "../../../prisma/client/client";

/** Removes details and link to the PDF from these tested pieces and from those whose details name the person. */
export function eraseTestedPieces(
  db: Db,
  ids: readonly string[],
  mentions: (text: Prisma.Sql) => Prisma.Sql,
): Promise<number> {
  return db.$executeRaw`
    UPDATE tested_pieces SET recipient_details = NULL, pdf_url = NULL
    WHERE id = ANY(${[...ids]}::text[]) OR ${mentions(Prisma.sql`coalesce(recipient_details, '')`)}`;
}

/** The same for those that are so many days old. */
export function expireTestedPieces(db: Db, days: number): Promise<number> {
  return db.$executeRaw`
    UPDATE tested_pieces SET recipient_details = NULL, pdf_url = NULL
    WHERE created_at < now() - ${days}::int * interval '1 day' AND (recipient_details IS NOT NULL OR pdf_url IS NOT NULL)`;
}
