import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { formatCount } from "~/platform/format-integer";
import { PERSON_PREFIX, type SessionOwner } from "~/platform/http/session.server";
import { errorNameOf, log } from "~/platform/log.server";
import { fail, type Outcome, succeed, type ValueOf } from "~/platform/outcome";
import { revokeTokensOf } from "~/tokens/check-token.server";
import { formatMoment } from "~/ui/moment";
import { revokeSessionsOf } from "./revoked-sessions.server";

const SHOWN_PEOPLE = 200;

/** Stores a sign-in, whose groups and time count for the person's tokens. A failure does not stop the sign-in. */
export async function recordSignIn({ subject, name, email, groups }: SessionOwner): Promise<void> {
  const id = PERSON_PREFIX + subject;
  try {
    await withDatabase(
      (db) => db.$executeRaw`
        INSERT INTO sign_ins (person_id, display_name, email, groups) VALUES (${id}, ${name ?? id}, ${email}, ${groups}::text[])
        ON CONFLICT (person_id) DO UPDATE SET
          display_name = EXCLUDED.display_name, email = EXCLUDED.email, groups = EXCLUDED.groups, signed_in_at = now()`,
    );
  } catch (error) {
    log.warn("sign_in.not_recorded", { errorName: errorNameOf(error) });
  }
}

export type PersonRow = ValueOf<typeof loadPeople>[number];

/** Lists the people who have signed in, the latest first. Fails as the database does. */
export async function loadPeople(now: Date) {
  const listed = await withDatabase((db) =>
    db.signIn.findMany({ orderBy: { signedInAt: "desc" }, take: SHOWN_PEOPLE }),
  );
  if (!listed.ok) return listed;
  return succeed(
    listed.value.map(({ personId: id, displayName, email, signedInAt }) => ({
      ...{ id, displayName, email, signedInAt: formatMoment(signedInAt, now) },
    })),
  );
}

/**
 * Ends all sessions and tokens of a person: at once in this process, within 5 s in others. A person on the allow-lists
 * may sign in again. Fails with `not_configured` without a database. When the database fails, the sessions have ended and
 * the tokens have not.
 */
export async function endPerson(personId: string, by: string): Promise<Outcome<string>> {
  if (env().database.kind === "none")
    return fail("not_configured", "Sessions can be ended only with a database.");
  await revokeSessionsOf(personId);
  const tokens = await revokeTokensOf(personId, by);
  if (!tokens.ok)
    return fail(
      tokens.failure.code,
      `${tokens.failure.message} The sessions have ended, the tokens not yet.`,
    );
  return succeed(`All sessions and ${formatCount(tokens.value, "token")} have ended.`);
}
