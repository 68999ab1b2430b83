import { logAddress } from "~/api-log/api-log-view";
import { type FoundCall, findCallById } from "~/api-log/load-log.server";
import { type BulkList, findList } from "~/bulk/list-record.server";
import {
  type FoundEntry,
  type FoundPurchase,
  findAdjustments,
  findEntryById,
  findPageId,
  findPurchaseById,
  findPurchasesByWords,
} from "~/credits/find-credits.server";
import { formatCredits } from "~/credits/format-credits";
import { formatActor, formatChange, ledgerAddress, purchaseAddress } from "~/credits/ledger/transaction";
import { formatMoney } from "~/credits/purchases/format-money";
import { mailAddress } from "~/mail/mail-address";
import { type FoundUser, findUserById, findUsersByWords } from "~/people/stored-user.server";
import { type FoundPiece, findPiecesById, findPiecesByWords } from "~/pieces/find-pieces.server";
import type { MailType } from "~/pieces/mail-type";
import { findShownStatus } from "~/pieces/status";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import type { Found } from "~/platform/database/search-sql.server";
import { env } from "~/platform/env.server";
import type { Outcome } from "~/platform/outcome";
import { splitWords } from "~/platform/search-words";
import { buildAddress } from "~/platform/url";
import {
  type FoundRecipient,
  findRecipientsById,
  findRecipientsByWords,
} from "~/recipients/list-recipients.server";
import {
  type FoundResponse,
  findResponseById,
  findResponsesByWords,
} from "~/responses/search/response-words.server";
import { formatMoment } from "~/ui/moment";
import type { Hit, HitGroup, SearchResult } from "./found";
import { findPages, findPresets } from "./pages.server";

const MAX_QUERY_CHARS = 255;
const MAX_WORDS = 8;
/** Matches any id: no spaces, and a digit or a dash. */
const ID = /^(?=.*[\d-])[\x21-\x7e]{1,255}$/;

type Source = (db: Db, words: readonly string[], limit: number, now: Date) => Promise<Omit<HitGroup, "kind">>;

/** Filler words, as in "what happened to the postcard to Siobhán". */
const FILLERS = new Set(
  "a did do does for from happened how i in is it my of the this to was what which who".split(" "),
);
const TYPES: readonly MailType[] = ["postcard", "letter"];
const TYPE_WORD = /^(?:postcard|letter)s?$/;

/** Makes a source of a search that tolerates typing errors. */
function tolerant<Row>(
  find: (db: Db, words: readonly string[], limit: number) => Promise<Found<Row>>,
  toHit: (row: Row, now: Date) => Hit,
): Source {
  return async (db, words, limit, now) => {
    const { rows, similar } = await find(db, words, limit);
    return { hits: rows.map((row) => toHit(row, now)), similar };
  };
}

function exact<Row>(
  find: (db: Db, words: readonly string[], limit: number) => Promise<Row[]>,
  toHit: (row: Row, now: Date) => Hit,
): Source {
  return tolerant(async (...query) => ({ rows: await find(...query), similar: false }), toHit);
}

const SOURCES: readonly [HitGroup["kind"], Source][] = [
  ["piece", tolerant(findPieces, toPieceHit)],
  ["recipient", tolerant(findRecipientsByWords, toRecipientHit)],
  ["user", tolerant(findUsersByWords, toUserHit)],
  ["purchase", exact(findPurchasesByWords, toPurchaseHit)],
  ["ledger row", exact(findAdjustments, toEntryHit)],
  ["response", exact(findResponsesByWords, toResponseHit)],
];

/**
 * Finds everything with the words of a text, newest first, up to `limit` of each kind, and everything with the text as its
 * id. Without a database, finds presets and pages only, and says why.
 */
export async function search(text: string, limit: number, now: Date): Promise<SearchResult> {
  const query = text.trim().slice(0, MAX_QUERY_CHARS);
  const words = [...new Set(splitWords(query))].slice(0, MAX_WORDS);
  const result: SearchResult = { query, exact: [], groups: [], problem: null };
  const isId = ID.test(query);
  // An ID may be a single part that is too long for a word.
  if (words.length === 0 && !isId) return result;
  const significant = words.filter((word) => !FILLERS.has(word));
  const named = significant.length > 0 ? significant : words;
  const [byId, ...byWords] = await Promise.all([
    isId ? findById(query, now) : null,
    ...(words.length === 0 ? [] : SOURCES).map(async ([kind, find]) => {
      const found = await withDatabase((db) => find(db, words, limit, now));
      return found.ok ? { kind, ...found.value } : found.failure;
    }),
  ]);
  if (byId?.ok) result.exact = byId.value;
  else if (byId) result.problem = byId.failure.message;
  const known = new Set(result.exact.map(({ to }) => to));
  for (const group of [
    ...byWords,
    { kind: "preset" as const, hits: findPresets(named, limit), similar: false },
    { kind: "page" as const, hits: findPages(named, limit, now), similar: false },
  ]) {
    if ("code" in group) result.problem = group.message;
    else result.groups.push({ ...group, hits: group.hits.filter(({ to }) => !known.has(to)) });
  }
  result.groups = result.groups.filter(({ hits }) => hits.length > 0);
  return result;
}

