import { expect, test } from "vitest";
import { formatOutcome, formatRepeatRisk } from "~/pieces/page/messages";
import { type PieceState, TRANSITIONS } from "~/pieces/states";

const piece = { mailType: "letter" as const, cost: 2, charged: 2, note: null };
const STATES = new Set(Object.values(TRANSITIONS).map(({ to }) => to));

test("sending a piece again is a danger in every state in which it may be mail", () => {
  const safe = [...STATES].filter((state) => formatRepeatRisk({ state, mailType: "letter" }) === null);
  expect([STATES.size, safe]).toEqual([8, ["refused", "cancelled"]]);
});

test.each<[PieceState, mail: RegExp, credits: RegExp]>([
  ["reserved", /may have accepted/, /^2 credits reserved/],
  ["sending", /may have accepted/, /^2 credits reserved/],
  ["unknown", /may have accepted/, /^2 credits reserved/],
  ["needs_review", /could not find out/, /^2 credits reserved/],
  ["accepted", /^The provider accepted/, /^Ana Ruiz was charged 2 credits/],
  ["refused", /^Nothing was mailed/, /^Nothing was charged/],
  ["cancelling", /not confirmed/, /charged so far/],
  ["cancelled", /not mailed/, /were refunded/],
])("%s explains the mail and the credits", (state, mail, credits) => {
  const outcome = formatOutcome({ ...piece, state }, "Ana Ruiz", null);
  expect(outcome.mail).toMatch(mail);
  expect(outcome.credits).toMatch(credits);
});
