import { parseInlineRecipient } from "~/outside/mail-provider/request-fields";
import type { Db } from "~/platform/database/client";
import { parseJson, parseRecord } from "~/platform/json-value";
import { parseSentBody } from "~/recipients/addressee.server";
import {
  type Identity,
  type Link,
  type Match,
  matchDetails,
  mayBeFound,
  mayHold,
  recipientIdOf,
  toNameAndAddress,
} from "~/recipients/match-person.server";
import { listRowIds } from "~/recipients/person.server";
import { recipientRowId } from "~/recipients/record-recipients.server";
import { type MailItem, Prisma, type Send, type TestedPiece } from "../../prisma/client/client";
import { NOT_ITEMS } from "./find-pieces.server";
import { BASE_URL } from "./item-record.server";
import { isOpen, type PieceState } from "./states";
import { IS_UNSETTLED } from "./transition-sql.server";

type StoredText = "requestBody" | "answerText" | "recipientName" | "recipientEmail";

/** A piece to a person, with its stored data. */
export interface PersonsPiece
  extends Pick<Send, "id" | "mailType" | "providerId" | "createdAt" | "testedPieceId" | StoredText> {
  state: PieceState;
  hasPdf: boolean;
  recordId: string | null;
}

export type PersonsTest = Pick<MailItem, "id" | "createdAt" | "addressee" | "place">;

type Candidate = { id: string } & Record<"account" | "key" | "name" | "email", string | null>;

/** Finds pieces of all senders that are or may be to a person. Erased pieces no longer match anyone. */
export async function findPiecesTo(db: Db, identity: Identity): Promise<Match<PersonsPiece>[]> {
  const { keys, accounts, known } = identity;
  const recipientIds = accounts.map(recipientIdOf);
  const isNamedItem = mayBeFound(identity, Prisma.sql`i.search_text`);
  const candidates = await db.$queryRaw<Candidate[]>`
    SELECT s.id, ${BASE_URL} || ' ' || s.recipient_id AS account, s.recipient_key AS key,
      s.recipient_name AS name, s.recipient_email AS email
    FROM sends s WHERE s.erased_at IS NULL AND (s.recipient_key = ANY(${keys}::text[])
      OR s.recipient_id = ANY(${recipientIds}::text[]) OR s.id = ANY(${listRowIds(known, "piece")}::text[])
      OR s.id = ANY(ARRAY(SELECT i.send_id FROM mail_items i WHERE NOT i.test AND ${isNamedItem}))
      OR (${NOT_ITEMS} AND ${mayBeFound(identity, Prisma.sql`s.search_text`)}))`;
  const links = new Map<string, Link>();
  for (const { id, account, key, name, email } of candidates) {
    const isLinked = (key !== null && keys.includes(key)) || known.includes(`piece:${id}`);
    const link = isLinked ? "exact" : matchDetails({ full_name: name, email }, identity, account);
    if (link) links.set(id, link);
  }
  return loadPieces(db, links);
}

async function loadPieces(db: Db, links: ReadonlyMap<string, Link>): Promise<Match<PersonsPiece>[]> {
  const rows = await db.$queryRaw<(PersonsPiece & { userId: string })[]>`
    SELECT s.id, state, s.mail_type AS "mailType", s.provider_id AS "providerId", s.created_at AS "createdAt",
      s.recipient_name AS "recipientName", s.recipient_email AS "recipientEmail", s.request_body AS "requestBody",
      s.answer_text AS "answerText", s.tested_piece_id AS "testedPieceId", s.user_id AS "userId",
      EXISTS (SELECT 1 FROM piece_pdfs p WHERE p.send_id = s.id AND p.pdf IS NOT NULL) AS "hasPdf",
      ${recipientRowId(Prisma.sql`s.user_id`, BASE_URL, Prisma.sql`s.recipient_id`, Prisma.sql`s.recipient_key`)} AS "recordId"
    FROM sends s WHERE s.id = ANY(${[...links.keys()]}::text[]) ORDER BY s.created_at, s.id`;
  return rows.map(({ userId, ...data }) => {
    const { id, state, createdAt, recipientName, requestBody, answerText } = data;
    const sent = toNameAndAddress(parseInlineRecipient(parseSentBody(requestBody)));
    // A recipient given by ID has an address only in the provider's answer.
    const answered = toNameAndAddress(parseRecord(parseRecord(parseJson(answerText ?? "")).data));
    return {
      id: `piece:${id}`,
      link: links.get(id) ?? "name",
      name: recipientName ?? sent.name ?? answered.name,
      address: sent.address ?? answered.address,
      at: createdAt,
      userId,
      page: `/sends/${id}`,
      isOpen: isOpen(state) || state === "cancelling",
      data,
    };
  });
}

/**
 * Finds tests in the list of mail items that are or may be to a person. Items of pieces are erased with their piece.
 */
