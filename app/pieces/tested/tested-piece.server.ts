import { randomUUID } from "node:crypto";
import type { ProviderAnswer } from "~/outside/mail-provider/call/client.server";
import { fetchProviderPdf, findPdfAddress } from "~/outside/mail-provider/provider-pdf.server";
import type { Db } from "~/platform/database/client";
import { storeAfterCall, withDatabase } from "~/platform/database/database.server";
import { sha256 } from "~/platform/hash.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import { endSentence } from "~/platform/sentence";
import { parseAddressee } from "~/recipients/addressee.server";
import { linkAddressee } from "~/recipients/match-person.server";
import type { TestedPiece } from "../../../prisma/client/client";
import type { MailType } from "../mail-type";
import type { MailCall } from "../send/mail-call.server";
import { parseProviderOutcome } from "../send/piece-call.server";
import { OWN_KEYS } from "../send/send-record.server";
import { formatDifferences, listDifferences, listTestedParts } from "./tested-changes";

/** Limit per person, without those that were sent live, which the pages of their pieces show. */
const KEPT_PER_PERSON = 50;
/** Maximum age for sending live, because prices and templates change. */
const TESTED_PIECE_HOURS = 24;

export const TESTED_PDF_NOT_FOUND = "This tested piece is no longer kept. Test again to see its PDF.";
export const TESTED_PDF_MISSING = "The provider gave no PDF for this test that can be shown here.";
const TEST_AGAIN = "Test it again, then send it live.";
const TEST_TOO_OLD = `This test is older than ${TESTED_PIECE_HOURS} hours; prices and designs may have changed. ${NOTHING_DONE} ${TEST_AGAIN}`;
export const ONLY_LIVE_FROM_TESTED = `A tested piece can only be sent as live mail. ${NOTHING_DONE}`;
export const TESTED_PIECE_NOT_FOUND = `You have no such tested piece. ${NOTHING_DONE} ${TEST_AGAIN}`;

export interface TestedPieceOffer {
  id: string;
  /** The provider's price in its own spelling ("0.99"). */
  cost: string | null;
  /** Path of the provider's PDF here; null when it gave none that may be fetched. */
  pdf: string | null;
}

type TestResult = ReturnType<typeof parseTestResult>;

interface TestedPieceRecord
  extends TestResult,
    Pick<TestedPiece, "id" | "actorId" | "userId" | "callHash" | "recipientLink" | "createdAt"> {
  mailType: MailType;
  /** Hash of each part, by its name. */
  partHashes: Record<string, string>;
  /** The saved recipient's details that filled its text; null when none were needed. */
  recipientDetails: Readonly<Record<string, string>> | null;
  /** True when it is too old to be sent live. */
  old: boolean;
  /** Number of its live sends that were refused and not mailed after all. After each it may be sent again. */
  refused: number;
}

/**
 * Stores a successful test, so that it can be sent live. Null when the provider made no sample, or when no database
 * stores it: the test still counts, but cannot be sent live from here.
 */
export async function storeTestedPiece(
  answer: ProviderAnswer,
  call: MailCall,
  sender: Pick<TestedPieceRecord, "actorId" | "userId" | "recipientDetails">,
): Promise<TestedPieceOffer | null> {
  if (parseProviderOutcome(answer).kind !== "sample") return null;
  const result = parseTestResult(parseRecord(parseRecord(parseJson(answer.text)).data));
  const recipientLink = linkAddressee(parseAddressee(call.body), call.baseUrl);
  const hashes = hashTestedCall(call, sender.userId);
  const tested = { ...sender, ...hashes, ...result, mailType: call.mailType, recipientLink };
  const saved = await storeAfterCall((db) => saveTestedPiece(db, tested));
  return saved.ok ? toOffer(saved.value, result) : null;
}

/**
 * Hashes a call so that a live call can be compared with the tested one. A letter's PDF and the send's own tag and
 * key are added later.
 */
export function hashTestedCall(call: MailCall, payerId: string) {
  const { test: _, ...body } = (call.body ?? {}) as Record<string, unknown>;
  const { method, url, headers, wireType } = call;
  const base = { payerId, address: [method, url], headers: [headers, wireType] };
  // Hashes each field once: one of them may be a file of several megabytes.
  const fields = Object.entries(body).map(([name, value]) => [name, digest(value)] as const);
  const known = new Map(fields);
  const parts = [...listTestedParts({ ...base, body })];
  return {
    callHash: digest([base, fields]),
    partHashes: Object.fromEntries(parts.map(([name, value]) => [name, known.get(name) ?? digest(value)])),
  };
}

function digest(value: unknown): string {
  return sha256(JSON.stringify(value) ?? "");
}

const MAX_WORD_CHARS = 40;
const MAX_URL_CHARS = 2_000;

function parseTestResult({ format, cost, pdf }: Record<string, unknown>) {
  const url = parseText(pdf);
  return {
    format: parseText(format).slice(0, MAX_WORD_CHARS) || null,
    cost: parseText(cost).slice(0, MAX_WORD_CHARS) || null,
    pdfUrl: url !== "" && url.length <= MAX_URL_CHARS ? url : null,
  };
}

/** Parses a text that the database can store; empty for anything else. */
function parseText(value: unknown): string {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return /[\0\p{Surrogate}]/u.test(text) ? "" : text;
}

