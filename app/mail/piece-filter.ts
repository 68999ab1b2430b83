import type { MailType } from "~/pieces/mail-type";

/** Statuses of live mail that the provider knows nothing of yet; `held` is both of them. */
export const CHECKING = "checking";
export const NEEDS_DECISION = "needs_a_decision";
export const HELD = "held";
/** All live mail that the provider took, whatever became of it. */
export const MAILED = "mailed";
const OPEN_STATUSES: readonly string[] = [CHECKING, NEEDS_DECISION, HELD];

/** In place of a user in the address. */
export const ALL_USERS = "all";

/** Which pieces are listed. */
export interface PieceFilter {
  /** Null: all users. */
  userId: string | null;
  /** Null: letters and postcards. */
  type: MailType | null;
  /** A word of the provider's, `checking`, `needs_a_decision`, `held` or `mailed`; null: all. */
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
  /** Whom all are to, by our own id: `ids` are then theirs. Null: anybody. */
  recipient: string | null;
  /** The list that all were sent by; null: any, or none. */
  list: string | null;
  /** Only these; null: all. */
  ids: readonly string[] | null;
}

/** A filter that lets all pieces of a user pass, or of all users. */
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
