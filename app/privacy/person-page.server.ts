import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { UNKNOWN_FORM } from "~/platform/http/body.server";
import { type Failed, fail, type Outcome, succeed, type ValueOf } from "~/platform/outcome";
import type { Match } from "~/recipients/match-person.server";
import { formatMoment } from "~/ui/moment";
import {
  countMatches,
  erasePerson,
  hashMatchId,
  loadPersonData,
  type PersonData,
  type PersonMatches,
} from "./erase-person.server";
import { findErasure } from "./erasures.server";

/** A recipient with the data stored about the person. */
export type PersonView = ReturnType<typeof toPersonView>;
export type ErasedView = ValueOf<typeof loadErased>["erased"];
export type MatchView = PersonView["linked"][number];

/** Limit of listed matches; all are counted. */
const MOST_LISTED = 200;

/** Loads the page of a person, or of their erasure. Fails as {@link loadPersonData} does. */
export async function loadPersonView(
  id: string,
  now: Date,
): Promise<Outcome<{ person: PersonView | null; erased: ErasedView | null }>> {
  const found = await loadPersonData(id);
  if (!found.ok) return found.failure.code === "not_found" ? loadErased(id, now, found) : found;
  const { theirs, proposed } = found.value;
  const owners = [theirs, proposed].flatMap((all) =>
    Object.values(all)
      .flat()
      .map(({ userId }) => userId),
  );
  return succeed({ person: toPersonView(id, found.value, await loadNames(owners), now), erased: null });
}

function toPersonView(id: string, data: PersonData, names: ReadonlyMap<string, string>, now: Date) {
  const { person, theirs, proposed } = data;
  const list = (all: PersonMatches) =>
    Object.entries(all).flatMap(([kind, matches]: [string, Match[]]) =>
      matches.map(({ id, link, name, address, at, userId, page }) => ({
        /** Posted when it is ticked. */
        id: hashMatchId(id),
        ...{ kind, link, name, address, page },
        at: formatMoment(at, now),
        /** Name of the user it belongs to. */
        owner: names.get(userId) ?? userId,
      })),
    );
  const [linked, similar] = [list(theirs), list(proposed)];
  return {
    id,
    name: person.name,
    email: person.email,
    /** The provider's id. */
    recipientId: person.recipientId,
    addresses: [...new Set(linked.flatMap(({ address }) => address ?? []))],
    /** Numbers of linked records by kind. */
    counts: countMatches(theirs),
    linked: linked.slice(0, MOST_LISTED),
    proposed: similar.slice(0, MOST_LISTED),
    /** Number of proposed matches that are not listed. */
    unlisted: Math.max(similar.length - MOST_LISTED, 0),
  };
}

async function loadErased(id: string, now: Date, missing: Failed) {
  const found = await withDatabase((db) => findErasure(db, id));
  if (!found.ok) return found;
  if (found.value === null) return missing;
  const { at, actorId, erased, unconfirmed, links } = found.value;
  const by = (await loadNames([actorId])).get(actorId) ?? actorId;
  // The provider has a copy of a recipient of its account.
  const atProvider = links.accounts.length > 0;
  return succeed({
    person: null,
    erased: { at: formatMoment(at, now), by, erased, unconfirmed, atProvider },
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
  const kinds = Object.entries(theirs).map(([kind, matches]: [string, Match[]]) => [
    kind,
    matches.map(({ data }) => data),
  ]);
  return succeed({ person, ...Object.fromEntries(kinds) });
}

async function loadNames(ids: readonly string[]): Promise<Map<string, string>> {
  const found = await withDatabase((db) =>
    db.user.findMany({ where: { id: { in: [...new Set(ids)] } }, select: { id: true, displayName: true } }),
  );
  return new Map(found.ok ? found.value.map(({ id, displayName }) => [id, displayName]) : []);
}
