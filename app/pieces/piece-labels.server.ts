import type { PrismaClient } from "../../prisma/client/client";

/** A program's reference and tags for a live piece, by the key that the piece will have. */
export interface LiveLabels {
  actorId: string;
  /** The tested piece that is sent, else the idempotency key. */
  key: string;
  /** Unique among the person's live pieces, except refused ones. */
  reference: string | null;
  tags: readonly string[];
}

/**
 * Stores the labels of a piece before it is sent. `known`: the key has them already. `key_reused`: the key has another
 * reference. `taken`: another piece of this person has the reference.
 */
export async function claimLabels(
  db: PrismaClient,
  { actorId, key, reference, tags }: LiveLabels,
): Promise<"claimed" | "known" | "key_reused" | "taken"> {
  // A refused piece frees its reference, unless it was mailed after all. A piece without a row is being sent.
  await db.$executeRaw`
    UPDATE piece_labels l SET reference = NULL
    WHERE reference = ${reference}::text AND actor_id = ${actorId} AND key <> ${key} AND NOT is_test
      AND (SELECT bool_and(s.state = 'refused' AND s.release_cause IS NOT NULL) FROM sends s
        WHERE s.actor_id = l.actor_id AND (s.idempotency_key = l.key OR s.tested_piece_id = l.key))`;
  const stored = await db.$executeRaw`
    INSERT INTO piece_labels (key, actor_id, is_test, reference, tags)
    VALUES (${key}, ${actorId}, false, ${reference}::text, ${[...tags]}::text[]) ON CONFLICT DO NOTHING`;
  if (stored === 1) return "claimed";
  const own = await db.pieceLabels.findUnique({ where: { key_actorId: { key, actorId } } });
  if (own === null) return "taken";
  return own.reference === reference ? "known" : "key_reused";
}

/** Finds the piece whose reference it is; null while it is being sent. */
export async function findLabelled(db: PrismaClient, { actorId, reference }: LiveLabels) {
  const [piece] = await db.$queryRaw<{ id: string }[]>`
    SELECT s.id FROM piece_labels l JOIN sends s
      ON s.actor_id = l.actor_id AND (s.idempotency_key = l.key OR s.tested_piece_id = l.key)
    WHERE l.reference = ${reference} AND l.actor_id = ${actorId} AND NOT l.is_test
    ORDER BY s.created_at DESC LIMIT 1`;
  return piece?.id ?? null;
}

/** Deletes the labels of a piece that was not stored, so that another one can have its reference. */
export async function dropLabels(db: PrismaClient, { actorId, key }: LiveLabels): Promise<void> {
  await db.pieceLabels.deleteMany({ where: { key, actorId } });
}

type TestLabels = Pick<LiveLabels, "actorId" | "reference"> & {
  id: string;
  tags: string[];
  testedPieceId: string | null;
};

export async function labelTest(db: PrismaClient, { id, ...labels }: TestLabels): Promise<void> {
  await db.pieceLabels.create({ data: { ...labels, key: id, isTest: true } });
}
