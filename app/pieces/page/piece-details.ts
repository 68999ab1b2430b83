import type { FormattedMoment } from "~/ui/moment";
import type { MailType } from "../mail-type";
import type { PieceState } from "../states";
import type { StatusTone } from "../status";

/** Everything the page of one piece shows. */
export interface PieceDetails {
  id: string;
  type: MailType;
  /** "Postcard 4x6 to recipient 1001" */
  title: string;
  state: PieceState;
  /** The word beside the title: how far mail is, else our own state. */
  shown: { word: string; tone: StatusTone };
  /** The outcome for the mail and for the credits, in one sentence each. */
  mail: string;
  credits: string;
  /** The outcome is not known yet, so the page reloads its data by itself. */
  checking: boolean;
  /** It may be sent again until its outcome is known. */
  retried: boolean;
  payer: string;
  /** The list that sent it; null: it was sent alone. */
  list: { id: string; name: string } | null;
  piece: ProviderPiece | null;
  /** The provider's PDF of what was mailed, or the sentence why there is none. */
  pdf: { url: string } | { missing: string };
  /** The test that this piece was sent from; `price` is what the provider quoted for it. */
  tested: { at: FormattedMoment; price: string | null } | null;
  events: TimelineEvent[];
  money: MoneyRow[];
  /** The purchases and adjustments whose credits paid for it, with their pages; empty while it is not charged. */
  purchases: { text: string; to: string }[];
  /** Differences between the records; empty when they agree, null while it is not settled. */
  disagreements: string[] | null;
  request: { method: string; url: string; headers: [string, string][]; body: string };
  answer: { status: number; text: string } | null;
  /** The provider's price; null when it gave none. */
  price: string | null;
  /** The danger of sending it again; null where it was not mailed. */
  repeatRisk: string | null;
  /** Why its request cannot be sent again; null when it can. */
  obstacleToRepeat: string | null;
  /** Its stored response; null where that was deleted. */
  stored: { url: string; at: FormattedMoment; tags: string[] } | null;
}

/** The piece as the provider has it. */
export interface ProviderPiece {
  status: string;
  tone: StatusTone;
  meaning: string;
  /** True when it can be cancelled by our records. */
  cancellable: boolean;
  /** True when production has begun, so that a cancel will probably be refused. */
  tooLate: boolean;
  /** True when its status can be fetched from the provider. */
  refreshable: boolean;
  /** True for the local emulator, which can advance the piece. */
  simulatable: boolean;
  /** The steps of its way, in order, with the time each was reported. */
  steps: { status: string; at: FormattedMoment | null; reached: boolean }[];
}

export interface TimelineEvent {
  at: FormattedMoment;
  text: string;
  by: string;
  tone: "plain" | "ok" | "warn" | "bad";
}

export interface MoneyRow {
  /** Ledger id; null for the hold, which is not a ledger row. */
  id: number | null;
  what: string;
  change: string;
  balance: number | null;
}
