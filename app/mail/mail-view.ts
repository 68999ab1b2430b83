import type { UserOption } from "~/people/user-option";
import type { MailType } from "~/pieces/mail-type";
import type { StatusTone } from "~/pieces/status";
import type { Failure } from "~/platform/outcome";
import type { FormattedMoment } from "~/ui/moment";

/** What the item type selector offers (spec §2 Mail Management tab). */
export const LISTED_TYPES = ["letter", "postcard", "recipient"] as const;
export type ListedType = (typeof LISTED_TYPES)[number];

export const TYPE_LABELS: Record<ListedType, string> = {
  letter: "Letters",
  postcard: "Postcards",
  recipient: "Recipients",
};

/** A mail item as its row shows it. */
export interface ItemRow {
  id: string;
  type: MailType;
  preset: string;
  addressee: string | null;
  mailItemId: string | null;
  status: string;
  tone: StatusTone;
  /** What the status word means; empty for a word of no known vocabulary. */
  meaning: string;
  /** Null where the time is none: 'Invalid date' (spec §8). */
  statusAt: FormattedMoment | null;
  createdAt: FormattedMoment | null;
  isTest: boolean;
  isCancelled: boolean;
  cancelledAt: FormattedMoment | null;
  cancellationReason: string | null;
  /** Credits. */
  charged: number;
  /** Why the Cancel button is disabled, or null. */
  obstacle: string | null;
  /** Whether the provider can be asked where it stands. */
  refreshable: boolean;
  /** Of live mail: `/sends/<id>`. */
  story: string | null;
}

export interface RecipientRow {
  id: string;
  recipientId: string | null;
  name: string;
  email: string | null;
  isVerified: boolean;
  createdAt: FormattedMoment | null;
}

/** How many items stand at a status; `more` says that there are more than were counted. */
export interface StatusCount {
  status: string;
  tone: StatusTone;
  count: number;
  more: boolean;
}

/** What is to be confirmed before it is done. */
interface Question {
  id: string;
  /** What will happen: the refund, and what the provider says. */
  says: string;
}

export interface MailList {
  counts: StatusCount[];
  items: ItemRow[];
  recipients: RecipientRow[];
  /** Addresses of the neighbouring pages, or null. */
  older: string | null;
  newest: string | null;
  csv: string | null;
  question: Question | null;
}

/** The Mail Management tab at an address. */
export interface MailView {
  signedIn: boolean;
  users: UserOption[];
  userId: string;
  type: ListedType;
  /** A status word, or "" for all. */
  status: string;
  /** Why the users could not be loaded (spec §8). */
  usersFailure: Failure | null;
  /** Why the list could not be. */
  failure: Failure | null;
  list: MailList | null;
}

/** The tab's address with this selection; parts that are empty stay out. */
export function addressOf(parts: Record<string, string | null>): string {
  const given = Object.entries(parts).filter((part): part is [string, string] => Boolean(part[1]));
  const query = new URLSearchParams(given).toString();
  return query === "" ? "/mail" : `/mail?${query}`;
}

/** This very address with something asked, or with nothing asked any more. */
export function askAt(search: string, asked: { cancel?: string; delete?: string } = {}): string {
  const { cancel: _cancel, delete: _delete, ...here } = Object.fromEntries(new URLSearchParams(search));
  return addressOf({ ...here, ...asked });
}
