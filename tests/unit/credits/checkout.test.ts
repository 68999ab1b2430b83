import { describe, expect, test } from "vitest";
import { addCheckoutId, findAddressProblem } from "~/credits/purchases/checkout.server";
import { checkPayment } from "~/credits/purchases/complete-checkout.server";
import type { PaymentPage } from "~/outside/stripe/payment-page.server";

const PAYMENT_FOREIGN = "The payment at Stripe belongs to another purchase.";

const ORIGIN = "https://console.test";

describe("the address after a payment", () => {
  test.each([
    `${ORIGIN}/`,
    `${ORIGIN}/users?view=purchase`,
    `${ORIGIN}/?tab=users&success=true&session={CHECKOUT_SESSION_ID}`,
    `${ORIGIN}:443/`,
    "HTTPS://CONSOLE.TEST/",
  ])("%s belongs to the console", (address) => {
    expect(findAddressProblem("success_url", address, ORIGIN)).toBeNull();
  });

  const others = String.raw`https://evil.test/ https://console.test.evil.test/ https://console.test@evil.test/
    https://user:word@console.test/ https://user@console.test/ http://console.test/ https://console.test:8443/ //evil.test/
    /users javascript:alert(1) data:text/html,hello https:\\evil.test/ https://console.test\@evil.test/`.split(
    /\s+/,
  );
  const odd = ["", "https://console.test/\n", "\thttps://console.test/", "https://console.test/ x"];
  const unreadable = [
    "https://console.test/\0",
    "https://console.test/\ud800",
    `${ORIGIN}/${"x".repeat(2000)}`,
  ];
  test.each([...others, ...odd, ...unreadable])("%j does not belong to the console", (address) => {
    expect(findAddressProblem("success_url", address, ORIGIN)).toMatch(/^success_url /);
  });

  test.each([
    ["/", "/?checkout=7"],
    ["/?tab=users&success=true", "/?tab=users&success=true&checkout=7"],
    ["/?a=b#there", "/?a=b&checkout=7#there"],
    ["/?checkout=old&a=b&checkout", "/?a=b&checkout=7"],
    ["/?s={CHECKOUT_SESSION_ID}", "/?s={CHECKOUT_SESSION_ID}&checkout=7"],
  ])("the ID of the payment is added to %s", (before, after) => {
    expect(addCheckoutId(ORIGIN + before, "7")).toBe(ORIGIN + after);
  });
});

describe("a payment at Stripe", () => {
  const checkout = { id: "ours", amountCents: 999, currency: "usd", stripeSessionId: "cs_1" };
  const judge = (changes: Partial<PaymentPage>, known: string | null = "cs_1") =>
    checkPayment(
      { ...checkout, stripeSessionId: known },
      {
        id: "cs_1",
        url: null,
        payment: "paid",
        isRefunded: false,
        refundedCents: 0,
        amountCents: 999,
        currency: "usd",
        live: false,
        reference: "ours",
        paymentId: "pi_1",
        invoiceNumber: null,
        checkoutId: "ours",
        ...changes,
      },
      false,
    );

  test("that was paid as ordered is booked, also when its page is not stored yet", () => {
    expect(judge({})).toEqual({ kind: "book" });
    expect(judge({}, null)).toEqual({ kind: "book" });
  });

  test.each([
    ["open", { kind: "wait" }],
    ["processing", { kind: "wait" }],
    ["expired", { kind: "close", state: "expired" }],
    ["failed", { kind: "close", state: "failed" }],
  ] as const)("%s leads to the right step", (payment, verdict) => {
    expect(judge({ payment })).toMatchObject(verdict);
  });

  const wrongAmount = (amountCents: number | null, currency = "usd") =>
    `Stripe took ${amountCents === null ? "nothing" : `${amountCents} ${currency}`} instead of 999 usd (in the smallest unit).`;
  test.each<[string, Partial<PaymentPage>, note: string]>([
    ["another page", { id: "cs_2" }, PAYMENT_FOREIGN],
    ["another reference", { reference: "theirs" }, PAYMENT_FOREIGN],
    ["another mark", { checkoutId: "theirs" }, PAYMENT_FOREIGN],
    ["no mark of ours", { checkoutId: null }, PAYMENT_FOREIGN],
    ["nothing to pay", { payment: "free" }, "Stripe did not ask for any payment."],
    ["refunded in full", { isRefunded: true }, "Stripe refunded the payment before its credits were added."],
    ["one cent less", { amountCents: 998 }, wrongAmount(998)],
    ["one cent more", { amountCents: 1000 }, wrongAmount(1000)],
    ["no amount", { amountCents: null }, wrongAmount(null)],
    ["another currency", { currency: "eur" }, wrongAmount(999, "eur")],
    ["the other mode", { live: true }, "The payment was made in live mode, but the key is for test mode."],
  ])("%s is a mismatch", (_name, changes, note) => {
    expect(judge(changes)).toEqual({ kind: "close", state: "mismatch", note });
  });
});
