import type { UserOption } from "~/people/user-option";
import type { MailType } from "~/pieces/mail-type";
import type { StatusTone } from "~/pieces/status";
import type { Failure } from "~/platform/outcome";
import type { FormattedMoment } from "~/ui/moment";
import { HELD } from "./piece-filter";

/** The item type selector; "" has letters and postcards. */
export const LISTED_TYPES = ["", "letter", "postcard", "recipient"] as const;
export type ListedType = (typeof LISTED_TYPES)[number];

export const TYPE_LABELS: Record<ListedType, string> = {
  "": "All types",
  letter: "Letters",
  postcard: "Postcards",
  recipient: "Recipients",
};

/** A piece as its row shows it. */
export interface ItemRow {
  id: string;
  type: MailType;
  addressee: string | null;
  place: string | null;
  /** Whose it is; null where all are of one user. */
  user: string | null;
  mailItemId: string | null;
  status: string;
  tone: StatusTone;
  /** The meaning of the status; empty for an unknown one. */
  meaning: string;
  /** Null for an invalid time, shown as 'Invalid date'. */
  createdAt: FormattedMoment | null;
  isTest: boolean;
  isCancelled: boolean;
  cancelledAt: FormattedMoment | null;
  cancellationReason: string | null;
  /** Its final cost: 0 after a cancel. */
  credits: string;
  /** Its outcome is not known yet. */
  isHeld: boolean;
  /** Why it cannot be cancelled; null when it can. */
  obstacle: string | null;
  /** True when its status can be fetched from the provider. */
  refreshable: boolean;
  hasAlarm: boolean;
}

export interface RecipientRow {
  id: string;
  userId: string;
  user: string | null;
  recipientId: string | null;
  name: string;
  place: string | null;
  email: string | null;
  isVerified: boolean;
  createdAt: FormattedMoment | null;
}

/** A status to filter by, and how many pieces have it; `more`: there are more than were counted. */
export interface StatusChip {
  /** "" for all. */
  status: string;
  label: string;
  tone: StatusTone;
  count: number;
  more: boolean;
}

/** An action to confirm. */
export interface Confirmation {
  /** Ids of the pieces, or the id of the recipient. */
  ids: string[];
  /** Whose piece or recipient it is; several pieces may be of several users. */
  userId: string;
  title: string;
  /** The effect of the action. */
  message: string;
  /** False when it cannot be done. */
  possible: boolean;
}

/** The recipient whom all listed pieces are to. */
interface ChosenRecipient {
  id: string;
  name: string;
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

/** The filter as the address has it; "" for what is not filtered. */
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
  /** Our own id of the one whom all pieces are to. */
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
  /** The last months, the present one first: days of the filter. */
  months: { name: string; from: string; to: string }[];
  filter: FilterFields;
  /** Whom all listed pieces are to; null: not asked for, or no one has that id. */
  recipient: ChosenRecipient | null;
  /** Why the users could not be loaded. */
  usersFailure: Failure | null;
  /** Why the list could not be loaded. */
  failure: Failure | null;
  list: MailList | null;
}

/** The tab's address with these parameters; empty ones are left out. */
export function mailAddress(parts: object): string {
  const query = new URLSearchParams(listGiven(parts)).toString();
  return query === "" ? "/mail" : `/mail?${query}`;
}

/** The parameters that are not empty. */
export function listGiven(parts: object): [name: string, value: string][] {
  return Object.entries(parts).filter((part): part is [string, string] => Boolean(part[1]));
}

/** Where the pieces of a user are whose credits are held. */
export function heldAddress(userId: string): string {
  return mailAddress({ user_id: userId, status: HELD });
}

/** The present address without a question, or with one: to cancel pieces, or to delete a recipient. */
export function addressWithQuestion(
  search: string,
  asked: { cancel?: readonly string[]; delete?: string } = {},
): string {
  const parameters = new URLSearchParams(search);
  for (const name of ["ask", "item", "delete"]) parameters.delete(name);
  if (asked.cancel) parameters.set("ask", "cancel");
  for (const id of asked.cancel ?? []) parameters.append("item", id);
  if (asked.delete) parameters.set("delete", asked.delete);
  const query = parameters.toString();
  return query === "" ? "/mail" : `/mail?${query}`;
}
