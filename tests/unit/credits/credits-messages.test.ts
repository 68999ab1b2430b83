import { expect, test } from "vitest";
import {
  formatAddressTooLong,
  formatAdjustError,
  formatAdjusted,
  formatAdjustFailed,
  formatBadAdjustment,
  formatBadFilter,
  formatBadOrder,
  formatBalanceTooHigh,
  formatCheckoutFailed,
  formatNoPaymentPage,
  formatNotEnough,
  formatNotOurAddress,
  formatPaymentMismatch,
  formatRefunded,
  formatUserCreated,
  formatWrongAmount,
  formatWrongMode,
  WRONG_PACKAGE,
} from "~/credits/messages";

const USD = { amountCents: 999, currency: "usd" };

test.each([
  [formatUserCreated("Ana Ruiz", "ana"), "Created Ana Ruiz (ana). They have no credits yet."],
  [formatAdjusted("add", 5, "Ana Ruiz"), "Successfully added 5 credits to Ana Ruiz"],
  [formatAdjusted("deduct", 5, "Ana Ruiz"), "Successfully deducted 5 credits from Ana Ruiz"],
  [formatAdjustFailed("deduct", "Reason."), "Failed to deduct credits: Reason."],
  [formatAdjustError("add"), "Error adding credits"],
  [
    formatBadAdjustment("amount is required"),
    "The adjustment is not valid: amount is required. Nothing was changed.",
  ],
  [
    formatBalanceTooHigh(1_000_000_000),
    "A balance can have 1,000,000,000 credits at most. Nothing was changed.",
  ],
  [formatNotEnough("Ana Ruiz", 5, 0), "Ana Ruiz has 5 credits available. Nothing was changed."],
  [
    formatNotEnough("Ana Ruiz", 5, 2),
    "Ana Ruiz has 3 credits available (balance 5, held 2). Nothing was changed.",
  ],
])("adjusting says: %s", (message, expected) => {
  expect(message).toBe(expected);
});

test.each([
  [WRONG_PACKAGE, "Credits are sold in packages of 100. Nothing was charged."],
  [formatCheckoutFailed("Reason."), "Failed to start checkout process: Reason."],
  [
    formatBadOrder(formatNotOurAddress("success_url", "https://console.test")),
    "success_url must be an address of this console, starting with https://console.test/. Nothing was charged.",
  ],
  [formatAddressTooLong("cancel_url", 2_000), "cancel_url may have 2,000 characters at most"],
  [
    formatNoPaymentPage("Stripe cannot be reached.", true),
    "Stripe cannot be reached. Nothing was charged. Try again in a moment.",
  ],
  [formatNoPaymentPage("Stripe refused the key.", false), "Stripe refused the key. Nothing was charged."],
  [
    formatPaymentMismatch("7"),
    "Your payment does not match the order, so no credits were added. Give the operator of this console the payment number 7.",
  ],
])("buying says: %s", (message, expected) => {
  expect(message).toBe(expected);
});

test.each([
  [formatRefunded(400, 999), "Stripe refunded 400 of 999 cents."],
  [formatWrongMode(true, false), "The payment was made in live mode, but the key is for test mode."],
  [
    formatWrongAmount({ amountCents: 1, currency: "usd" }, USD),
    "Stripe took 1 usd instead of 999 usd (in the smallest unit).",
  ],
  [
    formatWrongAmount({ amountCents: null, currency: null }, USD),
    "Stripe took nothing instead of 999 usd (in the smallest unit).",
  ],
  [formatBadFilter(`from must be a date`), "This filter is not valid: from must be a date."],
])("the overview and the history say: %s", (message, expected) => {
  expect(message).toBe(expected);
});
