import { expect, test } from "vitest";
import {
  formatAdjustError,
  formatAdjusted,
  formatAdjustFailed,
  formatCheckoutFailed,
  formatNoPaymentPage,
  formatNotEnough,
} from "~/credits/messages";

test.each([
  [formatAdjusted("add", 5, "Ana Ruiz"), "Successfully added 5 credits to Ana Ruiz"],
  [formatAdjusted("deduct", 5, "Ana Ruiz"), "Successfully deducted 5 credits from Ana Ruiz"],
  [formatAdjustFailed("deduct", "Reason."), "Failed to deduct credits: Reason."],
  [formatAdjustError("add"), "Error adding credits"],
  [formatNotEnough("Ana Ruiz", 5, 0), "Ana Ruiz has 5 credits available. Nothing was changed."],
  [
    formatNotEnough("Ana Ruiz", 5, 2),
    "Ana Ruiz has 3 credits available (balance 5, held 2). Nothing was changed.",
  ],
])("adjusting says: %s", (message, expected) => {
  expect(message).toBe(expected);
});

test.each([
  [formatCheckoutFailed("Reason."), "Failed to start checkout process: Reason."],
  [
    formatNoPaymentPage("Stripe cannot be reached.", true),
    "Stripe cannot be reached. Nothing was charged. Try again in a moment.",
  ],
  [formatNoPaymentPage("Stripe refused the key.", false), "Stripe refused the key. Nothing was charged."],
])("buying says: %s", (message, expected) => {
  expect(message).toBe(expected);
});
