import { randomUUID } from "node:crypto";
import { deleteParkedDrafts, findParkedDrafts } from "~/builder/draft/parked-draft.server";
import { eraseListRows, findListRows, lockListRows } from "~/bulk/erase-lists.server";
import type { Viewer } from "~/people/viewer.server";
import {
  erasePieces,
  eraseTestedPieces,
  eraseTestItems,
  findPiecesTo,
  findTestedPieces,
  findTestItems,
} from "~/pieces/erase-pieces.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { log } from "~/platform/log.server";
import { fail, isFailed, type Outcome, type ValueOf } from "~/platform/outcome";
import { hash, type Identity, type Links, type Match } from "~/recipients/match-person.server";
import {
  eraseRecipients,
  findPerson,
  findRecords,
  lockErasures,
  matchRecords,
  type Person,
} from "~/recipients/person.server";
import { eraseResponses, findResponses } from "~/responses/erase-bodies.server";
import { eraseAnswers } from "~/webhooks/delivery-record.server";
import type { PrismaClient } from "../../prisma/client/client";
import { type Erasure, findDueErasures, insertErasure, markApplied, saveErasures } from "./erasures.server";

/** Hashes a match id for forms and addresses. */
export function hashMatchId(matchId: string): string {
  return hash(matchId).slice(0, 16);
}

/** Everything stored about a person, by kind. */
export type PersonMatches = Awaited<ReturnType<typeof findMatches>>;
export type PersonData = ValueOf<typeof loadPersonData>;

const SEARCH_LIMIT_MS = 60_000;

/**
 * Loads everything stored about a person. Fails with `not_found`, or if a confirmed match no longer exists.
 * @param id our own id of a recipient
 * @param confirmed proposed matches, by {@link hashMatchId}
 */
export function loadPersonData(id: string, confirmed: readonly string[] = []) {
  return withDatabase((db) =>
    db.$transaction((tx) => findPersonData(tx, id, confirmed), { timeout: SEARCH_LIMIT_MS }),
  );
}

/** Erases a person from everything but the ledger. Fails with `in_progress` while a piece to them is not settled. */
export async function erasePerson(
  id: string,
  viewer: Pick<Viewer, "id">,
  confirmed: readonly string[] = [],
): Promise<Outcome<null>> {
  const done = await withDatabase((db) =>
    db.$transaction(
      async (tx) => {
        await lockErasures(tx);
        const found = await findPersonData(tx, id, confirmed);
        if (isFailed(found)) return found;
        const { identity, theirs, proposed } = found;
        const all = listMatches(theirs);
        const rows = theirs.listRows.map(({ data }) => data);
        if (all.some(({ isOpen }) => isOpen) || !(await lockListRows(tx, rows))) {
          return fail(
            "in_progress",
            "A piece to this person is not settled yet, and its request may have to be repeated. Nothing was erased: settle it, then try again.",
          );
        }
        await eraseMatches(tx, theirs);
        const { names, mails, ...links } = identity;
        await insertErasure(tx, {
          id: randomUUID(),
          actorId: viewer.id,
          at: new Date(),
          links: { ...links, known: all.map((match) => match.id) },
          erased: countMatches(theirs),
          unconfirmed: countMatches(proposed),
        });
        return null;
      },
      { timeout: SEARCH_LIMIT_MS },
    ),
  );
  if (!done.ok) return done;
  log.info("person.erased", { userId: viewer.id, rowId: id });
  await saveErasures();
  return done;
}

/** Applies erasures that a restored database lacks. Returns how many were due. */
export async function applyErasures(db: PrismaClient, erasures: readonly Erasure[]): Promise<number> {
  for (const erasure of erasures) await insertErasure(db, erasure, true);
  return applyDueErasures(db);
}

/**
 * Applies erasures to data that a restore brought back. Data that open mail needs stays, and its erasure is due until
 * the mail is settled. Returns the number of erasures.
 */
