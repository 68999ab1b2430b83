import { expect, test } from "vitest";
import { formatSaveFailed } from "~/builder/answer/save-panel";
import * as rules from "~/builder/draft/mail-rules";
import { formatReadiness } from "~/builder/forms/checklist";
import { formatLoadFailed, NO_RECIPIENTS } from "~/builder/forms/recipient-section";
import { LOAD_FAILURES } from "~/builder/send/provider-list";
import { formatLiveSend } from "~/builder/send/send-button";

/** Messages that the specification words. Other tests import the constants or match codes and roles. */
test.each([
  [formatSaveFailed(500), "Failed to save response: 500"],
  [rules.SIZE_REQUIRED, "Size is required - please select a postcard dimension"],
  [rules.POSTCARD_CONTENT_REQUIRED, "Either a template ID or front image is required to create the postcard"],
  [rules.LETTER_CONTENT_REQUIRED, "Either template ID, PDF file, or text content is required"],
  [rules.VARIABLES_INVALID, "Variables must be valid JSON"],
  [formatReadiness("postcard", 2), "2 issue(s) need attention"],
  [formatReadiness("postcard", 0), "Ready to create postcard!"],
  [NO_RECIPIENTS, "No recipients found for this user."],
])("%s", (message, expected) => {
  expect(message).toBe(expected);
});

test("recipients that could not be loaded, with each reason", () => {
  expect(Object.values(LOAD_FAILURES).map(formatLoadFailed)).toEqual([
    "Could not load recipients: No user selected.",
    "Could not load recipients: Failed to fetch recipients.",
    "Could not load recipients: Failed to parse recipients response.",
    "Could not load recipients: Invalid response format from recipients API.",
  ]);
});

test.each([
  [41, "letter: 2 credits, leaves 39"],
  [2, "letter: 2 credits, leaves 0"],
  [1, "letter: 2 credits, 1 available"],
  [null, "letter: 2 credits"],
])("with %s credits the button names the piece, its cost and the remaining credits", (available, words) => {
  expect(formatLiveSend("letter", "letter", available)).toBe(words);
});
