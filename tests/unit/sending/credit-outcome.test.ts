import { describe, expect, test } from "vitest";
import { findAvailable } from "~/builder/mode/use-current-account";
import { findCreditState } from "~/pieces/messages";
import type { PieceState } from "~/pieces/states";
import { toCreditOutcome } from "~/sending/credit-outcome";

const letter = { mailType: "letter" as const, userId: "user-1", cost: 2 };
const account = { balance: 7 };

describe("the credits of an answer", () => {
  test("charged", () => {
    expect(toCreditOutcome(letter, { kind: "charged", charged: 2 }, account)).toEqual({
      success: true,
      mailType: "letter",
      creditsDeducted: 2,
      newBalance: 7,
      userId: "user-1",
      error: null,
    });
  });

  test("charged less than it costs is a failed deduction", () => {
    expect(toCreditOutcome(letter, { kind: "charged", charged: 1 }, account)).toMatchObject({
      success: false,
      creditsDeducted: 1,
      error: "It costs 2, and only 1 could be charged.",
    });
  });

  test("held until the outcome is known", () => {
    expect(toCreditOutcome(letter, { kind: "held", why: "checking." }, null)).toMatchObject({
      success: false,
      creditsDeducted: 0,
      newBalance: null,
      pending: true,
      held: 2,
      error: "2 credits stay held: checking.",
    });
  });

  test("short says cost, what is there, what is missing", () => {
    expect(toCreditOutcome(letter, { kind: "short", available: 1 }, account).error).toBe(
      "Not enough credits: a live letter needs 2 credits and you have 1.",
    );
  });
});

test.each<[PieceState, string]>([
  ["reserved", "held"],
  ["sending", "held"],
  ["unknown", "held"],
  ["needs_review", "held"],
  ["accepted", "charged"],
  ["cancelling", "charged"],
  ["cancelled", "charged"],
  ["refused", "released"],
])("a send in state %s has its credits %s", (state, kind) => {
  expect(findCreditState({ state, mailType: "postcard", charged: 1, note: null }).kind).toBe(kind);
});

test("the credits of the header's account count only for the user who pays", () => {
  const account = { userId: "user-1", available: 41, held: 0 };
  expect(findAvailable(account, "user-1")).toBe(41);
  expect(findAvailable(account, "user-2")).toBeNull();
  expect(findAvailable(null, "user-1")).toBeNull();
});
