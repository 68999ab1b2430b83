import { loadGroups, type ProviderGroup } from "~/outside/mail-provider/groups.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome } from "~/platform/outcome";
import { loadDesign } from "../design.server";
import { NO_LIST } from "../messages";
import { groupSource } from "./group-source.server";
import { importList } from "./import-list.server";

/** The groups that the account has which a list is sent with. Fails as the provider's call does, or with `not_found`. */
export async function listGroups(id: string): Promise<Outcome<ProviderGroup[]>> {
  const design = await withDatabase((db) => loadDesign(db, id));
  if (!design.ok) return design;
  if (!design.value) return fail("not_found", NO_LIST);
  const groups = await loadGroups(design.value.baseUrl);
  if (groups.ok) return groups;
  return { ok: false, failure: { ...groups.failure, message: formatGroupsFailed(groups.failure.message) } };
}

/** Puts the recipients of a group into a list, in place of the rows that it had. Fails as {@link importList} does. */
export async function importGroup(
  id: string,
  groupId: string,
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<number>> {
  const groups = await listGroups(id);
  if (!groups.ok) return groups;
  const group = groups.value.find((one) => one.id === groupId);
  if (!group) return fail("bad_input", "The provider has no such group. Nothing was imported.");
  const design = await withDatabase((db) => loadDesign(db, id));
  if (!design.ok) return design;
  if (!design.value) return fail("not_found", NO_LIST);
  return importList(id, groupSource(design.value.baseUrl, group), viewer);
}

function formatGroupsFailed(reason: string): string {
  return `The provider's groups could not be loaded. ${reason}`;
}
