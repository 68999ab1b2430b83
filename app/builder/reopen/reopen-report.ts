import type { MailType } from "~/pieces/mail-type";

/** A file whose content was not kept. */
export interface MissingFile {
  /** `front`, `pages[0].file` */
  place: string;
  bytes: number;
}

/** What the Builder says of a stored response that it has opened. */
export interface ReopenReport {
  /** `21 Nov 2026, 13:05 UTC` */
  sentAt: string;
  /** It is to be run once more. */
  again: boolean;
  missing: MissingFile[];
  /** The body stands by hand, because the preset's form cannot say it. */
  byHand: boolean;
  /** Names that the preset's form has no place for, or no such value. */
  unfit: string[];
  /** It was live mail; it is a test now. */
  wasLive: MailType | null;
  /** The label of a base URL that is not configured any more. */
  lostBase: string | null;
}
