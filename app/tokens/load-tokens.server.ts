import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { formatMoment } from "~/ui/moment";
import { isOwnerAway } from "./check-token.server";
import { listTokens, type TokenRecord } from "./token-record.server";
import type { TokenRow, TokensView } from "./token-view";

/**
 * The tokens that the Profile page shows. Fails as the database does.
 * @param isAdmin whether those of other people are shown too
 * @param revokingId the one that is asked about
 */
export async function loadTokens(
  viewerId: string,
  { isAdmin, revokingId }: { isAdmin: boolean; revokingId: string | null },
  now: Date,
): Promise<Outcome<TokensView>> {
  const loaded = await withDatabase(async (db) => ({
    own: await listTokens(db, viewerId),
    all: isAdmin ? await listTokens(db, null) : null,
  }));
  if (!loaded.ok) return loaded;
  const own = loaded.value.own.map((token) => toRow(token, now));
  const others =
    loaded.value.all?.filter(({ userId }) => userId !== viewerId).map((token) => toRow(token, now)) ?? null;
  const revoking =
    [...own, ...(others ?? [])].find(({ id, ended }) => id === revokingId && ended === null) ?? null;
  return succeed({ own, others, revoking });
}

function toRow(token: TokenRecord, now: Date): TokenRow {
  const { id, name, ownerName, ending, scopes, dailyCredits, lastUsedAt, revokedAt, expiresAt } = token;
  return {
    id,
    name,
    owner: ownerName,
    ending,
    scopes,
    dailyCredits,
    created: formatMoment(token.createdAt, now),
    expires: formatMoment(expiresAt, now),
    lastUsed: lastUsedAt && formatMoment(lastUsedAt, now),
    ended: revokedAt ? "revoked" : expiresAt <= now ? "expired" : null,
    isOwnerAway: isOwnerAway(token, now.getTime()),
  };
}
