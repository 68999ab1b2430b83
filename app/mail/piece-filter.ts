import type { MailType } from "~/pieces/mail-type";
import { HELD } from "./mail-address";

/** Statuses of live mail with an unknown outcome; `held` is both of them. */
export const CHECKING = "checking";
export const NEEDS_DECISION = "needs_a_decision";
/** All live mail that the provider accepted. */
export const MAILED = "mailed";
const OPEN_STATUSES: readonly string[] = [CHECKING, NEEDS_DECISION, HELD];

/** Replaces a user in the address. */
export const ALL_USERS = "all";

export interface PieceFilter {
  /** Null for all users. */
  userId: string | null;
  /** Null for letters and postcards. */
  type: MailType | null;
  /** A status of the provider's, `checking`, `needs_a_decision`, `held` or `mailed`; null for all. */
  status: string | null;
  from: Date | null;
  before: Date | null;
  tests: boolean;
  open: boolean;
  /** The search text as typed; null without one. */
  search: string | null;
  /** Our id of the recipient of all pieces, whose ids are in `ids`; null for any. */
  recipient: string | null;
  /** The list that sent all pieces; null for any or none. */
  list: string | null;
  /** Limits the list to these pieces; null for all. */
  ids: readonly string[] | null;
}

export function everyPieceOf(userId: string | null): PieceFilter {
  const all = {
    type: null,
    status: null,
    from: null,
    before: null,
    search: null,
    recipient: null,
    list: null,
    ids: null,
  };
  return { userId, ...all, tests: true, open: true };
}

/** True for our own statuses of mail that is not settled. */
export function isOpenStatus(status: string | null): boolean {
  return status !== null && OPEN_STATUSES.includes(status);
}

/** The item type selector; "" has letters and postcards. */
export const TYPE_LABELS = {
  "": "All types",
  letter: "Letters",
  postcard: "Postcards",
  recipient: "Recipients",
};
export type ListedType = keyof typeof TYPE_LABELS;
export const LISTED_TYPES = Object.keys(TYPE_LABELS) as ListedType[];

/** The filter in the address; "" for an unused field. */
export type FilterFields = {
  /** {@link ALL_USERS} for all. */
  user_id: string;
  type: ListedType;
  status: string;
  q: string;
  from: string;
  to: string;
  tests: string;
  /** Our own id of the recipient of all pieces. */
  recipient: string;
  list: string;
};

/** Returns the present address without a question, or with one: to cancel pieces, or to delete a recipient. */
export function addressWithQuestion(
  search: string,
  question: { cancel?: readonly string[]; delete?: string } = {},
): string {
  const parameters = new URLSearchParams(search);
  for (const name of ["ask", "item", "delete"]) parameters.delete(name);
  if (question.cancel) parameters.set("ask", "cancel");
  for (const id of question.cancel ?? []) parameters.append("item", id);
  if (question.delete) parameters.set("delete", question.delete);
  return parameters.size === 0 ? "/mail" : `/mail?${parameters}`;
}

/** Formats "Portland 97205 · of Ana Ruiz", as far as a row has it. */
export function formatPlaceAndUser({ place, user }: { place: string | null; user: string | null }): string {
  return [place, user && `of ${user}`].filter(Boolean).join(" · ");
}
