import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { SCOPES } from "~/platform/http/token-scopes";

/**
 * A person for whom the background works, as far as sending and cancelling need it; null for one who is not stored. Their
 * scopes were checked when they started the work.
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
