import { withDatabase } from "~/platform/database/database.server";
import type { Outcome } from "~/platform/outcome";
import { orderUserOptions, type UserOption } from "./user-option";
import type { Viewer } from "./viewer.server";

/**
 * The users one can act for, in the order the selector shows them.
 * Fails with `not_configured` or `database_unavailable`.
 */
export async function listUserOptions(viewer: Viewer | null): Promise<Outcome<UserOption[]>> {
  const stored = await withDatabase((db) =>
    db.user.findMany({ select: { id: true, displayName: true, username: true } }),
  );
  if (!stored.ok) return stored;
  const options = stored.value.map(({ id, displayName, username }) => ({
    id,
    display_name: displayName,
    username,
  }));
  return { ok: true, value: orderUserOptions(options, viewer) };
}
