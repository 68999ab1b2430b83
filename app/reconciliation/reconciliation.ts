import type { MailType } from "~/pieces/mail-type";

/** What a comparison with the provider reads and finds (money.md I6). */

/** Days of UTC, both inclusive, as `2026-11-21`. */
export interface Period {
  from: string;
  to: string;
}

/** A piece as the provider lists it. */
export interface Listed {
  id: string;
  type: string;
  status: string;
  /** In the account's currency. */
  cost: number | null;
  tags: string;
  createdAt: Date | null;
  /** Where it is listed: one account may have several addresses. */
  baseUrls: readonly string[];
}

/** A live send, whatever became of it. */
export interface Booked {
  id: string;
  /** Who pays, as people read it. */
  payer: string;
  type: MailType;
  baseUrl: string;
  providerId: string | null;
  state: string;
  /** Its price, in credits. */
  cost: number;
  /** What is charged for it by the ledger: its debit less its refund. */
  paid: number;
  /** What the provider said it costs, in the account's currency. */
  providerCost: number | null;
  /** The last word heard of it; null where it has no mail item. */
  status: string | null;
  createdAt: Date;
  /** It changed while the provider was asked, so the two may differ for a moment. */
  isMoving: boolean;
}

/** Where each kind of finding stands. */
export const GROUP_OF = {
  missing: "not_there",
  unknown: "not_charged",
  released: "not_charged",
  undecided: "not_charged",
  twice: "not_charged",
  stopped: "differs",
  refunded: "differs",
  short: "differs",
  type: "differs",
  price: "differs",
} as const;

export type FindingKind = keyof typeof GROUP_OF;
export type FindingGroup = (typeof GROUP_OF)[FindingKind];

export const GROUPS: readonly { group: FindingGroup; title: string }[] = [
  { group: "not_there", title: "Charged here, not at the provider" },
  { group: "not_charged", title: "At the provider, not charged here" },
  { group: "differs", title: "Cost or status differs" },
];

/** One thing that is not as it should be. */
export interface Finding {
  kind: FindingKind;
  group: FindingGroup;
  /** Null where no send here is known for it. */
  send: Pick<Booked, "id" | "payer" | "type" | "createdAt"> | null;
  /** The provider's. */
  mailId: string | null;
  /** What is wrong, and what to do about it, in sentences. */
  what: string;
  next: string;
}

/** A piece that is further than was heard here; its money is right. */
export interface Behind {
  send: NonNullable<Finding["send"]>;
  mailId: string;
  here: string;
  there: string;
}

export interface Comparison {
  /** Sends of the period that have their piece, and the charge for it. */
  agreed: number;
  findings: Finding[];
  behind: Behind[];
  /** Pieces without our tag. */
  foreign: Listed[];
  /** Sends under way, to be compared later. */
  moving: number;
  /** Charged sends whose account could not be looked at. */
  unseen: number;
}
