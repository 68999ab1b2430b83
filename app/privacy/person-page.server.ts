import { loadNames } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { UNKNOWN_FORM } from "~/platform/http/body.server";
import { type Failed, fail, type Outcome, succeed, type ValueOf } from "~/platform/outcome";
import { formatMoment } from "~/ui/moment";
import {
  countMatches,
  erasePerson,
  hashMatchId,
  listMatches,
  loadPersonData,
  mapKinds,
  type PersonData,
  type PersonMatches,
} from "./erase-person.server";
import { findErasure } from "./erasures.server";

export type PersonView = ReturnType<typeof toPersonView>;
export type ErasedView = ValueOf<typeof loadErased>["erased"];
export type MatchView = PersonView["linked"][number];

/** Limit of listed matches; all are counted. */
const MOST_LISTED = 200;

/** Loads the stored data of a recipient, or the record of its erasure. Fails with `not_found`, or as the database does. */
export async function loadPersonView(
  id: string,
  now: Date,
): Promise<Outcome<{ person: PersonView | null; erased: ErasedView | null }>> {
  const found = await loadPersonData(id);
  if (!found.ok) return found.failure.code === "not_found" ? loadErased(id, now, found) : found;
  const { theirs, proposed } = found.value;
  const owners = [theirs, proposed].flatMap(listMatches).map(({ userId }) => userId);
  const nameOf = await withDatabase((db) => loadNames(db, owners));
  if (!nameOf.ok) return nameOf;
  return succeed({ person: toPersonView(id, found.value, nameOf.value, now), erased: null });
}

function toPersonView(id: string, data: PersonData, nameOf: (userId: string) => string, now: Date) {
  const { person, theirs, proposed } = data;
  const list = (all: PersonMatches) =>
    listMatches(all).map(({ id, kind, link, name, address, at, userId, page }) => ({
      /** Posted when it is ticked. */
      id: hashMatchId(id),
      ...{ kind, link, name, address, page },
      at: formatMoment(at, now),
      /** Name of the user it belongs to. */
      owner: nameOf(userId),
    }));
  const [linked, similar] = [list(theirs), list(proposed)];
  return {
    id,
    name: person.name,
    email: person.email,
    recipientId: person.recipientId,
    addresses: [...new Set(linked.flatMap(({ address }) => address ?? []))],
    counts: countMatches(theirs),
    linked: linked.slice(0, MOST_LISTED),
    proposed: similar.slice(0, MOST_LISTED),
    /** Numbers of linked and of proposed matches that are not listed. */
    unlisted: { linked: countUnlisted(linked), proposed: countUnlisted(similar) },
  };
}

function countUnlisted({ length }: readonly unknown[]): number {
  return Math.max(length - MOST_LISTED, 0);
}

function loadErased(id: string, now: Date, missing: Failed) {
  return withDatabase(async (db) => {
    const found = await findErasure(db, id);
    if (found === null) return missing;
    const { at, actorId, erased, unconfirmed, links } = found;
    const by = (await loadNames(db, [actorId]))(actorId);
    // The provider has a copy of a recipient of its account.
    const atProvider = links.accounts.length > 0;
    return { person: null, erased: { at: formatMoment(at, now), by, erased, unconfirmed, atProvider } };
  });
}

/** Handles the page's form, `intent` erase with `confirmed` and the ticked `match`. */
export async function handlePersonPost(form: FormData, id: string, viewer: Viewer): Promise<Outcome<null>> {
  if (form.get("intent") !== "erase") return { ok: false, failure: UNKNOWN_FORM };
  if (form.get("confirmed") !== "yes") return fail("bad_input", "Tick the box first. Nothing was erased.");
  return erasePerson(id, viewer, form.getAll("match").map(String));
}

/** Loads everything stored about a person, with the ticked matches, for the export. */
export async function loadExport(id: string, confirmed: readonly string[]): Promise<Outcome<object>> {
  const found = await loadPersonData(id, confirmed);
  if (!found.ok) return found;
  const { person, theirs } = found.value;
  return succeed({ person, ...mapKinds(theirs, (matches) => matches.map(({ data }) => data)) });
}
