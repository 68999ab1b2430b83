import { expect, test } from "vitest";
import { formatOutcome, formatRepeatRisk } from "~/pieces/page/messages";
import type { PieceState } from "~/pieces/states";

const piece = { mailType: "letter" as const, cost: 2, charged: 2, note: null, providerId: "501" };
const STATES: PieceState[] = [
  "reserved",
  "sending",
  "unknown",
  "needs_review",
  "accepted",
  "refused",
  "cancelling",
  "cancelled",
];

test("sending a piece again is a danger in every state in which it may be mail", () => {
  const safe = STATES.filter((state) => formatRepeatRisk({ state, mailType: "letter" }) === null);
  expect(safe).toEqual(["refused", "cancelled"]);
});

test.each<[PieceState, mail: RegExp, credits: RegExp]>([
  ["reserved", /may have accepted/, /^2 credits held/],
  ["sending", /may have accepted/, /^2 credits held/],
  ["unknown", /may have accepted/, /^2 credits held/],
  ["needs_review", /could not find out/, /^2 credits held/],
  ["accepted", /accepted .* item 501/, /were charged/],
  ["refused", /^Nothing was mailed/, /^Nothing was charged/],
  ["cancelling", /not confirmed/, /charged so far/],
  ["cancelled", /not mailed/, /were refunded/],
])("%s explains the mail and the credits", (state, mail, credits) => {
  const outcome = formatOutcome({ ...piece, state });
  expect(outcome.mail).toMatch(mail);
  expect(outcome.credits).toMatch(credits);
});
