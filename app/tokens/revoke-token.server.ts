import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { forgetToken } from "./check-token.server";
import { formatRevoked, NO_SUCH_TOKEN } from "./messages";
import { markRevoked } from "./token-record.server";

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
  forgetToken(revoked.value.tokenHash);
  return succeed(formatRevoked(revoked.value.name));
}
