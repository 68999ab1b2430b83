import { expect, test } from "vitest";
import { CANNOT_UNDO, formatErased, NOT_CONFIRMED, OPEN_PIECES } from "~/privacy/messages";

test("an erasure says what is gone, and what stays", () => {
  expect(formatErased(1, 2)).toBe("Erased: 1 piece and 2 stored responses have no personal data any more.");
  expect(CANNOT_UNDO).toMatch(/Credits and the ledger stay\. This cannot be undone\.$/);
});

test("a refusal says that nothing was erased", () => {
  expect(NOT_CONFIRMED).toContain("Nothing was erased.");
  expect(OPEN_PIECES).toContain("Nothing was erased");
});
