import { withDatabase } from "~/platform/database/database.server";
import { PERSON_PREFIX, type SessionOwner } from "~/platform/http/session.server";
import { errorNameOf, log } from "~/platform/log.server";

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
