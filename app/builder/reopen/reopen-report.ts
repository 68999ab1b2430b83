import type { MailType } from "~/pieces/mail-type";

/** A file whose content was not kept. */
export interface MissingFile {
  /** `front`, `pages[0].file` */
  place: string;
  bytes: number;
  /** Of a file that a command names; stored responses do not keep names. */
  name?: string;
}

/** How a reopened stored response differs from the request that was sent. */
export interface ReopenReport {
  /** `21 Nov 2026, 13:05 UTC` */
  sentAt: string;
  /** It was opened to be sent again. */
  again: boolean;
  missing: MissingFile[];
  /** The body is in the Body tab, because the preset's form cannot build it. */
  byHand: boolean;
  /** Names of values that the preset's form cannot hold. */
  unfit: string[];
  /** It was live mail; it opens as a test. */
  wasLive: MailType | null;
  /** The danger of sending it again, where it was or may have been mailed. */
  repeatRisk: string | null;
  /** The label of a base URL that is no longer configured. */
  lostBase: string | null;
}
