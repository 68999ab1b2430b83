import { randomUUID } from "node:crypto";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { writeSearchText } from "~/platform/search-words";
import { NO_SUCH_USER_MESSAGE } from "./messages";
import type { StoredUserInput } from "./stored-user.schema.server";
import type { Viewer } from "./viewer.server";

/** True when a user with this id is stored, so that one may act for them. */
export async function userExists(db: Db, id: string): Promise<boolean> {
  return (await db.$queryRaw<unknown[]>`SELECT 1 FROM users WHERE id = ${id}`).length > 0;
}

export const NO_SUCH_USER = fail("not_found", NO_SUCH_USER_MESSAGE);

/** True when lists of this user can be shown: the user is stored, or is the viewer. */
export async function isViewerOrStored(db: Db, id: string, viewer: Pick<Viewer, "id">): Promise<boolean> {
  return id === viewer.id || (await userExists(db, id));
}

/** Inserts the viewer's own row where it is missing. No one else's row is ever made from an id alone. */
export async function ensureViewerStored(
  db: Db,
  { id, displayName, email }: Pick<Viewer, "id" | "displayName" | "email">,
): Promise<void> {
  // Where the e-mail address is a person's username already, the id takes its place: it is unique.
  for (const username of [email ?? id, id]) {
    await db.$executeRaw`
      INSERT INTO users (id, display_name, username, email, search_text)
      VALUES (${id}, ${displayName}, ${username}, ${email}, ${writeSearchText([displayName, username, email])})
      ON CONFLICT DO NOTHING`;
  }
}

/**
 * Stores a user to act for, under an id of its own that no identity provider can give. Usernames differ by more
 * than upper and lower case.
 * Fails with `bad_input` when the username is taken, `not_configured` or `database_unavailable`.
 */
export async function createStoredUser(input: StoredUserInput): Promise<Outcome<{ id: string }>> {
  const id = `user-${randomUUID()}`;
  const created = await withDatabase((db) =>
    db.$transaction(async (tx) => {
      // Two spellings of one name at once: the second waits here, then sees the first.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(lower(${input.username}), 0))`;
      return tx.$executeRaw`
        INSERT INTO users (id, display_name, username, search_text)
        SELECT ${id}, ${input.displayName}, ${input.username}, ${writeSearchText([input.displayName, input.username])}
        WHERE NOT EXISTS (SELECT 1 FROM users WHERE lower(username) = lower(${input.username}))
        ON CONFLICT DO NOTHING`;
    }),
  );
  if (!created.ok) return created;
  if (created.value === 1) return succeed({ id });
  return fail(
    "bad_input",
    `The username ${input.username} is taken. No user was created; choose another username.`,
  );
}
