import { expect, test } from "vitest";
import {
  DELETED_KEEPS_PIECE,
  formatBadFilter,
  formatBodiesFailed,
  formatCut,
  formatCutValue,
  formatDifferenceCount,
  formatHiddenDifferences,
  formatLongRequest,
  formatNothingToCompare,
  formatNotSaved,
  formatRequestTooLarge,
  formatSearchBound,
  formatStrippedFile,
  NOT_COMPARED,
  NOTHING_TO_DELETE,
  TOO_DEEP_TO_SHOW,
  UNKNOWN_USER,
} from "~/responses/messages";

test.each([
  [UNKNOWN_USER, "There is no user with this ID. Nothing was saved."],
  [formatNotSaved("path is required"), "The response cannot be saved: path is required. Nothing was saved."],
  [
    formatRequestTooLarge(1_000_000),
    "request_data is too large: without its files it may have 1,000,000 characters at most. Nothing was saved.",
  ],
  [
    formatLongRequest(1_000_001, 1_000_000),
    "[not kept: query and body have 1,000,001 characters, more than 1,000,000]",
  ],
  [formatCut(1_000_001, 1_000_000), "[cut here: only the first 1,000,000 of 1,000,001 characters are kept]"],
  [formatStrippedFile(5_000, "ab"), "(file of 5,000 bytes, not kept; SHA-256 ab)"],
])("saving says: %s", (message, expected) => {
  expect(message).toBe(expected);
});

test.each([
  [formatBadFilter("from must be a date"), "This filter is not valid: from must be a date."],
  [
    formatSearchBound(5_000),
    "With fewer than three letters or digits in a row, only the newest 5,000 responses are searched.",
  ],
  [formatBodiesFailed(502), "Request failed with status 502"],
  [
    NOTHING_TO_DELETE,
    "Failed to delete response: there is no stored response with this ID. Nothing was deleted.",
  ],
  [DELETED_KEEPS_PIECE, "Deleted from the stored responses. The piece keeps its own record."],
])("reading and deleting say: %s", (message, expected) => {
  expect(message).toBe(expected);
});

test.each([
  [formatNothingToCompare("7"), "There is no stored response 7. It may have been deleted."],
  [formatDifferenceCount(0, 0), "no differences"],
  [formatDifferenceCount(1, 0), "1 difference"],
  [formatDifferenceCount(2, 3), "2 differences, 3 expected"],
  [formatHiddenDifferences(1), "1 more difference is not shown."],
  [formatHiddenDifferences(1_200), "1,200 more differences are not shown."],
  [formatCutValue("abc", 1_200), "abc… 1,200 characters"],
  [NOT_COMPARED, "The responses were not compared."],
  [TOO_DEEP_TO_SHOW, "This value is nested too deeply to be shown."],
])("the comparison says: %s", (message, expected) => {
  expect(message).toBe(expected);
});
