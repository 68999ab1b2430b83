import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { PERSON_PREFIX, type SessionOwner } from "~/platform/http/session.server";
import { errorNameOf, log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { revokeTokensOf } from "~/tokens/check-token.server";
import { formatMoment } from "~/ui/moment";
import type { PersonRow } from "./people-section";
import { revokeSessionsOf } from "./revoked-sessions.server";

const SHOWN_PEOPLE = 200;

/** Stores a person's sign-in, for the groups and the end of their tokens. A sign-in never fails because of it. */
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

/** The people who signed in, the last one first. Fails as the database does. */
export async function loadPeople(now: Date): Promise<Outcome<PersonRow[]>> {
  const listed = await withDatabase((db) =>
    db.signIn.findMany({ orderBy: { signedInAt: "desc" }, take: SHOWN_PEOPLE }),
  );
  if (!listed.ok) return listed;
  return succeed(
    listed.value.map(({ personId, displayName, email, signedInAt }) => ({
      ...{ id: personId, displayName, email },
      signedInAt: formatMoment(signedInAt, now),
    })),
  );
}

/**
 * Ends all sessions and tokens of a person: in this process at once, in others within five seconds. Whoever the
 * allow-lists name may sign in again. Fails with `not_configured` without a database, or as it does: the sessions have
 * ended then, and the tokens have not.
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
  return succeed(`All sessions and ${tokens.value === 1 ? "1 token" : `${tokens.value} tokens`} have ended.`);
}
