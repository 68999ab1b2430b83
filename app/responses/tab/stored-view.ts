import type { UserOption } from "~/people/user-option";
import type { Failure } from "~/platform/outcome";
import type { FormattedMoment } from "~/ui/moment";
import type { ResponseDay } from "../stored-response";

/** The filter's parameters, as the address has them (spec §2 Filters & Search). */
export const FILTER_NAMES = [
  "user_id",
  "category",
  "search",
  "status",
  "method",
  "tag",
  "from",
  "to",
] as const;
export type FilterWords = Record<(typeof FILTER_NAMES)[number], string>;

/** A stored response as a list shows it. */
export interface ResponseRow {
  id: string;
  method: string;
  path: string;
  /** Labels; the ids where the catalogue has none. */
  category: string;
  preset: string;
  status: number | null;
  durationMs: number | null;
  user: string;
  at: FormattedMoment;
  tags: string[];
  cancelled: Cancelled | null;
  /** Whether 'Cancel Mail' is open (spec §4). */
  canCancel: boolean;
  /** Its page is `/sends/<sendId>`. */
  sendId: string | null;
}

interface Cancelled {
  at: FormattedMoment | null;
  reason: string | null;
}

/** Bodies of one stored response, fetched when they are looked at. */
export interface ShownBodies {
  request: unknown;
  response: unknown;
}

/** What cancelling a piece would bring, before it is confirmed. */
export interface CancelQuestion {
  /** Of the stored response. */
  id: string;
  says: string;
}

/** What the database says, all at one time. */
export interface StoredContent {
  users: UserOption[];
  totals: { total: number; successful: number; errors: number; recent: number };
  days: ResponseDay[];
  rows: ResponseRow[];
  /** "Showing X of Y responses": Y in words, counted to 1,000 at most. */
  matching: string;
  /** A search of one or two characters looked at so many of the newest only. */
  searchedNewest: number | null;
  /** Addresses of the neighbouring pages. */
  older: string | null;
  newest: string | null;
  /** The row whose bodies the address asks for, without JavaScript. */
  opened: { id: string; bodies: ShownBodies | null } | null;
}

/** What the Stored Responses tab shows at an address. */
export interface StoredView {
  signedIn: boolean;
  /** Why there is no `content`. */
  failure: Failure | null;
  /** Why the filter cannot be applied. */
  problem: string | null;
  words: FilterWords;
  /** In words: "Chidi Okafor", "Postcards". */
  applied: string[];
  /** The parameters of the filter alone, for links that keep it. */
  kept: string;
  content: StoredContent | null;
  /** What the address asks to confirm. */
  question: CancelQuestion | null;
}
