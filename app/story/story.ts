import type { SendState } from "~/pieces/states";
import type { StatusTone } from "~/pieces/status";
import type { FormattedMoment } from "~/ui/moment";

/** Everything the page of one send shows. */
export interface SendStory {
  id: string;
  /** "Postcard 4x6 to recipient 1001" */
  title: string;
  state: SendState;
  /** What happened to the mail, and to the credits, in one sentence each. */
  mail: string;
  credits: string;
  /** Nobody knows the outcome yet; the page looks again by itself. */
  checking: boolean;
  payer: string;
  piece: StoryPiece | null;
  /** Address of the provider's PDF of what was mailed; null where there is neither copy nor living link. */
  pdf: string | null;
  /** The test that it was promoted from; `price` is what the provider then said it would charge. */
  proved: { at: FormattedMoment; price: string | null } | null;
  events: StoryEvent[];
  money: StoryMoney[];
  /** Which credits it was paid with, the oldest first; null while it is not charged. */
  purchase: string | null;
  /** What the records say against one another; empty when all agree, null while it is not settled. */
  disagreements: string[] | null;
  request: { method: string; url: string; headers: [string, string][]; body: string };
  answer: { status: number; text: string } | null;
  /** Its stored response, or null where that was deleted. */
  stored: string | null;
}

/** The piece as the provider has it. */
export interface StoryPiece {
  status: string;
  tone: StatusTone;
  meaning: string;
  /** Where it is cancelled, after a look at what that brings; null where it cannot be. */
  cancel: string | null;
  /** Whether the provider can be asked where it stands. */
  refreshable: boolean;
  /** The words of a piece's way, in order, with when each was heard. */
  way: { status: string; at: FormattedMoment | null; reached: boolean }[];
}

export interface StoryEvent {
  at: FormattedMoment;
  text: string;
  by: string;
  tone: "plain" | "ok" | "warn" | "bad";
}

export interface StoryMoney {
  /** Ledger id; null for a hold, which is no ledger row. */
  id: number | null;
  what: string;
  change: string;
  balance: number | null;
}

/** A state as people read it. */
export const STATE_WORDS: Record<SendState, { word: string; tone: "ok" | "warn" | "bad" | "neutral" }> = {
  held: { word: "Being sent", tone: "warn" },
  unknown: { word: "Checking", tone: "warn" },
  needs_review: { word: "Needs a decision", tone: "bad" },
  accepted: { word: "Mailed", tone: "ok" },
  refused: { word: "Not mailed", tone: "neutral" },
  cancelling: { word: "Being cancelled", tone: "warn" },
  cancelled: { word: "Cancelled", tone: "bad" },
};
