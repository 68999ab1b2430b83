import { eraseParkedDrafts } from "~/builder/parked-draft.server";
import { eraseListRows, findListRowsAbout, type PersonsRow } from "~/bulk/erase-lists.server";
import type { Viewer } from "~/people/viewer.server";
import {
  erasePieces,
  eraseSampleItems,
  findPiecesTo,
  isUnsettled,
  type PersonsPiece,
} from "~/pieces/erase-pieces.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { eraseRecipients, findPerson, mentions, type Person } from "~/recipients/person.server";
import { eraseBodies, findResponsesAbout, type PersonsResponse } from "~/responses/erase-bodies.server";
import { eraseTestedPieces } from "~/sending/tested/erase-tested.server";
import { eraseAnswers } from "~/webhooks/expire.server";
import type { Prisma } from "../../prisma/client/client";
import { formatErased, NO_PERSON, OPEN_PIECES } from "./messages";

/** All that is kept about a person who mail is sent to. */
export interface PersonData {
  person: Person;
  pieces: PersonsPiece[];
  responses: PersonsResponse[];
  /** Of lists that mail is or was sent by. */
  listRows: PersonsRow[];
}

const SEARCH_LIMIT_MS = 60_000;

/** Fails with `not_found`, or as the database does. @param id our own id of a recipient */
export async function loadPersonData(id: string): Promise<Outcome<PersonData>> {
  const found = await withDatabase((db) =>
    db.$transaction((tx) => selectPersonData(tx, id), { timeout: SEARCH_LIMIT_MS }),
  );
  if (!found.ok) return found;
  return found.value ? succeed(found.value) : fail("not_found", NO_PERSON);
}

/**
 * Erases a person from everything but the ledger, in one transaction. Gives the sentence to show. Fails with
 * `not_found`, `in_progress` while a piece to them is not settled, or as the database does.
 */
export async function erasePerson(id: string, viewer: Pick<Viewer, "id">): Promise<Outcome<string>> {
  const done = await withDatabase((db) =>
    db.$transaction(
      async (tx) => {
        const data = await selectPersonData(tx, id);
        if (data === null || data.pieces.some(isUnsettled)) return data;
        await eraseAll(tx, data);
        return data;
      },
      { timeout: SEARCH_LIMIT_MS },
    ),
  );
  if (!done.ok) return done;
  if (done.value === null) return fail("not_found", NO_PERSON);
  const { pieces, responses } = done.value;
  if (pieces.some(isUnsettled)) return fail("in_progress", OPEN_PIECES);
  log.info("person.erased", { userId: viewer.id, rowId: id });
  return succeed(formatErased(pieces.length, responses.length));
}

async function selectPersonData(db: Db, id: string): Promise<PersonData | null> {
  await db.$executeRaw`SET LOCAL statement_timeout = '60s'`;
  const person = await findPerson(db, id);
  if (person === null) return null;
  const pieces = await findPiecesTo(db, person);
  const ids = pieces.map((piece) => piece.id);
  const named = (text: Prisma.Sql) => mentions(person, text);
  const responses = await findResponsesAbout(db, ids, named);
  return { person, pieces, responses, listRows: await findListRowsAbout(db, ids, named) };
}

async function eraseAll(db: Db, { person, pieces, responses }: PersonData): Promise<void> {
  const named = (text: Prisma.Sql) => mentions(person, text);
  const tested = pieces.flatMap(({ testedPieceId }) => (testedPieceId === null ? [] : [testedPieceId]));
  await eraseBodies(
    db,
    responses.map(({ id }) => id),
  );
  await eraseTestedPieces(db, tested, named);
  await eraseParkedDrafts(db, named);
  await eraseListRows(
    db,
    pieces.map(({ id }) => id),
    named,
  );
  await eraseAnswers(
    db,
    pieces.map(({ id }) => id),
  );
  await eraseSampleItems(db, person);
  await erasePieces(
    db,
    pieces.map(({ id }) => id),
  );
  await eraseRecipients(db, person);
}
