import { createHash, randomUUID } from "node:crypto";
import type { MailType } from "~/pieces/mail-type";
import type { Db } from "~/platform/database/client";
import type { PreparedCall } from "../prepare.server";
import { listProofParts } from "./tested-parts";

/** How many proofs of a person are kept; those that were promoted stay, as part of their send's story. */
const KEPT_PER_PERSON = 50;
/** Prices and templates change: what was proved yesterday is proved anew. */
export const PROOF_HOURS = 24;

/** What of a call is proved. */
interface ProvedHashes {
  /** Of all of it. */
  callHash: string;
  /** Of each part, by its name. */
  partHashes: Record<string, string>;
}

/** What the provider said of a test. */
export interface ProviderProof {
  format: string | null;
  cost: string | null;
  pdfUrl: string | null;
}

export interface ProofRecord extends ProvedHashes, ProviderProof {
  id: string;
  actorId: string;
  /** Who would pay. */
  userId: string;
  mailType: MailType;
  createdAt: Date;
  /** Whether it is too old to be promoted. */
  old: boolean;
  /** Sends promoted from it that came to nothing: each leaves the way free for another. */
  refused: number;
}

/**
 * The hashes by which test and live are told to be the same. To be taken of the call as {@link prepareCall} makes it:
 * what is made of it later, a letter's PDF and the send's stamps, follows from it.
 */
export function hashProved(call: PreparedCall, payerId: string): ProvedHashes {
  const { test: _, ...body } = (call.body ?? {}) as Record<string, unknown>;
  const { method, url, headers, wireType } = call;
  const around = { payerId, address: [method, url], headers: [headers, wireType] };
  // Each field once: one of them may be a file of several megabytes.
  const fields = Object.entries(body).map(([name, value]) => [name, digest(value)] as const);
  const known = new Map(fields);
  const parts = [...listProofParts({ ...around, body })];
  return {
    callHash: digest([around, fields]),
    partHashes: Object.fromEntries(parts.map(([name, value]) => [name, known.get(name) ?? digest(value)])),
  };
}

/** Keeps a proof, and as many of this person's as are kept at all; answers its id. */
export async function saveProof(
  db: Db,
  proof: ProvedHashes & ProviderProof & Pick<ProofRecord, "actorId" | "userId" | "mailType">,
): Promise<string> {
  const id = randomUUID();
  await db.$executeRaw`
    WITH fresh AS (
      INSERT INTO tested_pieces (id, actor_id, user_id, call_hash, part_hashes, mail_type, provider_format, cost, pdf_url)
      VALUES (${id}, ${proof.actorId}, ${proof.userId}, ${proof.callHash}, ${JSON.stringify(proof.partHashes)},
        ${proof.mailType}, ${proof.format}::text, ${proof.cost}::text, ${proof.pdfUrl}::text)
    )
    DELETE FROM tested_pieces WHERE id IN (
      SELECT id FROM tested_pieces WHERE actor_id = ${proof.actorId}
        AND NOT EXISTS (SELECT FROM sends WHERE sends.tested_piece_id = tested_pieces.id)
      ORDER BY created_at DESC, id OFFSET ${KEPT_PER_PERSON - 1}::int
    )`;
  return id;
}

/** A proof by its id, or null. */
export async function findProof(db: Db, id: string): Promise<ProofRecord | null> {
  const rows = await db.$queryRaw<(Omit<ProofRecord, "partHashes"> & { partHashes: string })[]>`
    SELECT id, actor_id AS "actorId", user_id AS "userId", call_hash AS "callHash", part_hashes AS "partHashes",
      mail_type AS "mailType", provider_format AS format, cost, pdf_url AS "pdfUrl", created_at AS "createdAt",
      created_at < now() - ${PROOF_HOURS}::float8 * interval '1 hour' AS old,
      (SELECT count(*)::int FROM sends WHERE tested_piece_id = tested_pieces.id AND state = 'refused') AS refused
    FROM tested_pieces WHERE id = ${id}`;
  const [row] = rows;
  return row ? { ...row, partHashes: JSON.parse(row.partHashes) } : null;
}

function digest(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(value) ?? "")
    .digest("hex");
}
