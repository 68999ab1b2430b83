import type { MailType } from "~/pieces/mail-type";
import { parseStatus } from "~/pieces/status";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { DAY_MS } from "~/platform/time";
import { listPiecesTo } from "~/recipients/person.server";
import { ALL_USERS, type PieceFilter } from "./piece-filter";

const DAY = /^\d{4}-\d\d-\d\d$/;
const ID = /^[\w-]{1,64}$/;
const MAX_SEARCH_CHARS = 200;
/** Limit of chosen pieces, more than a page has. */
const MAX_CHOSEN = 200;

/**
 * Parses the filter in the address of the tab and of its file: `type`, `status`, `q`, `from` and `to` (days, both
 * included), `tests`, `recipient`, `list`. Invalid values count as absent.
 * @param userId {@link ALL_USERS} for the pieces of all
 */
export function parsePieceFilter(parameters: URLSearchParams, userId: string): PieceFilter {
  const from = parseDay(parameters.get("from"));
  const to = parseDay(parameters.get("to"));
  const search = (parameters.get("q") ?? "").trim().slice(0, MAX_SEARCH_CHARS);
  return {
    userId: userId === ALL_USERS ? null : userId,
    type: parseType(parameters.get("type")),
    status: parseStatus(parameters.get("status")),
    from,
    before: to && new Date(to.getTime() + DAY_MS),
    tests: parameters.get("tests") === "1",
    open: true,
    search: search || null,
    recipient: parseId(parameters.get("recipient")),
    list: parseId(parameters.get("list")),
    ids: null,
  };
}

/** Adds the ids of the pieces to the filter's recipient, if it has one. Fails as the database does. */
export async function findRecipientsPieces(filter: PieceFilter): Promise<Outcome<PieceFilter>> {
  const { recipient } = filter;
  if (recipient === null) return succeed(filter);
  const ids = await withDatabase((db) => listPiecesTo(db, recipient));
  return ids.ok ? succeed({ ...filter, ids: ids.value }) : ids;
}

export const NONE_CHOSEN = "Choose at least one piece by its check box. Nothing was changed.";

/** Parses the ids of the pieces whose check boxes are ticked. */
export function parseChosen(parameters: URLSearchParams | FormData): string[] {
  const ids = parameters.getAll("item").map(String);
  return [...new Set(ids.filter((id) => ID.test(id)))].slice(0, MAX_CHOSEN);
}

function parseId(id: string | null): string | null {
  return id !== null && ID.test(id) ? id : null;
}

export function parseType(type: unknown): MailType | null {
  return type === "letter" || type === "postcard" ? type : null;
}

function parseDay(text: string | null): Date | null {
  const day = new Date(DAY.test(text ?? "") ? `${text}T00:00:00Z` : Number.NaN);
  return Number.isNaN(day.getTime()) || day.getUTCFullYear() < 1970 ? null : day;
}
