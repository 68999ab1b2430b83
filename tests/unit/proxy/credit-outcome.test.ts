import { describe, expect, test } from "vitest";
import { findAvailable } from "~/builder/send/use-current-account";
import { findCreditState } from "~/pieces/messages";
import type { PieceState } from "~/pieces/states";
import { toCreditOutcome } from "~/proxy/credit-outcome";

const letter = { mailType: "letter" as const, userId: "user-1", cost: 2 };
const account = { balance: 7 };

describe("the credits of an answer", () => {
  test.each<[string, Parameters<typeof toCreditOutcome>[1], object]>([
    [
      "charged",
      { kind: "charged", charged: 2 },
      { success: true, creditsDeducted: 2, newBalance: 7, error: null },
    ],
    ["charged less than it costs", { kind: "charged", charged: 1 }, { success: false, creditsDeducted: 1 }],
    [
      "held",
      { kind: "held", why: "checking." },
      { success: false, creditsDeducted: 0, pending: true, held: 2 },
    ],
    ["short", { kind: "short", available: 1 }, { success: false, creditsDeducted: 0 }],
  ])("%s", (_how, credits, outcome) => {
    const context = { mailType: "letter", userId: "user-1" };
    expect(toCreditOutcome(letter, credits, account)).toMatchObject({ ...context, ...outcome });
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
