import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import type { RequiredScope, Scope } from "~/platform/http/token-scopes";
import { errorNameOf, log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { formatMissingScope, formatRevoked, NO_SUCH_TOKEN } from "./messages";
import {
  findTokenByHash,
  markAllRevoked,
  markRevoked,
  markUsed,
  type TokenRecord,
} from "./token-record.server";
import { hashToken, isTokenText } from "./token-text.server";

/**
 * For so long a process goes by what it knows of a token. One that is revoked ends at once in the process that revokes
 * it, and so much later in the others.
 */
const TRUSTED_MS = 5_000;
const MOST_KNOWN = 1_000;

interface Known {
  token: TokenRecord;
  until: number;
}

const known = new Map<string, Known>();

/**
 * The token that a caller sends, or null when there is none like it or it has ended. It is looked up by its hash, so how
 * long that takes says nothing about the text. Fails as the database does.
 */
export async function checkToken(text: string, now = Date.now()): Promise<Outcome<TokenRecord | null>> {
  if (!isTokenText(text)) return succeed(null);
  const hash = hashToken(text);
  const remembered = known.get(hash);
  if (remembered && remembered.until > now) return succeed(selectUsable(remembered.token, now));
  const found = await withDatabase((db) => findTokenByHash(db, hash));
  if (!found.ok) return found;
  const token = found.value && selectUsable(found.value, now);
  if (token === null) {
    known.delete(hash);
    return succeed(null);
  }
  remember(hash, { token, until: now + TRUSTED_MS });
  void noteUse(token.id);
  return succeed(token);
}

/**
 * Fails with `missing_scope` when a person, or the token of a program, does not have the scope. With `by-request` the
 * route's room calls this again, when it has read the request.
 */
export function checkScope(
  { scopes, token }: { scopes: readonly Scope[]; token: object | null },
  scope: RequiredScope,
): Outcome<null> {
  if (scope === "by-request" || scopes.includes(scope)) return succeed(null);
  return fail("missing_scope", formatMissingScope(scope, token !== null), scope);
}

/** By what the requests of a token are counted, where this process has seen it: null for any other text. */
export function formatKnownToken(text: string): string | null {
  const remembered = known.get(hashToken(text));
  return remembered ? `token ${remembered.token.id}` : null;
}

function selectUsable(token: TokenRecord, now: number): TokenRecord | null {
  const isInUse = token.revokedAt === null && token.expiresAt.getTime() > now;
  return isInUse && !isOwnerAway(token, now) ? token : null;
}

/** True while the owner has not signed in for `TOKEN_OWNER_DAYS`. The next sign-in puts the token in use again. */
export function isOwnerAway({ ownerSeenAt }: Pick<TokenRecord, "ownerSeenAt">, now: number): boolean {
  const { tokenOwnerMs } = env();
  return tokenOwnerMs !== 0 && ownerSeenAt.getTime() + tokenOwnerMs < now;
}

function remember(hash: string, entry: Known): void {
  known.delete(hash);
  known.set(hash, entry);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
}

async function noteUse(id: string): Promise<void> {
  try {
    await withDatabase((db) => markUsed(db, id));
  } catch (error) {
    log.warn("token.use_not_noted", { errorName: errorNameOf(error) });
  }
}

/**
 * Ends a token: its owner's word, or that of a person who may end anybody's. Fails with `not_found` where there is none
 * to end, or as the database does.
 * @param whose.ownerId whose it must be; null: anybody's
 */
export async function revokeToken(
  id: string,
  whose: { ownerId: string | null; by: string },
): Promise<Outcome<string>> {
  const revoked = await withDatabase((db) => markRevoked(db, id, whose));
  if (!revoked.ok) return revoked;
  if (revoked.value === null) return fail("not_found", NO_SUCH_TOKEN);
  known.delete(revoked.value.tokenHash);
  return succeed(formatRevoked(revoked.value.name));
}

/** Ends all tokens of a person, as {@link revokeToken} ends one. Gives how many. */
export async function revokeTokensOf(userId: string, by: string): Promise<Outcome<number>> {
  const revoked = await withDatabase((db) => markAllRevoked(db, userId, by));
  if (!revoked.ok) return revoked;
  for (const tokenHash of revoked.value) known.delete(tokenHash);
  return succeed(revoked.value.length);
}
