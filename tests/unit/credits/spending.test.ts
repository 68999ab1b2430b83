import { expect, test } from "vitest";
import { CREDIT_PACKAGE, PACKAGE_PRICE } from "~/catalogue/prices";
import { cutParts, type PaidPart } from "~/credits/ledger/paid-with.server";
import { formatMoney, writeMoney } from "~/credits/purchases/format-money";
import { addMonths, daysOf, findMoney, listMonths, sumSpent } from "~/credits/spending/spent";

const TOTALS = {
  ...{ pieces: 4, cancelled: 1, credits: 3, byHand: 1, worth: 20, exact: 19.98 },
  ...{ cost: 24, unpriced: 0, margin: -4 },
};
const TERMS = { currency: "usd", providerCurrency: "usd" };

test("an unknown figure is absent on its own line and does not make the total unknown", () => {
  const unpriced = { ...TOTALS, cost: 0, unpriced: 3, margin: 0 };
  expect(findMoney(unpriced, TERMS)).toMatchObject({ worth: 20, cost: null, margin: null });
  expect(findMoney(sumSpent([TOTALS, unpriced]), TERMS)).toMatchObject({ worth: 40, cost: 24, margin: -4 });
});

test("credits that were added by hand have no price", () => {
  expect(findMoney(TOTALS, TERMS).perCredit).toBeCloseTo(9.99);
  expect(findMoney({ ...TOTALS, byHand: 3, worth: 0, exact: 0 }, TERMS).perCredit).toBeNull();
});

test.each([
  ["the provider's currency is not known", { ...TERMS, providerCurrency: null }],
  ["the provider's prices are in another currency", { ...TERMS, providerCurrency: "gbp" }],
  ["nothing was bought", { ...TERMS, currency: null }],
])("no margin when %s", (_, terms) => {
  expect(findMoney(TOTALS, terms).margin).toBeNull();
});

test("months continue across years", () => {
  expect(addMonths("2026-01", -1)).toBe("2025-12");
  expect(listMonths("2026-02", 3)).toEqual(["2026-02", "2026-01", "2025-12"]);
  expect(daysOf("2028-02")).toEqual({ from: "2028-02-01", to: "2028-02-29" });
});

test("money has the digits of its currency", () => {
  expect(formatMoney(999, "usd")).toBe("$9.99");
  expect(formatMoney(CREDIT_PACKAGE.amountCents, CREDIT_PACKAGE.currency)).toBe(PACKAGE_PRICE);
  expect(formatMoney(9.99, "usd", 2)).toBe("$0.0999");
  expect(writeMoney(1200, "jpy")).toBe("1200");
  expect(writeMoney(1200, "usd")).toBe("12.00");
});

test("credits of several parts are cut in their order", () => {
  const from = { ledgerId: 1, type: "purchase" as const, credits: 9, at: new Date(0), checkoutId: "a" };
  const parts: PaidPart[] = [2, 3, 1].map((credits) => ({ credits, from, refundedAt: null }));
  expect(cutParts(parts, 1, 3).map(({ credits }) => credits)).toEqual([1, 2]);
  expect(cutParts(parts, 5, 3).map(({ credits }) => credits)).toEqual([1]);
  expect(cutParts(parts, 6, 1)).toEqual([]);
});