export async function applyDueErasures(db: PrismaClient): Promise<number> {
  return db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL statement_timeout = 0`;
      await lockErasures(tx);
      const due = await findDueErasures(tx);
      if (due.length === 0) return 0;
      const identity = joinLinks(due);
      const found = await findMatches(tx, identity, await matchRecords(tx, identity), isExact);
      const erasable = filterMatches(found, (match) => isExact(match) && !match.isOpen);
      await eraseMatches(tx, erasable);
      const isSettled = !listMatches(found).some((match) => isExact(match) && match.isOpen);
      // One erasure that waits must not repeat the others, which would erase later mail to these people.
      for (const erasure of due) {
        if (isSettled || !(await hasOpenMail(tx, erasure))) await markApplied(tx, erasure.id);
      }
      return due.length;
    },
    { timeout: 10 * SEARCH_LIMIT_MS },
  );
}

function isExact({ link }: Match): boolean {
  return link === "exact";
}

function joinLinks(erasures: readonly Erasure[]): Identity {
  const join = (kind: keyof Links) => erasures.flatMap(({ links }) => links[kind]);
  const [rows, accounts, keys] = [join("rows"), join("accounts"), join("keys")];
  return { rows, accounts, keys, emails: join("emails"), known: join("known"), names: [], mails: [] };
}

/** True while a piece or list row of the erased person is not settled. */
async function hasOpenMail(db: Db, erasure: Erasure): Promise<boolean> {
  const identity = joinLinks([erasure]);
  const pieces = (await findPiecesTo(db, identity)).filter(isExact);
  const ids = pieces.map(({ data }) => data.id);
  const listRows = (await findListRows(db, identity, ids)).filter(isExact);
  return [...pieces, ...listRows].some(({ isOpen }) => isOpen);
}

async function findPersonData(db: Db, id: string, confirmed: readonly string[]) {
  await db.$executeRaw`SET LOCAL statement_timeout = '60s'`;
  const person = await findPerson(db, id);
  if (person === null) return fail("not_found", "There is no such recipient, or they were erased already.");
  const chosen = new Set(confirmed);
  const isTheirs = (match: Match) => match.link === "exact" || chosen.has(hashMatchId(match.id));
  const { identity, records } = await findRecords(db, person, isTheirs);
  const all = await findMatches(db, identity, records, isTheirs);
  const ticks = new Set(listMatches(all).map((match) => hashMatchId(match.id)));
  if (confirmed.some((tick) => !ticks.has(tick))) {
    const message = "A ticked record no longer exists. Nothing was erased: check the list and try again.";
    return fail("bad_input", message);
  }
  /** Matches that are erased and exported only if a person confirms them. */
  const proposed = filterMatches(all, (match) => !isTheirs(match));
  // A piece of a proposed recipient is confirmed with the recipient.
  const covered = new Set(proposed.recipients.map(({ data }) => data.id));
  proposed.pieces = proposed.pieces.filter(({ data }) => !covered.has(data.recordId ?? ""));
  return { person, identity, theirs: filterMatches(all, isTheirs), proposed };
}

async function findMatches(
  db: Db,
  identity: Identity,
  recipients: Match<Person>[],
  isTheirs: (match: Match) => boolean,
) {
  const pieces = await findPiecesTo(db, identity);
  const own = pieces.filter(isTheirs).map(({ data }) => data);
  const ids = own.map(({ id }) => id);
  const listRows = await findListRows(db, identity, ids);
  const tested = [...own, ...listRows.filter(isTheirs).map(({ data }) => data)];
  const testedIds = tested.flatMap(({ testedPieceId }) => testedPieceId ?? []);
  return {
    recipients,
    pieces,
    listRows,
    tests: await findTestItems(db, identity),
    testedPieces: await findTestedPieces(db, identity, testedIds),
    responses: await findResponses(db, identity, ids),
    drafts: await findParkedDrafts(db, identity),
  };
}

async function eraseMatches(db: Db, matches: PersonMatches): Promise<void> {
  const listIds = (kind: readonly Match<{ id: string }>[]) => kind.map(({ data }) => data.id);
  const pieces = listIds(matches.pieces);
  const listRows = matches.listRows.map(({ data }) => data);
  const responses = matches.responses.map(({ data }) => data);
  await eraseListRows(db, listRows);
  await eraseResponses(db, responses);
  await eraseTestedPieces(db, listIds(matches.testedPieces));
  await deleteParkedDrafts(db, listIds(matches.drafts));
  await eraseAnswers(db, pieces);
  await eraseTestItems(db, listIds(matches.tests));
  await erasePieces(db, pieces);
  await eraseRecipients(db, listIds(matches.recipients));
}

function filterMatches(all: PersonMatches, isWanted: (match: Match) => boolean): PersonMatches {
  return mapKinds(all, (matches) => matches.filter(isWanted)) as PersonMatches;
}

export function listMatches(matches: PersonMatches): (Match & { kind: string })[] {
  return Object.values(mapKinds(matches, (those, kind) => those.map((match) => ({ ...match, kind })))).flat();
}

export function countMatches(matches: PersonMatches): Record<string, number> {
  return mapKinds(matches, ({ length }) => length);
}

export function mapKinds<T>(
  all: PersonMatches,
  map: (matches: Match[], kind: string) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(all).map(([kind, matches]) => [kind, map(matches, kind)]));
}
