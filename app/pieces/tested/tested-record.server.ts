import { createHash, randomUUID } from "node:crypto";
import type { Db } from "~/platform/database/client";
import type { MailType } from "../mail-type";
import type { MailCall } from "../send/mail-call.server";
import { listTestedParts } from "./tested-changes";

/** Limit per person, without those that were sent live, which the pages of their pieces show. */
const KEPT_PER_PERSON = 50;
/** Maximum age for sending live, because prices and templates change. */
export const TESTED_PIECE_HOURS = 24;

/** SHA-256 of a tested call. */
interface TestedHashes {
  /** Hash of the whole call. */
  callHash: string;
  /** Hash of each part, by its name. */
  partHashes: Record<string, string>;
}

/** The provider's answer to a test. */
export interface ProviderTestResult {
  format: string | null;
  cost: string | null;
  pdfUrl: string | null;
}

export interface TestedPieceRecord extends TestedHashes, ProviderTestResult {
  id: string;
  actorId: string;
  /** The payer of a live send. */
  userId: string;
  mailType: MailType;
  /** Exact link to its recipient. */
  recipientLink: string | null;
  /** The saved recipient's details that filled its text; null when none were needed. */
  recipientDetails: Readonly<Record<string, string>> | null;
  createdAt: Date;
  /** True when it is too old to be sent live. */
  old: boolean;
  /** Number of its live sends that the provider refused. After each it may be sent again. */
  refused: number;
}

/**
 * Hashes a call so that a live call can be compared with the tested one. A letter's PDF and the send's own tag and
 * key are added later.
 */
export function hashTestedCall(call: MailCall, payerId: string): TestedHashes {
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

/** Stores a tested piece, deletes this person's oldest ones beyond the limit, and returns its id. */
export async function saveTestedPiece(
  db: Db,
  tested: TestedHashes &
    ProviderTestResult &
    Pick<TestedPieceRecord, "actorId" | "userId" | "mailType" | "recipientLink" | "recipientDetails">,
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

type Parsed = "partHashes" | "recipientDetails";

/** Finds a tested piece by its id, or null. */
export async function findTestedPiece(db: Db, id: string): Promise<TestedPieceRecord | null> {
  const rows = await db.$queryRaw<(Omit<TestedPieceRecord, Parsed> & Record<Parsed, string>)[]>`
    SELECT id, actor_id AS "actorId", user_id AS "userId", call_hash AS "callHash", part_hashes AS "partHashes",
      mail_type AS "mailType", provider_format AS format, cost, pdf_url AS "pdfUrl",
      coalesce(recipient_details, 'null') AS "recipientDetails", recipient_link AS "recipientLink", created_at AS "createdAt",
      created_at < now() - ${TESTED_PIECE_HOURS}::float8 * interval '1 hour' AS old,
      (SELECT count(*)::int FROM sends WHERE tested_piece_id = tested_pieces.id AND state = 'refused') AS refused
    FROM tested_pieces WHERE id = ${id}`;
  const [row] = rows;
  if (!row) return null;
  const { partHashes, recipientDetails } = row;
  return { ...row, partHashes: JSON.parse(partHashes), recipientDetails: JSON.parse(recipientDetails) };
}

function digest(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(value) ?? "")
    .digest("hex");
}