export async function findTestItems(db: Db, identity: Identity): Promise<Match<PersonsTest>[]> {
  const links = [...identity.keys, ...identity.accounts];
  const isLinked = Prisma.sql`(recipient_link = ANY(${links}::text[])
    OR id = ANY(${listRowIds(identity.known, "test")}::text[]))`;
  const rows = await db.$queryRaw<(PersonsTest & { userId: string; linked: boolean })[]>`
    SELECT id, created_at AS "createdAt", user_id AS "userId", addressee, place, coalesce(${isLinked}, false) AS linked
    FROM mail_items WHERE send_id IS NULL AND (${isLinked}
      OR (addressee IS NOT NULL AND ${mayHold(identity, Prisma.sql`lower(addressee)`)}))
    ORDER BY created_at, id`;
  return rows.flatMap(({ userId, linked, ...data }) => {
    const { id, createdAt, addressee: name, place: address } = data;
    const link = linked ? "exact" : matchDetails({ full_name: name }, identity);
    if (link === null) return [];
    return [
      { id: `test:${id}`, link, name, address, at: createdAt, userId, page: null, isOpen: false, data },
    ];
  });
}

/**
 * Erases name, address, content, hashes and PDF of settled pieces; state, cost and provider's id stay. Part of a transaction.
 * `reduced_at` stops the task that writes back a request without its files.
 */
export async function erasePieces(db: Db, ids: readonly string[]): Promise<void> {
  const chosen = Prisma.sql`${[...ids]}::text[]`;
  await db.$queryRaw`SELECT set_config('mailroom.erasing', 'on', true)`;
  await db.$executeRaw`
    UPDATE sends SET recipient_id = NULL, recipient_name = NULL, recipient_email = NULL, recipient_place = NULL,
      recipient_key = NULL, search_text = '', piece_hash = NULL, request_hash = '', request_body = '{}', answer_text = NULL,
      unsaved_request = NULL, note = NULL, cancel_reason = NULL, cancel_note = NULL,
      reduced_at = coalesce(reduced_at, now()), erased_at = now()
    WHERE id = ANY(${chosen})`;
  await db.$executeRaw`
    UPDATE mail_items SET addressee = NULL, place = NULL, search_text = '', cancellation_reason = NULL
    WHERE send_id = ANY(${chosen})`;
  await db.$executeRaw`DELETE FROM piece_pdfs WHERE send_id = ANY(${chosen})`;
  await db.$executeRaw`
    DELETE FROM piece_labels l USING sends s WHERE s.id = ANY(${chosen}) AND NOT l.is_test
      AND l.actor_id = s.actor_id AND l.key IN (s.idempotency_key, s.tested_piece_id)`;
  await db.$executeRaw`UPDATE piece_events SET answer_text = NULL, note = NULL WHERE piece_id = ANY(${chosen})`;
  await db.$queryRaw`SELECT set_config('mailroom.erasing', '', true)`;
}

export function eraseTestItems(db: Db, ids: readonly string[]): Promise<number> {
  return eraseItems(db, Prisma.sql`id = ANY(${[...ids]}::text[])`);
}

export function expireTestItems(db: Db, days: number): Promise<number> {
  return eraseItems(
    db,
    Prisma.sql`created_at < now() - ${days}::int * interval '1 day'
      AND (addressee IS NOT NULL OR place IS NOT NULL OR recipient_link IS NOT NULL OR search_text <> '')`,
  );
}

function eraseItems(db: Db, condition: Prisma.Sql): Promise<number> {
  return db.$executeRaw`
    WITH labels AS (
      DELETE FROM piece_labels WHERE is_test AND key IN (
        SELECT id FROM mail_items WHERE send_id IS NULL AND ${condition})
    )
    UPDATE mail_items SET addressee = NULL, place = NULL, recipient_link = NULL, search_text = ''
    WHERE send_id IS NULL AND ${condition}`;
}

/** Finds settled pieces of at least `days` days that still have their content. */
export async function findExpiredPieces(db: Db, days: number, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM sends WHERE erased_at IS NULL AND settled_at < now() - ${days}::int * interval '1 day'
      AND NOT ${IS_UNSETTLED} ORDER BY settled_at LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}

export type PersonsTestedPiece = Pick<TestedPiece, "id" | "createdAt" | "recipientDetails" | "pdfUrl">;

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

export function expireTestedPieces(db: Db, days: number): Promise<number> {
  return erase(db, Prisma.sql`created_at < now() - ${days}::int * interval '1 day' AND part_hashes <> '{}'`);
}

function erase(db: Db, condition: Prisma.Sql): Promise<number> {
  return db.$executeRaw`
    UPDATE tested_pieces SET recipient_details = NULL, pdf_url = NULL, recipient_link = NULL, call_hash = '',
      part_hashes = '{}'
    WHERE ${condition}`;
}
