import type { UserOption } from "~/people/user-option";
import type { Failure } from "~/platform/outcome";
import { HELD } from "./piece-filter";
import type { ItemRow, RecipientRow, StatusChip } from "./piece-rows.server";

/** The item type selector; "" has letters and postcards. */
export const LISTED_TYPES = ["", "letter", "postcard", "recipient"] as const;
export type ListedType = (typeof LISTED_TYPES)[number];

export const TYPE_LABELS: Record<ListedType, string> = {
  "": "All types",
  letter: "Letters",
  postcard: "Postcards",
  recipient: "Recipients",
};

/** An action to confirm. */
export interface Confirmation {
  /** Ids of the pieces, or the id of the recipient. */
  ids: string[];
  /** Owner of the piece or recipient; "" for several pieces, which may be of several users. */
  userId: string;
  title: string;
  /** The effect of the action. */
  message: string;
  /** False when it cannot be done. */
  possible: boolean;
}

export interface MailList {
  chips: StatusChip[];
  items: ItemRow[];
  recipients: RecipientRow[];
  /** Addresses of the neighbouring pages, or null. */
  older: string | null;
  newest: string | null;
  csv: string | null;
  confirmation: Confirmation | null;
}

/** The filter in the address; "" for an unused field. */
export interface FilterFields {
  /** {@link ALL_USERS} for all. */
  user_id: string;
  type: ListedType;
  status: string;
  q: string;
  from: string;
  to: string;
  /** "1" or "". */
  tests: string;
  /** Our own id of the recipient of all pieces. */
  recipient: string;
  /** The list that all pieces were sent by. */
  list: string;
}

/** The Mail Management tab at an address. */
export interface MailView {
  signedIn: boolean;
  users: UserOption[];
  /** Lists to filter by, the newest first. */
  lists: { id: string; name: string }[];
  /** The last months, the present one first, as days of the filter. */
  months: { name: string; from: string; to: string }[];
  filter: FilterFields;
  /** The recipient of all listed pieces; null when the filter names none, or the id is unknown. */
  recipient: { id: string; name: string } | null;
  usersFailure: Failure | null;
  /** Set when the list could not be loaded. */
  failure: Failure | null;
  list: MailList | null;
}

/** Returns the tab's address with these parameters; empty ones are left out. */
export function mailAddress(parts: object): string {
  const query = new URLSearchParams(listGiven(parts)).toString();
  return query === "" ? "/mail" : `/mail?${query}`;
}

/** Lists the parameters that are not empty. */
export function listGiven(parts: object): [name: string, value: string][] {
  return Object.entries(parts).filter((part): part is [string, string] => Boolean(part[1]));
}

/** Returns the address of a user's pieces whose credits are held. */
export function heldAddress(userId: string): string {
  return mailAddress({ user_id: userId, status: HELD });
}

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
  const query = parameters.toString();
  return query === "" ? "/mail" : `/mail?${query}`;
}

/** Formats "Portland 97205 · of Ana Ruiz", as far as a row has it. */
export function formatPlaceAndUser({ place, user }: { place: string | null; user: string | null }): string {
  return [place, user && `of ${user}`].filter(Boolean).join(" · ");
}
