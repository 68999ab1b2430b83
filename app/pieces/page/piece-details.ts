import type { FormattedMoment } from "~/ui/moment";
import type { MailType } from "../mail-type";
import type { PieceState } from "../states";
import type { StatusTone } from "../status";

/** Everything that the page of a piece shows. */
export interface PieceDetails {
  id: string;
  type: MailType;
  /** "Postcard 4x6 to recipient 1001" */
  title: string;
  state: PieceState;
  /** The word beside the title: the provider's status, else our own state. */
  shown: { word: string; tone: StatusTone };
  /** The outcome for the mail and for the credits, in one sentence each. */
  mail: string;
  credits: string;
  /** True while the outcome is unknown, so that the page reloads its data. */
  checking: boolean;
  /** True while recovery may send it again. */
  retried: boolean;
  payer: string;
  /** The list that sent it; null when it was sent alone. */
  list: { id: string; name: string } | null;
  piece: ProviderPiece | null;
  /** The provider's PDF of the mailed piece, or the reason why there is none. */
  pdf: { url: string } | { missing: string };
  /** The test that it was sent from, with the price that the provider quoted. */
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
  /** The danger of sending it again; null when it was not mailed. */
  repeatRisk: string | null;
  /** True when its personal data and request are gone. */
  isErased: boolean;
  /** Its stored response; null when that was deleted. */
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
  /** The steps in order, with the time each was reported. */
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
