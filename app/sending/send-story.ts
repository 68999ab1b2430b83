import type { MomentWords } from "~/ui/moment";
import type { SendState } from "./standing";

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
  events: StoryEvent[];
  money: StoryMoney[];
  request: { method: string; url: string; headers: [string, string][]; body: string };
  answer: { status: number; text: string } | null;
}

export interface StoryEvent {
  at: MomentWords;
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
