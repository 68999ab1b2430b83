import type { ListedPiece } from "~/outside/mail-provider/reporting.server";
import type { MailType } from "~/pieces/mail-type";
import type { PieceState } from "~/pieces/states";
import { DAY_MS, formatIsoDay } from "~/platform/time";

export const ALL_AGREE = "All agree.";

/** Days of UTC, both inclusive, as `2026-11-21`. */
export interface Period {
  from: string;
  to: string;
}

export function isWithin(at: Date, { from, to }: Period): boolean {
  const day = formatIsoDay(at);
  return day >= from && day <= to;
}

/** Returns the first moment after a period. */
export function endOf({ to }: Period): Date {
  return new Date(Date.parse(to) + DAY_MS);
}

export interface Listed extends ListedPiece {
  /** Base URLs that list it, as in {@link OurPiece}; one account may have several. */
  baseUrls: readonly string[];
}

/** One live piece of ours, in any state. */
export interface OurPiece {
  id: string;
  /** Display name of the payer. */
  payer: string;
  type: MailType;
  /** With the fingerprint of its key after a space when that is an earlier one, which may be of another account. */
  baseUrl: string;
  providerId: string | null;
  state: PieceState;
  /** Its price, in credits. */
  cost: number;
  /** Credits charged by the ledger: the debit less the refund. */
  paid: number;
  /** The price in the provider's answer, in the account's currency. */
  providerCost: number | null;
  /** Its last known status; null without a mail item. */
  status: string | null;
  createdAt: Date;
  /** True when it changed during the comparison, so that a difference may be temporary. */
  isMoving: boolean;
}

const NOT_THERE = ["missing"] as const;
const NOT_CHARGED = ["unknown", "released", "undecided", "twice"] as const;
const DIFFERS = ["stopped", "refunded", "short", "type", "price"] as const;
export type FindingKind = (typeof NOT_THERE | typeof NOT_CHARGED | typeof DIFFERS)[number];

/** The sections of the page, with the kinds of findings in each. */
export const GROUPS: readonly { title: string; kinds: readonly FindingKind[] }[] = [
  { title: "Charged here, not at the provider", kinds: NOT_THERE },
  { title: "At the provider, not charged here", kinds: NOT_CHARGED },
  { title: "Cost or status differs", kinds: DIFFERS },
];

export interface Finding {
  kind: FindingKind;
  /** Null for a piece that is not known here. */
  send: Pick<OurPiece, "id" | "payer" | "type" | "createdAt"> | null;
  /** The provider's id. */
  mailId: string | null;
  /** The problem and its next step, in sentences. */
  what: string;
  next: string;
}

/** A piece whose status here is behind the provider's; its charge is correct. */
export interface Behind {
  send: NonNullable<Finding["send"]>;
  mailId: string;
  here: string;
  there: string;
}

/** Sums of one side's books. */
interface Totals {
  pieces: number;
  credits: number;
  /** The provider's prices, in the account's currency. */
  cost: number;
}

export interface Comparison {
  /** Sums of what is charged here and listed there, without foreign and moving pieces. */
  totals: { ours: Totals; theirs: Totals };
  /** Pieces of the period that exist at the provider and are charged. */
  agreed: number;
  findings: Finding[];
  behind: Behind[];
  /** Pieces without our tag. */
  foreign: Listed[];
  /** Pieces that are being sent or cancelled; to be compared later. */
  moving: number;
  /** Charged pieces whose account could not be read. */
  unseen: number;
}

/** The reason why pieces stay unseen although the provider's lists were read. */
export const KEY_MISSING =
  "They were sent with an earlier key or base URL that this server does not have: add the key to STANNP_RETIRED_API_KEYS.";
