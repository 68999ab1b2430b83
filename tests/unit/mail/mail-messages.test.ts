import { expect, test } from "vitest";
import * as say from "~/mail/messages";

test("one question for several cancels says what comes back, and what may not be cancelled", () => {
  const accounts = [{ refund: 3, balance: 12, held: 0 }];
  expect(say.formatCancelSeveral({ accounts, late: 0, impossible: 0 })).toBe("3 credits back, balance 12.");
  expect(say.formatCancelSeveral({ accounts, late: 1, impossible: 2 })).toBe(
    "1 piece may be too late: production has begun. If all of them work: 3 credits back, balance 12. 2 pieces cannot be cancelled and will be left as they are.",
  );
});

test("one message says what became of several cancels", () => {
  const none = { cancelled: 0, refunded: 0, balance: null, pending: 0, failures: [], left: 0 };
  expect(say.formatCancelledSeveral({ ...none, cancelled: 3, refunded: 4, balance: 12 })).toBe(
    "3 pieces cancelled - 4 credits refunded (New balance: 12).",
  );
  expect(
    say.formatCancelledSeveral({ ...none, pending: 1, failures: ["Too late.", "Too late."], left: 4 }),
  ).toBe(
    "0 pieces cancelled. 1 piece still being checked; a refund follows if cancelled. 2 pieces not cancelled: Too late. 4 pieces not tried yet: choose them again.",
  );
});
