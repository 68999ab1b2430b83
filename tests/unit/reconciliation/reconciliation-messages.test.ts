import { expect, test } from "vitest";
import { FINDINGS, formatResult } from "~/reconciliation/messages";

const letter = { type: "letter", paid: 2, cost: 2 };
const postcard = { type: "postcard", paid: 0, cost: 1 };
const listed = {
  id: "501",
  type: "postcard",
  status: "producing",
  cost: 0.99,
  tags: "",
  createdAt: null,
  baseUrls: [],
};

test("a difference says what is wrong and what to do", () => {
  expect(
    [
      FINDINGS.missing(letter, false),
      FINDINGS.missing(letter, true),
      FINDINGS.undecided(listed),
      FINDINGS.refunded(listed, postcard, true),
      FINDINGS.released({ ...listed, status: "" }, postcard, false),
    ].map(({ what, next }) => `${what} ${next}`),
  ).toEqual([
    "2 credits charged here, but the provider lists no such letter. Ask the provider. If it was never mailed, add 2 credits under User Credits.",
    "2 credits charged here, but the provider lists no such letter. Its list may be late: compare again tomorrow.",
    "The provider has it, with the status producing; here it needs a decision. View the piece and choose Mailed.",
    "The provider has it, with the status producing; here it is cancelled and refunded. It is too late to cancel it: deduct 1 credit under User Credits.",
    "The provider has it; here it counts as not mailed, and nothing is charged. Cancel it at the provider, or deduct 1 credit under User Credits.",
  ]);
});

test("the result names differences, what agrees and what is left", () => {
  const nothing = { agreed: 0, findings: [], moving: 0, unseen: 0 };
  const all = { isReached: true, isComplete: true };
  expect(formatResult({ ...nothing, agreed: 1 }, all)).toBe(
    "All agree. 1 piece charged here and found at the provider.",
  );
  expect(formatResult({ ...nothing, moving: 2 }, { isReached: true, isComplete: false })).toBe(
    "No differences so far, but not everything could be compared. 0 pieces charged here and found at the provider. 2 pieces still being sent or cancelled; compare later.",
  );
  expect(formatResult({ ...nothing, unseen: 3 }, { isReached: false, isComplete: false })).toBe(
    "The provider could not be asked, so nothing was compared. 3 charged pieces could not be compared; try again when the provider answers.",
  );
});
