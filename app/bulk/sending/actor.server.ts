import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { SCOPES } from "~/platform/http/token-scopes";

/**
 * Finds the person for whom background work sends or cancels; null when the person is not stored. Scopes were checked when the person
 * started the work.
 */
export async function findActor(db: Db, id: string): Promise<Viewer | null> {
  const [user] = await db.$queryRaw<{ displayName: string; email: string | null }[]>`
    SELECT display_name AS "displayName", email FROM users WHERE id = ${id}`;
  return user
    ? {
        id,
        actorId: id,
        subject: "",
        ...user,
        emailVerified: false,
        picture: null,
        signedInAt: null,
        scopes: SCOPES,
        token: null,
      }
    : null;
}
