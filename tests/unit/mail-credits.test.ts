import { describe, expect, test } from "vitest";
import { formatLiveSend } from "~/builder/mode/mail-type";
import { findStanding, type SendState } from "~/pieces/states";
import { describeCredits } from "~/sending/credit-outcome";

const letter = { mailType: "letter" as const, userId: "user-1", cost: 2 };
const account = { balance: 7 };

describe("the credits of an answer", () => {
  test("charged", () => {
    expect(describeCredits(letter, { kind: "charged", charged: 2 }, account)).toEqual({
      success: true,
      mailType: "letter",
      creditsDeducted: 2,
      newBalance: 7,
      userId: "user-1",
      error: null,
    });
  });

  test("charged less than it costs is a failed deduction", () => {
    expect(describeCredits(letter, { kind: "charged", charged: 1 }, account)).toMatchObject({
      success: false,
      creditsDeducted: 1,
      error: "It costs 2, and only 1 could be deducted.",
    });
  });

  test("held until the outcome is known", () => {
    expect(describeCredits(letter, { kind: "held", why: "checking." }, null)).toMatchObject({
      success: false,
      creditsDeducted: 0,
      newBalance: null,
      pending: true,
      held: 2,
      error: "2 credits stay held: checking.",
    });
  });

  test("short says cost, what is there, what is missing", () => {
    expect(describeCredits(letter, { kind: "short", available: 1 }, account).error).toBe(
      "Not enough credits: a live letter costs 2, 1 available, 1 missing.",
    );
  });
});

test.each<[SendState, string]>([
  ["held", "held"],
  ["unknown", "held"],
  ["needs_review", "held"],
  ["accepted", "charged"],
  ["cancelling", "charged"],
  ["cancelled", "charged"],
  ["refused", "released"],
])("a send in state %s has its credits %s", (state, kind) => {
  expect(findStanding({ state, mailType: "postcard", charged: 1, note: null }).kind).toBe(kind);
});

test("the send button states the deal, with the balance of the one who pays", () => {
  const available = { userId: "user-1", available: 41 };
  const card = { mailType: "postcard", piece: "postcard 4x6 to J. Smith, Leeds" } as const;
  const letter = { mailType: "letter", piece: "letter" } as const;
  expect(formatLiveSend(card, available, "user-1")).toBe(
    "postcard 4x6 to J. Smith, Leeds: 1 credit, 41 left",
  );
  expect(formatLiveSend(letter, available, "user-2")).toBe("letter: 2 credits");
  expect(formatLiveSend(letter, null, "user-1")).toBe("letter: 2 credits");
});
