import { randomInt, randomUUID } from "node:crypto";
import { sha256 } from "~/platform/hash.server";
import type { TokenScope } from "~/platform/http/token-scopes";
import { Prisma, type PrismaClient, type Token } from "../../prisma/client/client";

/** A stored token. Its text is not stored. */
export interface TokenRecord extends Omit<Token, "tokenHash" | "revokedBy"> {
  scopes: TokenScope[];
  ownerName: string;
  /** Groups of the owner at their last sign-in. */
  ownerGroups: string[];
  /** Time of the owner's last sign-in, or of the token's creation if that is later. */
  ownerSeenAt: Date;
}

export type NewToken = Pick<
  TokenRecord,
  "userId" | "name" | "ending" | "scopes" | "dailyCredits" | "verifiedEmail" | "expiresAt"
> & { tokenHash: string };

export const MAX_TOKENS = 20;
const PAGE_ROWS = 200;

/** Stores a token. `taken`: the person has one of that name in use. `full`: they have {@link MAX_TOKENS}. */
export function insertToken(db: PrismaClient, token: NewToken): Promise<"stored" | "taken" | "full"> {
  return db.$transaction(async (tx) => {
    // A second post of the form waits here and then finds the token of the first.
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

const COLUMNS = Prisma.sql`
  t.id, t.user_id AS "userId", u.display_name AS "ownerName", coalesce(s.groups, '{}') AS "ownerGroups",
  greatest(t.created_at, s.signed_in_at) AS "ownerSeenAt", t.name, t.ending,
  t.scopes, t.daily_credits AS "dailyCredits", t.verified_email AS "verifiedEmail", t.created_at AS "createdAt",
  t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt", t.revoked_at AS "revokedAt"
  FROM tokens t JOIN users u ON u.id = t.user_id LEFT JOIN sign_ins s ON s.person_id = t.user_id`;

export async function findTokenByHash(db: PrismaClient, tokenHash: string): Promise<TokenRecord | null> {
  const [token] = await db.$queryRaw<TokenRecord[]>`SELECT ${COLUMNS} WHERE t.token_hash = ${tokenHash}`;
  return token ?? null;
}

/** Lists a person's tokens, newest first, also ended ones; `null`: all tokens in use. */
export function listTokens(db: PrismaClient, userId: string | null): Promise<TokenRecord[]> {
  const condition =
    userId === null
      ? Prisma.sql`t.revoked_at IS NULL AND t.expires_at > now()`
      : Prisma.sql`t.user_id = ${userId}`;
  return db.$queryRaw<TokenRecord[]>`
    SELECT ${COLUMNS} WHERE ${condition} ORDER BY t.created_at DESC LIMIT ${PAGE_ROWS}::int`;
}

/** Revokes a token in use; null if there is none. @param ownerId the owner it must have; null: any owner */
export async function markRevoked(
  db: PrismaClient,
  id: string,
  { ownerId, by }: { ownerId: string | null; by: string },
): Promise<{ name: string; tokenHash: string } | null> {
  const [revoked] = await db.token.updateManyAndReturn({
    where: {
      id,
      revokedAt: null,
      expiresAt: { gt: new Date() },
      ...(ownerId === null ? {} : { userId: ownerId }),
    },
    data: { revokedAt: new Date(), revokedBy: by },
    select: { name: true, tokenHash: true },
  });
  return revoked ?? null;
}

/** Revokes all tokens of a person. Returns their hashes. */
export async function markAllRevoked(db: PrismaClient, userId: string, by: string): Promise<string[]> {
  const revoked = await db.token.updateManyAndReturn({
    where: { userId, revokedAt: null },
    data: { revokedAt: new Date(), revokedBy: by },
    select: { tokenHash: true },
  });
  return revoked.map(({ tokenHash }) => tokenHash);
}

/** Records the time of use, at most once a minute, because it would rewrite a hot row on every request. */
export async function markUsed(db: PrismaClient, id: string): Promise<void> {
  const minuteAgo = new Date(Date.now() - 60_000);
  await db.token.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: minuteAgo } }] },
    data: { lastUsedAt: new Date() },
  });
}

const PREFIX = "mailroom_";
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** 238 bits. */
const SECRET_CHARS = 40;
const CHECKSUM_CHARS = 6;
const FORM = new RegExp(`^${PREFIX}([A-Za-z0-9]{${SECRET_CHARS}})([0-9a-f]{${CHECKSUM_CHARS}})$`);

/** Makes a token: a prefix that scanners for leaked secrets find, random characters and a checksum. */
export function makeTokenText(): string {
  const secret = Array.from({ length: SECRET_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return PREFIX + secret + checksum(secret);
}

/** True when a text has the form of a token. A mistyped one is refused without a query. */
export function isTokenText(text: string): boolean {
  const [, secret, sum] = FORM.exec(text) ?? [];
  return secret !== undefined && checksum(secret) === sum;
}

/** Hashes a token for storage. A plain hash is enough for 238 random bits. */
export function hashToken(text: string): string {
  return sha256(text);
}

function checksum(secret: string): string {
  return sha256(PREFIX + secret).slice(0, CHECKSUM_CHARS);
}
