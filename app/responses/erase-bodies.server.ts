import { parseInlineRecipient } from "~/outside/mail-provider/request-fields";
import type { Db } from "~/platform/database/client";
import { env } from "~/platform/env.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { splitWords } from "~/platform/search-words";
import {
  emptyObjects,
  findObjects,
  hash,
  type Identity,
  isNamed,
  type Link,
  type Match,
  matchDetails,
  matchObject,
  mayHold,
  toNameAndAddress,
  writePersonQuery,
} from "~/recipients/match-person.server";
import { listRowIds } from "~/recipients/person.server";
import { Prisma, type StoredResponse } from "../../prisma/client/client";
import { updateTags } from "./change-response.server";
import { writeResponseWords } from "./search/response-words.server";

/** A stored response about a person, or a part of one. */
export interface PersonsResponse {
  id: string;
  createdAt: Date;
  path: string;
  /** The whole response, a tag, or the objects in it with that SHA-256. */
  part: "whole" | { tag: string } | { object: string };
  content: unknown;
}

interface Row
  extends Pick<StoredResponse, "id" | "createdAt" | "userId" | "path" | "sendId" | "addressee" | "tags"> {
  request: string | null;
  response: string | null;
}

/** Limit of rows read at a time: each may have 2 MB. */
const ROWS_AT_ONCE = 100;
const EXPIRED_AT_ONCE = 500;
const ABOUT_RECIPIENTS = /^recipients\//i;
/** Includes the name that was looked up for a recipient's ID. */
const TEXT = Prisma.sql`lower(concat_ws(' ', b.request_data, b.response_data, r.addressee, array_to_string(r.tags, ' ')))`;

/**
 * Finds stored responses that are or may be about a person. A response whose request goes to the person belongs to
 * them as a whole; of others, the objects with their details. A body that is not JSON is not searched.
 * @param pieces ids of the pieces to the person
 */
export async function findResponses(db: Db, identity: Identity, pieces: readonly string[]) {
  const own = new Set(pieces);
  const matches: Match<PersonsResponse>[] = [];
  for (let last = ""; ; ) {
    const rows = await db.$queryRaw<Row[]>`
      WITH candidates AS MATERIALIZED (${selectCandidates(identity, pieces)})
      SELECT r.id, r.created_at AS "createdAt", r.user_id AS "userId", r.path, r.send_id AS "sendId", r.addressee, r.tags,
        b.request_data AS request, b.response_data AS response
      FROM candidates c CROSS JOIN LATERAL (SELECT * FROM response_bodies WHERE response_id = c.id OFFSET 0) b
        JOIN responses r ON r.id = b.response_id
      WHERE c.id > ${last} AND (r.send_id = ANY(${[...own]}::text[]) OR ${mayHold(identity, TEXT)})
      ORDER BY c.id LIMIT ${ROWS_AT_ONCE}::int`;
    for (const row of rows) matches.push(...matchResponse(row, identity, own));
    const end = rows.at(-1);
    if (end === undefined || rows.length < ROWS_AT_ONCE) break;
    last = end.id;
  }
  return matches.sort((a, b) => a.at.getTime() - b.at.getTime());
}

/**
 * Selects the responses that may hold a person by the indexes of words, tags and recipients, and those whose words are not
 * complete or were deleted: reading all texts of a million responses takes over a minute.
 */
function selectCandidates(identity: Identity, pieces: readonly string[]): Prisma.Sql {
  if (!isNamed(identity)) return Prisma.sql`SELECT id FROM responses`;
  const query = writePersonQuery(identity);
  // Spelled like the index.
  const byWords = Prisma.sql`words IS NOT NULL AND array_to_tsvector(string_to_array(btrim(words), ' ')) @@ ${query}::tsquery`;
  return Prisma.sql`
    SELECT response_id AS id FROM response_words WHERE ${byWords}
    UNION SELECT response_id FROM response_words WHERE is_complete IS NOT TRUE
    UNION SELECT id FROM responses WHERE deleted_at IS NULL AND ${mayHold(identity, Prisma.sql`search_text`)}
    UNION SELECT id FROM responses WHERE deleted_at IS NOT NULL
    UNION SELECT id FROM responses WHERE send_id = ANY(${[...pieces]}::text[])`;
}

function matchResponse(row: Row, identity: Identity, pieces: ReadonlySet<string>): Match<PersonsResponse>[] {
  const { id, createdAt, userId, path, addressee, tags, request, response } = row;
  const sent = parseRecord(parseJson(request ?? ""));
  const place = {
    baseUrl: env().baseUrls.find((base) => base.label === sent.base)?.url ?? null,
    isRecipient: ABOUT_RECIPIENTS.test(path),
  };
  const body = parseRecord(sent.body);
  const details = { ...body, ...parseInlineRecipient(body) };
  const matches: Match<PersonsResponse>[] = [];
  type Part = PersonsResponse["part"];
  const add = (part: Part, link: Link | null, fields: Record<string, unknown>, content: unknown) => {
    const name = part === "whole" ? "" : `:${"tag" in part ? hash(part.tag) : part.object}`;
    const match = { id: `response:${id}${name}`, ...toNameAndAddress(fields), at: createdAt, userId };
    const data = { id, createdAt, path, part, content };
    const known = identity.known.includes(match.id) ? "exact" : link;
    if (known !== null) matches.push({ ...match, link: known, page: `/stored/${id}`, isOpen: false, data });
    return known;
  };
  const toPerson =
    row.sendId !== null && pieces.has(row.sendId)
      ? "exact"
      : (matchObject(details, identity, place) ?? matchDetails({ full_name: addressee }, identity));
  const answered = parseRecord(parseRecord(parseJson(response ?? "")).data);
  const allDetails = { ...answered, full_name: addressee, ...details };
  const whole = add("whole", toPerson, allDetails, { request, response });
  for (const tag of tags) {
    const named = identity.names.some((name) => carriesName(tag, name));
    add({ tag }, named ? (whole ?? "name") : null, { full_name: tag }, tag);
  }
  if (whole === "exact") return matches;
  const known = new Set(listRowIds(identity.known, `response:${id}`));
  const objects = [sent, parseJson(response ?? "")].flatMap((value) =>
    findObjects(value, identity, { ...place, known }),
  );
  for (const [object, { link, fields }] of new Map(objects.map((one) => [one.id, one]))) {
    // A record proposed as a whole is not proposed again in parts.
    if (whole === null || link === "exact") add({ object }, link, fields, fields);
  }
  return matches;
}

