import { createHash } from "node:crypto";
import { parseInlineRecipient } from "~/outside/mail-provider/request-fields";
import type { Db } from "~/platform/database/client";
import { splitWords } from "~/platform/search-words";
import { type MailRecipient, Prisma } from "../../prisma/client/client";
import { parseSentBody } from "./addressee.server";
import {
  formatAccount,
  hashEmail,
  type Identity,
  type Match,
  matchDetails,
  mayBeFound,
  recipientIdOf,
  toAddressWords,
} from "./match-person.server";
import { recipientRowId } from "./record-recipients.server";

/** Limit at one city and postcode. */
const MOST_NEIGHBOURS = 500;
/** Limit of pieces, more than anyone receives. */
const MOST_PIECES = 5_000;

/** A recipient row: the record of a person for one user. An inline address has no `recipientId`. */
export type Person = Pick<
  MailRecipient,
  "id" | "userId" | "baseUrl" | "recipientId" | "name" | "email" | "place"
>;

/** Waits for the end of a running erasure, and keeps others from starting until the transaction ends. */
export async function lockErasures(tx: Db): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended('erasing', 0))::text`;
}

export async function findPerson(db: Db, id: string): Promise<Person | null> {
  const rows = await db.$queryRaw<Person[]>`
    SELECT id, user_id AS "userId", base_url AS "baseUrl", recipient_id AS "recipientId", name, email, place
    FROM mail_recipients WHERE id = ${id}`;
  return rows[0] ?? null;
}

/** A recipient row of any user that is or may be the person. */
export type PersonsRecord = Match<Person>;

/** Loads the recipient rows of a person: exact links, which are part of the identity, and others that a person has to confirm. */
export async function findRecords(db: Db, person: Person, isConfirmed: (record: PersonsRecord) => boolean) {
  for (let rows = [person]; ; ) {
    const identity = await loadIdentity(db, rows);
    const records = await matchRecords(db, identity);
    const theirs = records.filter((record) => record.link === "exact" || isConfirmed(record));
    if (theirs.length <= rows.length) return { identity, records };
    rows = theirs.map(({ data }) => data);
  }
}

/** Finds recipient rows that an identity links to, or that look like the person. */
export async function matchRecords(db: Db, identity: Identity): Promise<PersonsRecord[]> {
  const { rows, accounts, keys, known, mails } = identity;
  const toInlineId = (user: Prisma.Sql, url: Prisma.Sql) =>
    recipientRowId(user, url, null, Prisma.sql`k.key`);
  const inlineId = toInlineId(Prisma.sql`r.user_id`, Prisma.sql`r.base_url`);
  const isInline = Prisma.sql`r.id IN (SELECT ${inlineId} FROM unnest(${keys}::text[]) AS k (key))`;
  const certain = [...rows, ...listRowIds(known, "recipient")];
  const isLinked = Prisma.sql`(r.id = ANY(${certain}::text[])
    OR r.base_url || ' ' || r.recipient_id = ANY(${accounts}::text[]) OR (r.recipient_id IS NULL AND ${isInline}))`;
  const neighbours = await findNeighbours(db, identity);
  const bases = accounts.map((account) => account.split(" ")[0]);
  const ids = accounts.map(recipientIdOf);
  // Each condition has an index.
  const found = await db.$queryRaw<(Person & { at: Date; linked: boolean })[]>`
    SELECT id, user_id AS "userId", base_url AS "baseUrl", recipient_id AS "recipientId", name, email, place,
      created_at AS at, coalesce(${isLinked}, false) AS linked
    FROM mail_recipients r
    WHERE r.id = ANY(${[...certain, ...neighbours]}::text[])
      OR (r.base_url = ANY(${bases}::text[]) AND r.recipient_id = ANY(${ids}::text[]))
      OR r.id = ANY(ARRAY(SELECT ${toInlineId(Prisma.sql`u.id`, Prisma.sql`b.url`)} FROM unnest(${keys}::text[]) AS k (key),
        users u, (SELECT DISTINCT base_url AS url FROM mail_recipients) b))
      OR lower(r.email) = ANY(${mails}::text[]) OR ${mayBeFound(identity, Prisma.sql`r.search_text`)}
    ORDER BY r.created_at, r.id`;
  return found.flatMap(({ at, linked, ...data }) => {
    const { id, name, email, userId } = data;
    const alike =
      matchDetails({ full_name: name, email }, identity) ?? (neighbours.has(id) ? "address" : null);
    const link = linked ? "exact" : alike;
    if (link === null) return [];
    const page = `/recipients/${id}`;
    return [
      { id: `recipient:${id}`, link, name, address: data.place, at, userId, page, isOpen: false, data },
    ];
  });
}

/** Finds recipient rows with another name at the person's address, based on sent pieces. */
async function findNeighbours(db: Db, { keys, names }: Identity): Promise<Set<string>> {
  if (keys.length === 0 || names.length === 0) return new Set();
  const isTheirs = Prisma.sql`recipient_key = ANY(${keys}::text[])`;
  const own = await db.$queryRaw<{ body: string }[]>`
    SELECT DISTINCT ON (recipient_key) request_body AS body FROM sends WHERE ${isTheirs} AND erased_at IS NULL`;
  const addresses = new Set(own.map(({ body }) => toAddressWords(parseInlineRecipient(parseSentBody(body)))));
  addresses.delete(null);
  const near = await db.$queryRaw<{ userId: string; url: string; key: string; body: string }[]>`
    SELECT DISTINCT ON (user_id, recipient_key) user_id AS "userId", url, recipient_key AS key, request_body AS body
    FROM sends WHERE recipient_place IN (SELECT recipient_place FROM sends WHERE ${isTheirs})
      AND recipient_key IS NOT NULL AND NOT ${isTheirs} AND erased_at IS NULL LIMIT ${MOST_NEIGHBOURS}::int`;
  const rows = near.filter(({ body }) =>
    addresses.has(toAddressWords(parseInlineRecipient(parseSentBody(body)))),
  );
  const ids = rows.map(({ userId, url, key }) => {
    // The row id of `recipientRowId`.
    const baseUrl = (url.split("?")[0] ?? "").replace(/\/[^/]+\/[^/]+$/, "");
    return createHash("md5").update(`${userId} ${baseUrl} inline ${key}`).digest("hex");
  });
  return new Set(ids);
}

/** Lists the row ids of one kind in a list of match IDs. */
export function listRowIds(known: readonly string[], kind: string): string[] {
  return known.flatMap((id) => (id.startsWith(`${kind}:`) ? [id.slice(kind.length + 1)] : []));
}

/** Loads the identity of recipient rows. An inline address is known by the pieces that its user sent there. */
async function loadIdentity(db: Db, rows: readonly Person[]): Promise<Identity> {
  const ids = rows.map(({ id }) => id);
  const rowId = recipientRowId(Prisma.sql`s.user_id`, Prisma.sql`b.url`, null, Prisma.sql`s.recipient_key`);
  const inline = rows.filter(({ recipientId }) => recipientId === null);
  const keys =
    inline.length === 0
      ? []
      : await db.$queryRaw<{ key: string }[]>`
          SELECT DISTINCT s.recipient_key AS key
          FROM sends s, unnest(${[...new Set(inline.map(({ baseUrl }) => baseUrl))]}::text[]) AS b (url)
          WHERE s.user_id = ANY(${inline.map(({ userId }) => userId)}::text[]) AND s.recipient_key IS NOT NULL
            AND ${rowId} = ANY(${ids}::text[])`;
  const withEmail = rows.flatMap(({ name, email }) => (email ? [{ name, email }] : []));
  return {
    rows: ids,
    accounts: rows.flatMap(({ baseUrl, recipientId }) =>
      recipientId === null ? [] : [formatAccount(baseUrl, recipientId)],
    ),
    keys: keys.map(({ key }) => key),
    emails: withEmail.flatMap(({ name, email }) => [hashEmail(email, name), hashEmail(email, "")]),
    known: [],
    names: [...new Set(rows.map(({ name }) => name))],
    mails: [...new Set(withEmail.map(({ email }) => email.trim().toLowerCase()))],
  };
}

/**
 * Lists the ids of the pieces that a user sent to one of their recipients, by the provider's recipient, else by the
 * address; and of tests, which have no address, by name.
 * @param id our own id of the recipient
 */
export async function listPiecesTo(db: Db, id: string): Promise<string[]> {
  const person = await findPerson(db, id);
  if (!person) return [];
  const { userId, baseUrl, recipientId, name } = person;
  // Matches the indexed search texts of pieces, because an address is stored as a hash only.
  const pattern = `% ${[...new Set(splitWords(name))].join(" ")} %`;
  const [user, base] = [Prisma.sql`${userId}::text`, Prisma.sql`${baseUrl}::text`];
  const rowId = recipientRowId(user, base, null, Prisma.sql`k.recipient_key`);
  const isTo =
    recipientId === null
      ? Prisma.sql`s.recipient_key = (SELECT k.recipient_key FROM likely l JOIN sends k ON k.id = l.send_id
          WHERE ${rowId} = ${id} LIMIT 1)`
      : Prisma.sql`s.recipient_id = ${recipientId} AND starts_with(s.url, ${`${baseUrl}/`})`;
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH likely AS MATERIALIZED (
      SELECT id, send_id, test, addressee FROM mail_items
      WHERE search_text LIKE ${pattern} AND user_id = ${userId}
    )
    SELECT s.id FROM sends s WHERE s.user_id = ${userId} AND ${isTo}
    UNION ALL
    SELECT id FROM likely WHERE test AND lower(addressee) = lower(${name})
    LIMIT ${MOST_PIECES}::int`;
  return rows.map((row) => row.id);
}

export function eraseRecipients(db: Db, ids: readonly string[]): Promise<number> {
  return db.$executeRaw`DELETE FROM mail_recipients WHERE id = ANY(${[...ids]}::text[])`;
}

/** Removes recipients that were added over `days` days ago and got nothing since. */
export function expireRecipients(db: Db, days: number): Promise<number> {
  const rowId = recipientRowId(
    Prisma.sql`s.user_id`,
    Prisma.sql`b.base_url`,
    Prisma.sql`s.recipient_id`,
    Prisma.sql`s.recipient_key`,
  );
  return db.$executeRaw`
    WITH mailed AS MATERIALIZED (
      SELECT ${rowId} AS id FROM sends s JOIN (SELECT DISTINCT base_url FROM mail_recipients) b
        ON starts_with(s.url, b.base_url || '/')
      WHERE s.created_at > now() - ${days}::int * interval '1 day'
    )
    DELETE FROM mail_recipients r WHERE r.created_at < now() - ${days}::int * interval '1 day'
      AND NOT EXISTS (SELECT 1 FROM mailed WHERE mailed.id = r.id)`;
}
