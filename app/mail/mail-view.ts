import type { UserOption } from "~/people/user-option";
import type { MailType } from "~/pieces/mail-type";
import type { StatusTone } from "~/pieces/status";
import type { Failure } from "~/platform/outcome";
import type { FormattedMoment } from "~/ui/moment";

/** The item type selector. */
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
  /** What the status means; empty for an unknown one. */
  meaning: string;
  /** Null for an invalid time, shown as 'Invalid date'. */
  statusAt: FormattedMoment | null;
  createdAt: FormattedMoment | null;
  isTest: boolean;
  isCancelled: boolean;
  cancelledAt: FormattedMoment | null;
  cancellationReason: string | null;
  /** Credits. */
  charged: number;
  /** Why the Cancel button is disabled; null when it is not. */
  obstacle: string | null;
  /** Whether the provider can be asked for its status. */
  refreshable: boolean;
  /** `/sends/<id>`; null for a test. */
  pieceUrl: string | null;
}

/** Live mail whose outcome is not known yet. */
interface HeldRow {
  id: string;
  type: MailType;
  addressee: string | null;
  /** "checking" or "needs a decision". */
  status: string;
  tone: StatusTone;
  createdAt: FormattedMoment | null;
  /** Credits. */
  cost: number;
  pieceUrl: string;
}

export interface RecipientRow {
  id: string;
  recipientId: string | null;
  name: string;
  email: string | null;
  isVerified: boolean;
  createdAt: FormattedMoment | null;
}

/** How many items have a status; `more`: there are more than were counted. */
export interface StatusCount {
  status: string;
  tone: StatusTone;
  count: number;
  more: boolean;
}

/** What is to be confirmed before it is done. */
interface Confirmation {
  id: string;
  /** What will happen. */
  message: string;
}

export interface MailList {
  counts: StatusCount[];
  /** Of both types, on the first page without a filter; `more` are not listed. */
  held: { rows: HeldRow[]; more: number };
  items: ItemRow[];
  recipients: RecipientRow[];
  /** Addresses of the neighbouring pages, or null. */
  older: string | null;
  newest: string | null;
  csv: string | null;
  confirmation: Confirmation | null;
}

/** The Mail Management tab at an address. */
export interface MailView {
  signedIn: boolean;
  users: UserOption[];
  userId: string;
  type: ListedType;
  /** A status word, or "" for all. */
  status: string;
  /** Why the users could not be loaded. */
  usersFailure: Failure | null;
  /** Why the list could not be loaded. */
  failure: Failure | null;
  list: MailList | null;
}

/** The heading of the held pieces, to which addresses lead. */
export const HELD_ID = "held";

/** The tab's address with these parameters; empty ones are left out. */
export function mailAddress(parts: Record<string, string | null>): string {
  const given = Object.entries(parts).filter((part): part is [string, string] => Boolean(part[1]));
  const query = new URLSearchParams(given).toString();
  return query === "" ? "/mail" : `/mail?${query}`;
}

/** Where the held pieces of a user are. */
export function heldAddress(userId: string): string {
  return `${mailAddress({ user_id: userId })}#${HELD_ID}`;
}

/** The present address with a question to confirm, or without one. */
export function addressWithQuestion(
  search: string,
  asked: { cancel?: string; delete?: string } = {},
): string {
  const { cancel: _cancel, delete: _delete, ...here } = Object.fromEntries(new URLSearchParams(search));
  return mailAddress({ ...here, ...asked });
}