/** Finds pieces by the words as typed, else by the type and recipient that they name. */
async function findPieces(db: Db, words: readonly string[], limit: number): Promise<Found<FoundPiece>> {
  const names = words.filter((word) => !FILLERS.has(word) && !TYPE_WORD.test(word));
  if (names.length === 0 || names.length === words.length) return findPiecesByWords(db, words, limit);
  const typed = await findPiecesByWords(db, words, limit);
  if (typed.rows.length > 0 && !typed.similar) return typed;
  const [type = null, other] = TYPES.filter((name) => words.includes(name) || words.includes(`${name}s`));
  const meant = await findPiecesByWords(db, names, limit, other ? null : type);
  return meant.rows.length > 0 ? meant : typed;
}

/** Finds everything with this id of ours, the provider's, Stripe's or the caller's. Asks Stripe about an unknown payment. */
async function findById(id: string, now: Date): Promise<Outcome<Hit[]>> {
  const found = await findStored(id, now);
  if (!found.ok || found.value.length > 0) return found;
  const page = await findPageId(id);
  return page === null ? found : findStored(page, now);
}

async function findStored(id: string, now: Date): Promise<Outcome<Hit[]>> {
  const baseUrls = env().baseUrls.map(({ url }) => url);
  return withDatabase(async (db) => [
    ...(await findPiecesById(db, id)).map((row) => toPieceHit(row, now)),
    ...[await findList(db, id)].flatMap((list) => (list ? [toListHit(list, now)] : [])),
    ...(await findResponseById(db, id)).map((row) => toResponseHit(row, now)),
    ...(await findPurchaseById(db, id)).map((row) => toPurchaseHit(row, now)),
    ...(await findEntryById(db, id.replace(/^#/, ""))).map((row) => toEntryHit(row, now)),
    ...(await findRecipientsById(db, id, baseUrls)).map(toRecipientHit),
    ...(await findUserById(db, id)).map(toUserHit),
    ...(await findCallById(db, id)).map((row) => toCallHit(row, now)),
  ]);
}

/** Returns the page of a pasted id when exactly one thing has it, else null. */
export function findOnlyPage({ exact }: SearchResult): string | null {
  const [only] = exact;
  return only !== undefined && exact.length === 1 ? only.to : null;
}

function toPieceHit(piece: FoundPiece, now: Date): Hit {
  const { id, userId, type, test, addressee, place, status, state } = piece;
  const name = test ? `Test ${type}` : type === "letter" ? "Letter" : "Postcard";
  return {
    title: addressee === null ? name : `${name} to ${addressee}`,
    detail: join(place, formatMoment(piece.createdAt, now).absolute),
    // A test has no page of its own.
    to: test ? mailAddress({ user_id: userId, type, tests: "1" }) : `/sends/${id}`,
    status: state === null ? undefined : findShownStatus(state, status),
  };
}

function toListHit({ id, name, mailType, createdAt }: BulkList, now: Date): Hit {
  return {
    title: name,
    detail: join(`list of ${mailType}s`, formatMoment(createdAt, now).absolute),
    to: `/bulk/${id}`,
  };
}

function toRecipientHit(recipient: FoundRecipient): Hit {
  const { id, userId, name, place, email, recipientId, userName, isDeleted } = recipient;
  const number = recipientId === null ? null : `${isDeleted ? "deleted " : ""}recipient ${recipientId}`;
  // With tests, which exist before the first live piece.
  const to = mailAddress({ user_id: userId, recipient: id, tests: "1" });
  return { title: name, detail: join(place, email, number, `of ${userName}`), to };
}

function toUserHit({ id, displayName, username }: FoundUser): Hit {
  const to = buildAddress("/users", { view: "history", user_id: id });
  return { title: displayName, detail: username, to };
}

function toPurchaseHit(purchase: FoundPurchase, now: Date): Hit {
  const { id, userName, credits, amountCents, currency, state, createdAt } = purchase;
  return {
    title: `${formatCredits(credits)} for ${userName}`,
    detail: join(formatMoney(amountCents, currency), state, formatMoment(createdAt, now).absolute),
    to: purchaseAddress(id),
  };
}

function toEntryHit(entry: FoundEntry, now: Date): Hit {
  const { id, userName, type, description, actorId, actorName, createdAt } = entry;
  const actor = formatActor(actorId, actorName);
  return {
    title: `#${id}: ${formatChange(entry)} for ${userName}, ${type}`,
    detail: join(description, `by ${actor}`, formatMoment(createdAt, now).absolute),
    to: ledgerAddress(id),
  };
}

function toResponseHit(response: FoundResponse, now: Date): Hit {
  const { id, method, path, statusCode, userName, createdAt } = response;
  const answer = statusCode === null ? "no answer" : String(statusCode);
  const detail = join(answer, userName, formatMoment(createdAt, now).absolute);
  return { title: `${method} ${path}`, detail, to: `/stored/${id}` };
}

function toCallHit({ requestId, at, method, path, status, reason }: FoundCall, now: Date): Hit {
  const detail = join(String(status), reason, formatMoment(at, now).absolute);
  return { title: `${method} ${path}`, detail, to: logAddress({ id: requestId }) };
}

function join(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== "").join(" · ");
}
