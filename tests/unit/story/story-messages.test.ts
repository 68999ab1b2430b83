import { expect, test } from "vitest";
import type { PieceState } from "~/pieces/states";
import { formatHold, formatNoPdf, formatOutcome, formatRepeatRisk } from "~/story/messages";

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
  const mailType = "letter" as const;
  const safe = STATES.filter((state) => formatRepeatRisk({ state, mailType }) === null);
  expect(safe).toEqual(["refused", "cancelled"]);
  expect(formatRepeatRisk({ state: "unknown", mailType })).toMatch(/may have been mailed/);
});

test("every state says what happened to the mail, to the credits and to the hold", () => {
  expect(
    STATES.map((state) => {
      const { mail, credits } = formatOutcome({ ...piece, state });
      return `${state}: ${mail} ${credits} ${formatHold({ ...piece, state })}`;
    }),
  ).toMatchInlineSnapshot(`
    [
      "reserved: The provider may have accepted this letter. We are checking; it will not be sent twice. 2 credits held: charged once if it was mailed, released if not. 2 credits reserved, not charged yet",
      "sending: The provider may have accepted this letter. We are checking; it will not be sent twice. 2 credits held: charged once if it was mailed, released if not. 2 credits reserved, not charged yet",
      "unknown: The provider may have accepted this letter. We are checking; it will not be sent twice. 2 credits held: charged once if it was mailed, released if not. 2 credits reserved, not charged yet",
      "needs_review: We could not find out whether this letter was mailed:  2 credits held until a person decides. 2 credits reserved, not charged yet",
      "accepted: The provider accepted this letter as item 501. 2 credits were charged. 2 credits reserved, then charged",
      "refused: Nothing was mailed: the provider refused it. Nothing was charged. 2 credits reserved, then released",
      "cancelling: This letter is being cancelled. The provider has not confirmed it yet. 2 credits charged so far, refunded when the cancel is confirmed. 2 credits reserved, then charged",
      "cancelled: This letter was cancelled and is not mailed. 2 credits were refunded. 2 credits reserved, then charged",
    ]
  `);
  expect(formatOutcome({ ...piece, state: "accepted", charged: 1, providerId: null })).toMatchInlineSnapshot(`
    {
      "credits": "It costs 2 credits, but only 1 could be charged.",
      "mail": "The provider accepted this letter.",
    }
  `);
});

test("in place of a PDF it says whether one will come, and of what was mailed why there is none", () => {
  const reasons = ["erased", "too_old", "none_given", "not_copied"] as const;
  const sentences = STATES.flatMap((state) => reasons.map((why) => formatNoPdf(state, why, 90)));
  expect([...new Set(sentences)]).toEqual([
    "The provider's PDF appears here once the piece is mailed.",
    "The personal data of this piece was erased, and its PDF with it.",
    "Copies of PDFs are kept for 90 days, and this piece is older.",
    "The provider gave no PDF of this piece that can be shown here.",
    "The provider's link to this PDF has expired, and no copy was made in time.",
    "Nothing was mailed, so there is no PDF.",
  ]);
});
