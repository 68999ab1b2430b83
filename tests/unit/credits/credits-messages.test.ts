import { expect, test } from "vitest";
import {
  formatAdjusted,
  formatAdjustFailed,
  formatCheckoutFailed,
  formatNotEnough,
} from "~/credits/messages";

test.each([
  [formatAdjusted("add", 5, "Ana Ruiz"), "Successfully added 5 credits to Ana Ruiz"],
  [formatAdjusted("deduct", 5, "Ana Ruiz"), "Successfully deducted 5 credits from Ana Ruiz"],
  [formatAdjustFailed("deduct", "Reason."), "Failed to deduct credits: Reason."],
  [formatNotEnough("Ana", 5, 0), "Ana has 5 credits available. Nothing was changed."],
  [formatNotEnough("Ana", 5, 2), "Ana has 3 credits available (balance 5, reserved 2). Nothing was changed."],
  [formatCheckoutFailed("Reason."), "Failed to start checkout process: Reason."],
])("adjusting or buying says: %s", (message, expected) => {
  expect(message).toBe(expected);
});
