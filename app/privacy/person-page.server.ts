import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { UNKNOWN_FORM } from "~/platform/http/body.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { Link, Match } from "~/recipients/match-person.server";
import { type FormattedMoment, formatMoment } from "~/ui/moment";
import { countMatches, erasePerson, loadPersonData, type PersonMatches, toTick } from "./erase-person.server";
import { findErasure } from "./erasures.server";

/** A recipient with the data stored about the person. */
export interface PersonView {
  id: string;
  name: string;
  email: string | null;
  /** The provider's id. */
  recipientId: string | null;
  addresses: string[];
  /** Numbers of linked records by kind. */
  counts: Record<string, number>;
  linked: ShownMatch[];
  proposed: ShownMatch[];
  /** Number of proposed matches that are not listed. */
  unlisted: number;
}

/** A listed match. */
export interface ShownMatch {
  /** Posted when it is ticked. */
  id: string;
  kind: string;
  link: Link;
  name: string | null;
  address: string | null;
  at: FormattedMoment;
  /** Name of the user it belongs to. */
  owner: string;
  page: string | null;
}

/** The result of an erasure. */
export interface ErasedView {
  at: FormattedMoment;
  by: string;
  erased: Record<string, number>;
  unconfirmed: Record<string, number>;
  /** True when the provider has a copy. */
  atProvider: boolean;
}

/** Limit of listed matches; all are counted. */
const MOST_LISTED = 200;

/** Loads the page of a person, or of their erasure. Fails as {@link loadPersonData} does. */
export async function loadPersonView(
  id: string,
  now: Date,
): Promise<Outcome<{ person: PersonView | null; erased: ErasedView | null }>> {
  const found = await loadPersonData(id);
  if (!found.ok) return found.failure.code === "not_found" ? loadErased(id, now, found) : found;
  const { person, theirs, proposed } = found.value;
  const linked = toShown(theirs, now);
  const listed = toShown(proposed, now);
  const owners = await loadNames([...linked, ...listed].map(({ owner }) => owner));
  const withNames = (matches: ShownMatch[]) =>
    matches
      .slice(0, MOST_LISTED)
      .map((match) => ({ ...match, owner: owners.get(match.owner) ?? match.owner }));
  const { name, email, recipientId } = person;
  const view: PersonView = {
    id,
    name,
    email,
    recipientId,
    addresses: [...new Set(linked.flatMap(({ address }) => address ?? []))],
    counts: countMatches(theirs),
    linked: withNames(linked),
    proposed: withNames(listed),
    unlisted: Math.max(listed.length - MOST_LISTED, 0),
  };
  return succeed({ person: view, erased: null });
}

async function loadErased(
  id: string,
  now: Date,
  missing: Outcome<never>,
): Promise<Outcome<{ person: null; erased: ErasedView }>> {
  const found = await withDatabase((db) => findErasure(db, id));
  if (!found.ok) return found;
  if (found.value === null) return missing;
  const { at, actorId, erased, unconfirmed, links } = found.value;
  const names = await loadNames([actorId]);
  return succeed({
    person: null,
    erased: {
      at: formatMoment(at, now),
      by: names.get(actorId) ?? actorId,
      erased,
      unconfirmed,
      atProvider: links.accounts.length > 0,
    },
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

function toShown(matches: PersonMatches, now: Date): ShownMatch[] {
  return Object.entries(matches).flatMap(([kind, those]: [string, Match[]]) =>
    those.map(({ id, link, name, address, at, userId, page }) => ({
      ...{ id: toTick(id), kind, link, name, address, page },
      at: formatMoment(at, now),
      owner: userId,
    })),
  );
}

async function loadNames(ids: readonly string[]): Promise<Map<string, string>> {
  const found = await withDatabase((db) =>
    db.user.findMany({ where: { id: { in: [...new Set(ids)] } }, select: { id: true, displayName: true } }),
  );
  return new Map(found.ok ? found.value.map(({ id, displayName }) => [id, displayName]) : []);
}
