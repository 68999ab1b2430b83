import { randomUUID } from "node:crypto";
import type { TokenScope } from "~/platform/http/token-scopes";
import type { PrismaClient } from "../../prisma/client/client";

/** A token as it is stored; the text itself is not. */
export interface TokenRecord {
  id: string;
  userId: string;
  ownerName: string;
  name: string;
  ending: string;
  scopes: TokenScope[];
  /** Credits. */
  dailyCredits: number | null;
  verifiedEmail: string | null;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

export type NewToken = Pick<
  TokenRecord,
  "userId" | "name" | "ending" | "scopes" | "dailyCredits" | "verifiedEmail" | "expiresAt"
> & { tokenHash: string };

/** Most tokens of one person that are in use at once. */
export const MAX_TOKENS = 20;
const SHOWN_ROWS = 200;
const WITH_OWNER = { user: { select: { displayName: true } } } as const;

/**
 * Stores a token. `taken`: this person has one of that name in use; its name says in the books who acted, so no two have
 * the same. `full`: they have {@link MAX_TOKENS} already.
 */
export function insertToken(db: PrismaClient, token: NewToken): Promise<"stored" | "taken" | "full"> {
  return db.$transaction(async (tx) => {
    // A form that is posted twice at once: the second waits here, then finds the first one's token.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`tokens ${token.userId}`}, 0))`;
    const used = await tx.token.findMany({
      where: { userId: token.userId, revokedAt: null, expiresAt: { gt: new Date() } },
      select: { name: true },
    });
    if (used.some(({ name }) => name.toLowerCase() === token.name.toLowerCase())) return "taken";
    if (used.length >= MAX_TOKENS) return "full";
    await tx.token.create({ data: { id: randomUUID().replaceAll("-", ""), ...token } });
    return "stored";
  });
}

/** The token with this hash, whatever its state, or null. */
export async function findTokenByHash(db: PrismaClient, tokenHash: string): Promise<TokenRecord | null> {
  const row = await db.token.findUnique({ where: { tokenHash }, include: WITH_OWNER });
  return row && toRecord(row);
}

/** The tokens of a person, newest first, with those that ended; `null`: everybody's that are in use. */
export async function listTokens(db: PrismaClient, userId: string | null): Promise<TokenRecord[]> {
  const rows = await db.token.findMany({
    where: userId === null ? { revokedAt: null, expiresAt: { gt: new Date() } } : { userId },
    include: WITH_OWNER,
    orderBy: { createdAt: "desc" },
    take: SHOWN_ROWS,
  });
  return rows.map(toRecord);
}

/** Ends a token. @param ownerId only if it is this person's; null: whoever's it is. Null where there is none to end. */
export async function markRevoked(
  db: PrismaClient,
  id: string,
  { ownerId, by }: { ownerId: string | null; by: string },
): Promise<{ name: string; tokenHash: string } | null> {
  const [revoked] = await db.token.updateManyAndReturn({
    where: { id, revokedAt: null, ...(ownerId === null ? {} : { userId: ownerId }) },
    data: { revokedAt: new Date(), revokedBy: by },
    select: { name: true, tokenHash: true },
  });
  return revoked ?? null;
}

/** Notes that a token was used; at most once a minute, so that a busy program costs no statement. */
export async function markUsed(db: PrismaClient, id: string): Promise<void> {
  const minuteAgo = new Date(Date.now() - 60_000);
  await db.token.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: minuteAgo } }] },
    data: { lastUsedAt: new Date() },
  });
}

function toRecord(
  row: Omit<TokenRecord, "ownerName" | "scopes"> & { scopes: string[]; user: { displayName: string } },
) {
  const {
    id,
    userId,
    name,
    ending,
    dailyCredits,
    verifiedEmail,
    createdAt,
    expiresAt,
    lastUsedAt,
    revokedAt,
  } = row;
  return {
    id,
    userId,
    ownerName: row.user.displayName,
    name,
    ending,
    scopes: row.scopes as TokenScope[],
    dailyCredits,
    verifiedEmail,
    createdAt,
    expiresAt,
    lastUsedAt,
    revokedAt,
  };
}
