import type { CheckedFile } from "~/print/artwork/file-rules";
import type { PdfContent } from "~/ui/pdf/pdf-file";

/**
 * `draft`: rows, columns and tests can be changed. `awaiting_approval`: another person has to decide, and nothing can be changed.
 * `running`: rows are sent. `paused`: by a person, or because of a problem that would stop each row. `stopped`, `finished`: nothing
 * is reserved; the list can be started again with corrected rows.
 */
export type ListState = "draft" | "awaiting_approval" | "running" | "paused" | "stopped" | "finished";

/**
 * `ready`: sent when the list runs. `problem`: a person corrects, allows or leaves it out. `left_out`: not sent. `sending`: a process
 * works on it. `checking`: the outcome of its piece is unknown or needs a decision. `sent`: mailed. `refused`: not mailed; ready
 * again after a correction.
 */
export type RowState = "ready" | "problem" | "left_out" | "sending" | "checking" | "sent" | "refused";

/** Cells of a row whose person was erased. */
export const ERASED_CELLS = "[]";

/** Problems of a row that a person may allow; `finding` is a fault that ruins its piece. */
export const PROBLEM_CODES = ["duplicate", "address_not_found", "finding", "returned"] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** States in which rows, columns and tests may be changed. */
export const OPEN_STATES: readonly ListState[] = ["draft", "stopped", "finished"];
/** Days that a test counts, because templates and artwork at the provider may change. */
export const TEST_DAYS = 7;
/** A start of more pieces requires typing their number, and can be undone for {@link UNDO_SECONDS}. */
export const MOST_WITHOUT_UNDO = 25;
export const UNDO_SECONDS = 10;
/** Limit in days for a start that is set for later. */
export const MOST_DAYS_AHEAD = 30;
/** States in which credits are reserved. */
export const ACTIVE_STATES: readonly ListState[] = ["running", "paused"];

/** Everything of a piece but its recipient. Its `body` may name a template of the provider. */
export interface ListTemplate {
  baseUrl: string;
  /** Decides paper size and address format. */
  home: "US" | "GB";
  /** `postcards/create` */
  path: string;
  presetId: string;
  /** Fields of the request without recipient and `test`. */
  body: Record<string, unknown>;
  /** Names of its files by field. */
  files: Record<string, string>;
  /** Facts of its files; set by `loadListTemplate`. */
  facts?: Record<string, { facts: CheckedFile }>;
  /** The content of its PDF; set by `withTemplate`. */
  pdf?: PdfContent | null;
  /** Warnings about every row, shown once; set by `withTemplate`. */
  warnings?: string[];
}
