import { expect, test } from "vitest";
import { findAvailable } from "~/builder/send/use-current-account";
import { findCreditState } from "~/pieces/messages";
import type { PieceState } from "~/pieces/states";

test.each<[PieceState, string]>([
  ["reserved", "held"],
  ["sending", "held"],
  ["unknown", "held"],
  ["needs_review", "held"],
  ["accepted", "charged"],
  ["cancelling", "charged"],
  ["cancelled", "released"],
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