/** Stores a tested piece, deletes this person's oldest ones beyond the limit, and returns its id. */
export async function saveTestedPiece(
  db: Db,
  tested: Omit<TestedPieceRecord, "id" | "createdAt" | "old" | "refused">,
): Promise<string> {
  const id = randomUUID();
  const details = tested.recipientDetails && JSON.stringify(tested.recipientDetails);
  await db.$executeRaw`
    WITH fresh AS (
      INSERT INTO tested_pieces (id, actor_id, user_id, call_hash, part_hashes, mail_type, provider_format, cost, pdf_url,
        recipient_details, recipient_link)
      VALUES (${id}, ${tested.actorId}, ${tested.userId}, ${tested.callHash}, ${JSON.stringify(tested.partHashes)},
        ${tested.mailType}, ${tested.format}::text, ${tested.cost}::text, ${tested.pdfUrl}::text, ${details}::text,
        ${tested.recipientLink}::text)
    )
    DELETE FROM tested_pieces WHERE id IN (
      SELECT id FROM tested_pieces WHERE actor_id = ${tested.actorId}
        AND NOT EXISTS (SELECT FROM sends WHERE sends.tested_piece_id = tested_pieces.id)
      ORDER BY created_at DESC, id OFFSET ${KEPT_PER_PERSON - 1}::int
    )`;
  return id;
}

/** Finds a tested piece of this person that can still be sent live; null without it, or if the database is away. */
export async function findTestedOffer(id: string, actorId: string): Promise<TestedPieceOffer | null> {
  const found = await withDatabase((db) => findTestedPiece(db, id));
  if (!found.ok || !found.value || found.value.old || found.value.actorId !== actorId) return null;
  return toOffer(id, found.value);
}

/**
 * Loads the provider's PDF of a tested piece; any signed-in person may see it. Fails with `not_found`, as the database
 * does, or as the download does.
 */
export async function loadTestedPdf(id: string): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  const found = await withDatabase((db) => findTestedPiece(db, id));
  if (!found.ok) return found;
  if (!found.value) return fail("not_found", TESTED_PDF_NOT_FOUND);
  const address = found.value.pdfUrl === null ? null : findPdfAddress(found.value.pdfUrl);
  return address ? fetchProviderPdf(address) : fail("not_found", TESTED_PDF_MISSING);
}

function toOffer(id: string, { cost, pdfUrl }: TestResult): TestedPieceOffer {
  const shown = pdfUrl !== null && findPdfAddress(pdfUrl) !== null;
  return { id, cost, pdf: shown ? `/tested/${id}.pdf` : null };
}

/**
 * Checks that this live call is the tested one with `test` off and nothing else changed. Returns the key to send it with.
 * Fails with `bad_input`, `not_found` (missing, or another person's), `not_configured` or `database_unavailable`;
 * nothing was sent then.
 */
export async function checkTestedPiece(
  call: MailCall,
  testedPieceId: string,
  who: { actorId: string; payerId: string },
): Promise<Outcome<Pick<TestedPieceRecord, "recipientDetails"> & { idempotencyKey: string }>> {
  if (!call.live) return fail("bad_input", ONLY_LIVE_FROM_TESTED);
  const found = await withDatabase((db) => findTestedPiece(db, testedPieceId));
  if (!found.ok) {
    const { code, message, details } = found.failure;
    const text = `The tested piece cannot be checked: ${endSentence(message)} ${NOTHING_DONE}`;
    return fail(code, text, details);
  }
  const tested = found.value;
  if (!tested || tested.actorId !== who.actorId) return fail("not_found", TESTED_PIECE_NOT_FOUND);
  const { callHash, partHashes } = hashTestedCall(call, who.payerId);
  if (tested.callHash !== callHash) {
    const changed = listDifferences(
      new Map(Object.entries(tested.partHashes)),
      new Map(Object.entries(partHashes)),
    );
    const names = formatDifferences(changed.length > 0 ? changed : ["the order of its fields"]);
    return fail("bad_input", `This is not what was tested. ${names} ${NOTHING_DONE} ${TEST_AGAIN}`);
  }
  if (tested.old) return fail("bad_input", TEST_TOO_OLD);
  const { id, refused, recipientDetails } = tested;
  // All senders of a tested piece share the key, so that it is mailed once. A refusal gives it a new key.
  const idempotencyKey = `${OWN_KEYS.tested}${id}${refused === 0 ? "" : `:${refused}`}`;
  return succeed({ idempotencyKey, recipientDetails });
}

type Parsed = "partHashes" | "recipientDetails";

export async function findTestedPiece(db: Db, id: string): Promise<TestedPieceRecord | null> {
  const rows = await db.$queryRaw<(Omit<TestedPieceRecord, Parsed> & Record<Parsed, string>)[]>`
    SELECT id, actor_id AS "actorId", user_id AS "userId", call_hash AS "callHash", part_hashes AS "partHashes",
      mail_type AS "mailType", provider_format AS format, cost, pdf_url AS "pdfUrl",
      coalesce(recipient_details, 'null') AS "recipientDetails", recipient_link AS "recipientLink", created_at AS "createdAt",
      created_at < now() - ${TESTED_PIECE_HOURS}::float8 * interval '1 hour' AS old,
      (SELECT count(*)::int FROM sends WHERE tested_piece_id = tested_pieces.id AND state = 'refused'
        AND release_cause IS NOT NULL) AS refused
    FROM tested_pieces WHERE id = ${id}`;
  const [row] = rows;
  if (!row) return null;
  const { partHashes, recipientDetails } = row;
  return { ...row, partHashes: JSON.parse(partHashes), recipientDetails: JSON.parse(recipientDetails) };
}
