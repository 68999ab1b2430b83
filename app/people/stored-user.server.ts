import { randomUUID } from "node:crypto";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { StoredUserInput } from "./stored-user.schema.server";

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
        INSERT INTO users (id, display_name, username)
        SELECT ${id}, ${input.displayName}, ${input.username}
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
