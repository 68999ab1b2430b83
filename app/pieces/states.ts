/**
 * The states of a piece of live mail; README.md has the diagram.
 * `reserved`: its cost is held and no call was made. `sending`: the provider is being called, or the call was cut
 * off. `unknown`: the provider may have accepted it; recovery checks. `needs_review`: only a person can tell (shown
 * as *needs a decision*). In these four the cost is held. `accepted`: mailed and charged. `refused`: not mailed, costs nothing. `cancelling`: a
 * cancel is requested. `cancelled`: stopped and refunded.
 */
export type PieceState =
  | "reserved"
  | "sending"
  | "unknown"
  | "needs_review"
  | "accepted"
  | "refused"
  | "cancelling"
  | "cancelled";

/** All transitions, with their causes. Each is made by one SQL statement, which takes both states from here. */
export const TRANSITIONS = {
  /** Live mail is requested, and its payer has the credits. */
  reserve: { from: [], to: "reserved" },
  /** The provider is called for the first time. */
  begin: { from: ["reserved"], to: "sending" },
  /** The provider says that it has the piece, or a person says that it was mailed. */
  accept: { from: ["sending", "unknown", "needs_review"], to: "accepted" },
  /** A test was mailed, or a mailed piece's record was lost. */
  recordUnexpected: { from: [], to: "accepted" },
  /** The provider refuses it, made a sample of it, was never called, or does not list it a day later. */
  refuse: { from: ["reserved", "sending", "unknown"], to: "refused" },
  /** A person says that it was not mailed. */
  decideNotMailed: { from: ["needs_review"], to: "refused" },
  /** The answer does not say whether it was done. */
  postpone: { from: ["sending", "unknown"], to: "unknown" },
  /** A person says that it must not be sent again: from then on it is only looked for. */
  giveUp: { from: ["unknown"], to: "unknown" },
  /** The provider could not be reached within a day, or no process has had its key for 15 minutes. */
  askForReview: { from: ["sending", "unknown"], to: "needs_review" },
  /** A person asks to cancel it. */
  startCancel: { from: ["accepted"], to: "cancelling" },
  /** The provider says that it is cancelled, no matter who asked for it. */
  confirmCancel: { from: ["accepted", "cancelling"], to: "cancelled" },
  /** The provider refuses to cancel it, or could not say within a day. */
  dropCancel: { from: ["cancelling"], to: "accepted" },
} as const satisfies Record<string, { from: readonly PieceState[]; to: PieceState }>;

export type Transition = keyof typeof TRANSITIONS;

/** True when the cost of a piece is held: neither charged nor given back yet. */
export function isOpen(state: PieceState): boolean {
  return isBeingSent(state) || state === "unknown" || state === "needs_review";
}

/** True until the first call has ended. */
export function isBeingSent(state: PieceState): boolean {
  return state === "reserved" || state === "sending";
}

/** True when recovery settles it in the background. */
export function isChecking(state: PieceState): boolean {
  return isBeingSent(state) || state === "unknown" || state === "cancelling";
}

export type CreditState =
  | { kind: "charged"; charged: number }
  | { kind: "released"; why: string }
  /** Set aside until its outcome is known. */
  | { kind: "held"; why: string };

interface ReleaseRule {
  /** The row of a list: `ready` is sent again with a new key, `refused` needs a person's retry. */
  row: "ready" | "refused";
  /** True when the provider certainly did nothing, so that the same request may be sent with the same key. */
  keyIsFree: boolean;
  /** The HTTP status of a repeat that is answered without the provider's own answer. */
  httpStatus: 200 | 502 | 503;
}

const FINAL = { row: "refused", keyIsFree: false, httpStatus: 200 } as const;

/** The reasons why the credits of a piece were released; send/README.md explains them. */
const RELEASE_RULES = {
  refused: FINAL,
  rate_limited: { row: "ready", keyIsFree: true, httpStatus: 200 },
  never_called: { row: "ready", keyIsFree: true, httpStatus: 503 },
  unreachable: { row: "ready", keyIsFree: true, httpStatus: 502 },
  sample: FINAL,
  not_listed: FINAL,
  given_up: FINAL,
  decided: FINAL,
} as const satisfies Record<string, ReleaseRule>;

export type ReleaseCause = keyof typeof RELEASE_RULES;

/** Finds what follows from a release. Without a stored cause, only a person sends the piece again. */
export function findReleaseRule(cause: ReleaseCause | null): ReleaseRule {
  return cause === null ? FINAL : RELEASE_RULES[cause];
}

export function listKeyFreeingCauses(): string[] {
  return Object.entries(RELEASE_RULES).flatMap(([cause, { keyIsFree }]) => (keyIsFree ? [cause] : []));
}
