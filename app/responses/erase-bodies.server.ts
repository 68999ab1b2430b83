import type { Db } from "~/platform/database/client";
import { Prisma } from "../../prisma/client/client";

/** A stored response, for the person it is about. */
export interface PersonsResponse {
  id: string;
  createdAt: Date;
  path: string;
  request: string | null;
  response: string | null;
}

/** Whether a stored response (`r`, its bodies as `b`) is about these pieces, or its texts fulfil the condition. */
type Mentions = (text: Prisma.Sql) => Prisma.Sql;

/** With the name that was looked up for a recipient's ID. */
const TEXT = Prisma.sql`(coalesce(b.request_data, '') || ' ' || coalesce(b.response_data, '') || ' ' || coalesce(r.addressee, ''))`;

function isAbout(pieceIds: readonly string[], mentions: Mentions): Prisma.Sql {
  return Prisma.sql`(b.response_id IN (SELECT id FROM responses WHERE send_id = ANY(${[...pieceIds]}::text[]))
    OR ${mentions(TEXT)})`;
}

/** Responses of these pieces, and those whose text names the person. */
export function findResponsesAbout(
  db: Db,
  pieceIds: readonly string[],
  mentions: Mentions,
): Promise<PersonsResponse[]> {
  return db.$queryRaw<PersonsResponse[]>`
    SELECT b.response_id AS id, r.created_at AS "createdAt", r.path, b.request_data AS request, b.response_data AS response
    FROM response_bodies b JOIN responses r ON r.id = b.response_id
    WHERE ${isAbout(pieceIds, mentions)} ORDER BY r.created_at`;
}

/** Empties these responses' texts. The rows stay, so that totals and history do. */
export async function eraseBodies(db: Db, ids: readonly string[]): Promise<void> {
  await db.$executeRaw`
    UPDATE response_bodies SET request_data = NULL, response_data = NULL, response_headers = '{}'
    WHERE response_id = ANY(${[...ids]}::text[])`;
  await db.$executeRaw`UPDATE response_words SET words = '' WHERE response_id = ANY(${[...ids]}::text[])`;
  await eraseAddressees(db, Prisma.sql`id = ANY(${[...ids]}::text[])`);
}

/** Empties the texts of responses that are so many days old. */
export async function expireBodies(db: Db, days: number): Promise<void> {
  await db.$executeRaw`
    UPDATE response_bodies SET request_data = NULL, response_data = NULL, response_headers = '{}'
    WHERE (request_data IS NOT NULL OR response_data IS NOT NULL) AND response_id IN (
      SELECT id FROM responses WHERE created_at < now() - ${days}::int * interval '1 day')`;
  await db.$executeRaw`
    UPDATE response_words SET words = ''
    WHERE words <> '' AND created_at < now() - ${days}::int * interval '1 day'`;
  await eraseAddressees(db, Prisma.sql`created_at < now() - ${days}::int * interval '1 day'`);
}

/** What was not read yet shall not be read afterwards: it is `described`. */
function eraseAddressees(db: Db, condition: Prisma.Sql): Promise<number> {
  return db.$executeRaw`
    UPDATE responses SET addressee = NULL, search_text = split_part(search_text, chr(31), 1), described = true
    WHERE ${condition} AND (addressee IS NOT NULL OR NOT described)`;
}
