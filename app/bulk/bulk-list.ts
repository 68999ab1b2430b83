import type { MailType } from "~/pieces/mail-type";
import type { CheckedFile } from "~/print/artwork/checked-file";
import type { PdfContent } from "~/ui/pdf/pdf-file";

/**
 * `draft`: rows, columns and tests can be changed. `awaiting_approval`: another person has to decide, and nothing can be changed. `running`: rows are sent. `paused`: by a person, or because of something
 * that would stop each row. `stopped` and `finished`: nothing is reserved any more; with corrected rows it can be started again.
 */
export type ListState = "draft" | "awaiting_approval" | "running" | "paused" | "stopped" | "finished";

/**
 * `ready`: sent when the list runs. `problem`: to be corrected, allowed or left out. `left_out`: not sent. `sending`: a process
 * works on it. `checking`: the outcome of its piece is not known yet, or a person has to decide. `sent`: it is mail, whose page tells the rest. `refused`: not mailed; corrected, it is ready again.
 */
export type RowState = "ready" | "problem" | "left_out" | "sending" | "checking" | "sent" | "refused";

/** A problem of a row that a person may allow; `finding` is a fault that ruins its piece. */
export const PROBLEM_CODES = ["duplicate", "address_not_found", "finding", "returned"] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** States in which rows, columns and the design's tests may be changed. */
export const OPEN_STATES: readonly ListState[] = ["draft", "stopped", "finished"];
/** Templates and artwork at the provider may change, so a test counts for this number of days. */
export const TEST_DAYS = 7;
/** A start of more pieces asks for their number, and can be undone for {@link UNDO_SECONDS}. */
export const MOST_WITHOUT_UNDO = 25;
export const UNDO_SECONDS = 10;
/** How far ahead a start can be set. */
export const MOST_DAYS_AHEAD = 30;
/** States in which credits are reserved. */
export const ACTIVE_STATES: readonly ListState[] = ["running", "paused"];

/** A design: everything of a piece but its recipient. */
export interface Design {
  baseUrl: string;
  /** Decides paper and addresses. */
  home: "US" | "GB";
  /** `postcards/create` */
  path: string;
  presetId: string;
  /** Fields of the request without recipient and `test`. */
  body: Record<string, unknown>;
  /** Names of its files by field. */
  files: Record<string, string>;
  /** Facts of its files, once it is loaded. */
  facts?: Record<string, { facts: CheckedFile }>;
  /** The content of its PDF, once its rows were checked. */
  pdf?: PdfContent | null;
}

/** A list as its row has it, without its design. */
export interface BulkList {
  id: string;
  /** Who made it. */
  actorId: string;
  /** Who reserved its credits: the actor of its pieces, with this person's daily limit. Its maker until it is started. */
  starterId: string;
  /** The starter's verified e-mail address; empty: none. */
  starterEmail: string | null;
  userId: string;
  name: string;
  mailType: MailType;
  state: ListState;
  columns: string[];
  mapping: string[];
  country: string;
  version: number;
  /** True when its columns were tested in the last {@link TEST_DAYS} days. */
  tested: boolean;
  reservationId: string | null;
  note: string | null;
  nextAt: Date | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  /** When a start that can still be undone sends its first row, or one that needs approval; null: none is to come. */
  startsAt: Date | null;
  erasedAt: Date | null;
  /** When it came from a backup, until its rows are compared with the provider's list. */
  restoredAt: Date | null;
  /** The start that another person was last asked to approve. */
  approval: { askedBy: string; askedAt: Date; rows: number; hash: string } | null;
  /** Who approved what is running or was sent last; null: no one had to. */
  approvedBy: string | null;
  /** Who asked to cancel all its pieces, until each was tried. */
  cancelActorId: string | null;
  /** How much of its file is imported; null while none is. */
  importPercent: number | null;
  /** True while the provider checks the addresses of its rows. */
  checkingAddresses: boolean;
  /** An import did not end: its process is gone. */
  importLost: boolean;
}
