import {
  findAdjustments,
  findEntryById,
  findPageId,
  findPurchaseById,
  findPurchasesByWords,
  isPaymentId,
} from "~/credits/find-credits.server";
import { findUserById, findUsersByWords } from "~/people/find-users.server";
import { type FoundPiece, findPiecesById, findPiecesByWords } from "~/pieces/find-pieces.server";
import type { MailType } from "~/pieces/mail-type";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import type { Found } from "~/platform/database/search-sql.server";
import { env } from "~/platform/env.server";
import type { Outcome } from "~/platform/outcome";
import { splitWords } from "~/platform/search-words";
import { findRecipientsById, findRecipientsByWords } from "~/recipients/find-recipients.server";
import { findResponseById, findResponsesByWords } from "~/responses/search/find-by-words.server";
import type { Hit, HitGroup, SearchResult } from "./found";
import { toEntryHit, toPieceHit, toPurchaseHit, toRecipientHit, toResponseHit, toUserHit } from "./hits";
import { findPages, findPresets } from "./pages.server";

/** Longer texts are cut. */
const MAX_QUERY_CHARS = 255;
const MAX_WORDS = 8;
/** Whatever an id may look like: it has no spaces, and a digit or a dash. */
const ID = /^(?=.*[\d-])[\x21-\x7e]{1,255}$/;

/** Searches one room. */
type Source = (db: Db, words: readonly string[], limit: number, now: Date) => Promise<Omit<HitGroup, "kind">>;

/** Words around those that are searched: "what happened to the postcard to Siobhán". */
const FILLERS = new Set(
  "a did do does for from happened how i in is it my of the this to was what which who".split(" "),
);
const TYPE_WORDS: Readonly<Record<string, MailType>> = {
  postcard: "postcard",
  postcards: "postcard",
  letter: "letter",
  letters: "letter",
};

const SOURCES: readonly [HitGroup["kind"], Source][] = [
  [
    "piece",
    async (db, words, limit, now) =>
      toGroup(await findPieces(db, words, limit), (row) => toPieceHit(row, now)),
  ],
  [
    "recipient",
    async (db, words, limit) => toGroup(await findRecipientsByWords(db, words, limit), toRecipientHit),
  ],
  ["user", async (db, words, limit) => toGroup(await findUsersByWords(db, words, limit), toUserHit)],
  [
    "purchase",
    async (db, words, limit, now) =>
      toGroup({ rows: await findPurchasesByWords(db, words, limit), similar: false }, (row) =>
        toPurchaseHit(row, now),
      ),
  ],
  [
    "ledger row",
    async (db, words, limit, now) =>
      toGroup({ rows: await findAdjustments(db, words, limit), similar: false }, (row) =>
        toEntryHit(row, now),
      ),
  ],
  [
    "response",
    async (db, words, limit, now) =>
      toGroup({ rows: await findResponsesByWords(db, words, limit), similar: false }, (row) =>
        toResponseHit(row, now),
      ),
  ],
];

/**
 * Everything that has the words of a text, newest first, so many of each kind; and what has the text as its id. Without a
 * database, presets and pages alone, and why.
 */
export async function search(text: string, limit: number, now: Date): Promise<SearchResult> {
  const query = text.trim().slice(0, MAX_QUERY_CHARS);
  const words = [...new Set(splitWords(query))].slice(0, MAX_WORDS);
  const result: SearchResult = { query, exact: [], groups: [], problem: null };
  if (words.length === 0) return result;
  const telling = words.filter((word) => !FILLERS.has(word));
  const named = telling.length > 0 ? telling : words;
  const [byId, ...byWords] = await Promise.all([
    ID.test(query) ? findById(query, now) : null,
    ...SOURCES.map(async ([kind, find]) => {
      const found = await withDatabase((db) => find(db, words, limit, now));
      return found.ok ? { kind, ...found.value } : found.failure;
    }),
  ]);
  if (byId?.ok) result.exact = byId.value;
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

/** Pieces by the words as they are typed, else by what they say of type and recipient. */
async function findPieces(db: Db, words: readonly string[], limit: number): Promise<Found<FoundPiece>> {
  const names = words.filter((word) => !FILLERS.has(word) && !Object.hasOwn(TYPE_WORDS, word));
  if (names.length === 0 || names.length === words.length) return findPiecesByWords(db, words, limit);
  const typed = await findPiecesByWords(db, words, limit);
  if (typed.rows.length > 0 && !typed.similar) return typed;
  const types = [...new Set(words.flatMap((word) => TYPE_WORDS[word] ?? []))];
  const [type = null, other] = types;
  const meant = await findPiecesByWords(db, names, limit, other ? null : type);
  return meant.rows.length > 0 ? meant : typed;
}

/** Whatever has this id, of us, the provider, Stripe or the caller. Stripe is asked of a payment that is not known. */
async function findById(id: string, now: Date): Promise<Outcome<Hit[]>> {
  const found = await findStored(id, now);
  if (!found.ok || found.value.length > 0 || !isPaymentId(id)) return found;
  const page = await findPageId(id);
  return page === null ? found : findStored(page, now);
}

async function findStored(id: string, now: Date): Promise<Outcome<Hit[]>> {
  const baseUrls = env().baseUrls.map(({ url }) => url);
  return withDatabase(async (db) => [
    ...(await findPiecesById(db, id)).map((row) => toPieceHit(row, now)),
    ...(await findResponseById(db, id)).map((row) => toResponseHit(row, now)),
    ...(await findPurchaseById(db, id)).map((row) => toPurchaseHit(row, now)),
    ...(await findEntryById(db, id.replace(/^#/, ""))).map((row) => toEntryHit(row, now)),
    ...(await findRecipientsById(db, id, baseUrls)).map(toRecipientHit),
    ...(await findUserById(db, id)).map(toUserHit),
  ]);
}

function toGroup<Row>(found: { rows: Row[]; similar: boolean }, toHit: (row: Row) => Hit) {
  return { hits: found.rows.map(toHit), similar: found.similar };
}

/** The page of a pasted id that only one thing has, else null. */
export function findOnlyPage({ exact }: SearchResult): string | null {
  const [only] = exact;
  return only !== undefined && exact.length === 1 ? only.to : null;
}
