import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import type { RequiredScope, Scope } from "~/platform/http/token-scopes";
import { errorNameOf, log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import {
  findTokenByHash,
  hashToken,
  isTokenText,
  markAllRevoked,
  markRevoked,
  markUsed,
  type TokenRecord,
} from "./token-record.server";
import { formatRevoked } from "./token-view";

/** Time that a process caches a token. Revocation is immediate in this process and takes up to 5 s in others. */
const TRUSTED_MS = 5_000;
const MAX_CACHED = 1_000;

/** Tokens by hash, the oldest first. */
const cache = new Map<string, { token: TokenRecord; until: number }>();

/**
 * Finds the token of a caller; null when it is unknown or has ended. It is looked up by its hash, so the duration reveals
 * nothing about the text. Fails as the database does.
 */
export async function findUsableToken(text: string, now = Date.now()): Promise<Outcome<TokenRecord | null>> {
  if (!isTokenText(text)) return succeed(null);
  const hash = hashToken(text);
  const cached = cache.get(hash);
  if (cached && cached.until > now) return succeed(usableOrNull(cached.token, now));
  const found = await withDatabase((db) => findTokenByHash(db, hash));
  if (!found.ok) return found;
  const token = found.value && usableOrNull(found.value, now);
  cache.delete(hash);
  if (token === null) return succeed(null);
  cache.set(hash, { token, until: now + TRUSTED_MS });
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
  void recordUse(token.id);
  return succeed(token);
}

/** Fails with `missing_scope`. With `by-request` the route calls this again once it has read the request. */
export function checkScope(
  { scopes, token }: { scopes: readonly Scope[]; token: object | null },
  scope: RequiredScope,
): Outcome<null> {
  if (scope === "by-request" || scopes.includes(scope)) return succeed(null);
  const [who, next] = token
    ? ["This token, or its owner, does", "Create one that has it."]
    : ["You do", scopes.length > 0 ? "Ask an admin for it." : "Ask an admin to name you in PEOPLE_SCOPES."];
  const message = `${who} not have the scope ${scope}. Nothing was sent and nothing was changed. ${next}`;
  return fail("missing_scope", message, scope);
}

/** Formats the key of a token's rate limits; null when this process has not cached the token. */
export function formatKnownToken(text: string): string | null {
  const cached = cache.get(hashToken(text));
  return cached ? `token ${cached.token.id}` : null;
}

function usableOrNull(token: TokenRecord, now: number): TokenRecord | null {
  const isInUse = token.revokedAt === null && token.expiresAt.getTime() > now;
  return isInUse && !isOwnerAway(token, now) ? token : null;
}

/** True when the owner has not signed in for `TOKEN_OWNER_DAYS`. The next sign-in makes the token valid again. */
export function isOwnerAway({ ownerSeenAt }: Pick<TokenRecord, "ownerSeenAt">, now: number): boolean {
  const { tokenOwnerMs } = env();
  return tokenOwnerMs !== 0 && ownerSeenAt.getTime() + tokenOwnerMs < now;
}

async function recordUse(id: string): Promise<void> {
  try {
    await withDatabase((db) => markUsed(db, id));
  } catch (error) {
    log.warn("token.use_not_recorded", { errorName: errorNameOf(error) });
  }
}

/** Revokes a token; `not_found` when none is in use. @param ownerId the owner it must have; null: any owner */
export async function revokeToken(
  id: string,
  { ownerId, by }: { ownerId: string | null; by: string },
): Promise<Outcome<string>> {
  const revoked = await withDatabase((db) => markRevoked(db, id, { ownerId, by }));
  if (!revoked.ok) return revoked;
  if (revoked.value === null) {
    return fail("not_found", "This token does not exist or has ended already. Nothing was changed.");
  }
  cache.delete(revoked.value.tokenHash);
  return succeed(formatRevoked(revoked.value.name));
}

/** Revokes all tokens of a person. Returns their number. */
export async function revokeTokensOf(userId: string, by: string): Promise<Outcome<number>> {
  const revoked = await withDatabase((db) => markAllRevoked(db, userId, by));
  if (!revoked.ok) return revoked;
  for (const tokenHash of revoked.value) cache.delete(tokenHash);
  return succeed(revoked.value.length);
}
