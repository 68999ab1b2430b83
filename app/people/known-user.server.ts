import type { PrismaClient } from "../../prisma/client/client";
import type { Viewer } from "./viewer.server";

/**
 * Whether one may act on this user: one that is stored, or the viewer, whose own record is made here at the
 * first need (spec §7; security.md row 8: no one else's ever is).
 */
export async function isKnownUser(
  db: PrismaClient,
  viewer: Pick<Viewer, "id" | "displayName" | "email">,
  userId: string,
): Promise<boolean> {
  if (userId === viewer.id) await storeViewer(db, viewer);
  return (await db.user.findUnique({ where: { id: userId }, select: { id: true } })) !== null;
}

/** A username that somebody has already gives way to the id, which is unique. */
async function storeViewer(
  db: PrismaClient,
  { id, displayName, email }: Pick<Viewer, "id" | "displayName" | "email">,
): Promise<void> {
  for (const username of [email ?? id, id]) {
    await db.$executeRaw`
      INSERT INTO users (id, display_name, username, email) VALUES (${id}, ${displayName}, ${username}, ${email})
      ON CONFLICT DO NOTHING`;
  }
}
