import type { MailType } from "~/pieces/mail-type";

/** Statuses of live mail with an unknown outcome; `held` is both of them. */
export const CHECKING = "checking";
export const NEEDS_DECISION = "needs_a_decision";
export const HELD = "held";
/** All live mail that the provider accepted. */
export const MAILED = "mailed";
const OPEN_STATUSES: readonly string[] = [CHECKING, NEEDS_DECISION, HELD];

/** Replaces a user in the address. */
export const ALL_USERS = "all";

/** The filter of the list of pieces. */
export interface PieceFilter {
  /** Null for all users. */
  userId: string | null;
  /** Null for letters and postcards. */
  type: MailType | null;
  /** A status of the provider's, `checking`, `needs_a_decision`, `held` or `mailed`; null for all. */
  status: string | null;
  /** From this moment on. */
  from: Date | null;
  /** Before this moment. */
  before: Date | null;
  /** True when tests are listed too. */
  tests: boolean;
  /** True when live mail with an unknown outcome is listed. */
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

/** Builds a filter for all pieces of a user, or of all users. */
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