/** True for a tag with every word of a name. */
function carriesName(tag: string, name: string): boolean {
  const words = splitWords(name);
  const carried = splitWords(tag);
  return words.length > 0 && words.every((word) => carried.includes(word));
}

/** Erases the parts that belong to a person. The rows stay, with totals and history. */
export async function eraseResponses(db: Db, responses: readonly PersonsResponse[]): Promise<void> {
  const whole = responses.filter(({ part }) => part === "whole").map(({ id }) => id);
  await eraseBodies(db, Prisma.sql`SELECT unnest(${whole}::text[])`);
  const objects = new Map<string, Set<string>>();
  const tags = new Map<string, string[]>();
  for (const { id, part } of responses) {
    if (part === "whole") continue;
    if ("tag" in part) tags.set(id, [...(tags.get(id) ?? []), part.tag]);
    else objects.set(id, (objects.get(id) ?? new Set()).add(part.object));
  }
  for (const [id, those] of objects) await eraseObjects(db, id, those);
  for (const [id, those] of tags) await eraseTags(db, id, those);
}

async function eraseObjects(db: Db, id: string, objects: ReadonlySet<string>): Promise<void> {
  const [row] = await db.$queryRaw<Pick<Row, "request" | "response">[]>`
    SELECT request_data AS request, response_data AS response FROM response_bodies WHERE response_id = ${id} FOR UPDATE`;
  if (!row) return;
  const [request, response] = [row.request, row.response].map((text) =>
    text === null ? null : JSON.stringify(emptyObjects(parseJson(text), objects)),
  );
  const { words, isComplete } = writeResponseWords(request ?? null, response ?? null);
  await db.$executeRaw`
    UPDATE response_bodies SET request_data = ${request ?? null}::text, response_data = ${response ?? null}::text,
      response_bytes = NULL
    WHERE response_id = ${id}`;
  await db.$executeRaw`
    UPDATE response_words SET words = ${words}, is_complete = ${isComplete} WHERE response_id = ${id}`;
}

function eraseTags(db: Db, id: string, erased: readonly string[]): Promise<void> {
  return updateTags(db, id, (tags) => tags.filter((tag) => !erased.includes(tag)));
}

/** Empties the texts of responses of at least `days` days. */
export async function expireBodies(db: Db, days: number): Promise<void> {
  while ((await expireSomeBodies(db, days)) > 0);
}

/** Empties the texts of a number of such responses that stays within the limits of a statement. Returns it. */
export async function expireSomeBodies(db: Db, days: number): Promise<number> {
  const rows = await db.$queryRaw<{ id: string; addressee: string | null; tags: string[] }[]>`
    SELECT id, addressee, tags FROM responses
    WHERE NOT expired AND created_at < now() - ${days}::int * interval '1 day'
    ORDER BY created_at LIMIT ${EXPIRED_AT_ONCE}::int`;
  for (const { id, addressee, tags } of rows) {
    const named = addressee === null ? [] : tags.filter((tag) => carriesName(tag, addressee));
    if (named.length > 0) await eraseTags(db, id, named);
  }
  const ids = rows.map(({ id }) => id);
  await eraseBodies(db, Prisma.sql`SELECT unnest(${ids}::text[])`);
  await db.$executeRaw`UPDATE responses SET expired = true WHERE id = ANY(${ids}::text[])`;
  return ids.length;
}

/** Empties bodies and marks the rows as `described`, so that they are not read afterwards. */
async function eraseBodies(db: Db, ids: Prisma.Sql): Promise<void> {
  await db.$executeRaw`
    UPDATE response_bodies SET request_data = NULL, response_data = NULL, response_headers = '{}',
      response_bytes = NULL
    WHERE (request_data IS NOT NULL OR response_data IS NOT NULL) AND response_id IN (${ids})`;
  await db.$executeRaw`
    UPDATE response_words SET words = '', is_complete = true
    WHERE (words <> '' OR is_complete IS NOT TRUE) AND response_id IN (${ids})`;
  await db.$executeRaw`
    UPDATE responses SET addressee = NULL, search_text = split_part(search_text, chr(31), 1), described = true,
      cancellation_reason = NULL
    WHERE id IN (${ids}) AND (addressee IS NOT NULL OR NOT described OR cancellation_reason IS NOT NULL)`;
}
