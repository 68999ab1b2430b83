import { expect, test } from "vitest";
import { FINDINGS, formatDailyResult, formatResult } from "~/reconciliation/messages";

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

test("each difference says what is wrong and what to do", () => {
  expect(
    [
      FINDINGS.missing(letter, false),
      FINDINGS.missing(letter, true),
      FINDINGS.stopped({ ...postcard, paid: 1 }),
      FINDINGS.twice(["501", "502"]),
      FINDINGS.type(postcard, "letter"),
      FINDINGS.price(1.2, 0.9925),
      FINDINGS.undecided(listed),
      FINDINGS.refunded(listed, postcard, true),
      FINDINGS.released({ ...listed, status: "" }, postcard, false),
      FINDINGS.short({ ...letter, paid: 1 }),
      FINDINGS.unknown("a1b2"),
    ].map(({ what, next }) => `${what} ${next}`),
  ).toEqual([
    "2 credits charged here, but the provider lists no such letter. Ask the provider. If it was never mailed, add 2 credits under User Credits.",
    "2 credits charged here, but the provider lists no such letter. Its list may be late: compare again tomorrow.",
    "The provider cancelled it, but it is still charged here (1 credit). Refresh its status in Mail Management: the credits are then refunded.",
    "The provider has 2 pieces for this one: 501, 502. Cancel all but one at the provider while their status is received.",
    "It was charged as a postcard, but the provider has a letter. Check its request, then correct the difference under User Credits.",
    "The provider now charges 1.20; its answer said 0.9925. Your credits are not affected. Ask the provider, or check its invoice.",
    "The provider has it, with the status producing; here it needs a decision. View the piece and choose Mailed.",
    "The provider has it, with the status producing; here it is cancelled and refunded. It is too late to cancel it: deduct 1 credit under User Credits.",
    "The provider has it; here it counts as not mailed, and nothing is charged. Cancel it at the provider, or deduct 1 credit under User Credits.",
    "It was mailed, but only 1 of 2 credits could be charged. To charge the rest, deduct 1 credit under User Credits.",
    "It has the tag mailroom-a1b2, but there is no such piece here. Compare in any other Mailroom that uses this provider account. If there is none, it was not paid for.",
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

test("a comparison that ran by itself says how it ended", () => {
  expect([
    formatDailyResult(0, null),
    formatDailyResult(2, null),
    formatDailyResult(1, "Stripe did not answer in time."),
    formatDailyResult(0, "Stripe did not answer in time."),
  ]).toEqual([
    "All agree.",
    "2 differences: see the alarms.",
    "1 difference: see the alarms. Stripe did not answer in time.",
    "Stripe did not answer in time.",
  ]);
});
