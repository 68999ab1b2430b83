import { expect, test } from "vitest";
import { cutParts, type PaidPart } from "~/credits/ledger/paid-with";
import { formatMoney, writeMoney } from "~/credits/purchases/format-money";
import {
  addMonths,
  type BoughtCell,
  daysOf,
  findPrices,
  listMonths,
  type SpentCell,
  sumSpent,
} from "~/credits/spending/spent";

const bought = (month: string, minorUnits: number, changes: Partial<BoughtCell> = {}): BoughtCell => ({
  month,
  userId: "ana",
  currency: "usd",
  credits: 100,
  minorUnits,
  ...changes,
});
const spent = (changes: Partial<SpentCell> = {}): SpentCell => ({
  month: "2026-10",
  userId: "ana",
  kind: "postcard",
  pieces: 4,
  cancelled: 1,
  credits: 3,
  costUnits: 29_700,
  unpriced: 0,
  ...changes,
});
const TERMS = { currency: "usd", minorPerUnit: 100, providerCurrency: "usd" };

test("a credit costs what the person's purchases had cost until the end of the month, by the credits they brought", () => {
  const cells = [bought("2026-09", 1000), bought("2026-10", 3000), bought("2026-11", 9000)];
  expect(findPrices(cells, "2026-08").get("ana")).toBeUndefined();
  expect(findPrices(cells, "2026-09").get("ana")?.perCredit).toBe(10);
  expect(findPrices(cells, "2026-10").get("ana")?.perCredit).toBe(20);
});

test("purchases in two currencies have no price", () => {
  const cells = [bought("2026-09", 1000), bought("2026-09", 1000, { currency: "eur" })];
  expect(findPrices(cells, "2026-10").size).toBe(0);
});

test("the margin is what the credits were worth less the provider's prices", () => {
  const total = sumSpent([spent()], () => ({ perCredit: 200, currency: "usd" }), TERMS);
  expect(total).toMatchObject({ pieces: 4, cancelled: 1, credits: 3, worth: 600, margin: 600 - 297 });
});

test.each([
  ["a piece has no price", [spent({ unpriced: 1 })], TERMS],
  ["the provider's currency is not known", [spent()], { ...TERMS, providerCurrency: null }],
  ["the provider's prices are in another currency", [spent()], { ...TERMS, providerCurrency: "gbp" }],
])("no margin where %s", (_, cells, terms) => {
  expect(sumSpent(cells, () => ({ perCredit: 200, currency: "usd" }), terms).margin).toBeNull();
});

test("one person without purchases makes the sum of all unknown, and nobody's pieces", () => {
  const priceOf = ({ userId }: SpentCell) => (userId === "ana" ? { perCredit: 200, currency: "usd" } : null);
  const total = sumSpent([spent(), spent({ userId: "zoe" })], priceOf, TERMS);
  expect(total).toMatchObject({ pieces: 8, credits: 6, worth: null, margin: null });
});

test("months go over the year", () => {
  expect(addMonths("2026-01", -1)).toBe("2025-12");
  expect(listMonths("2026-02", 3)).toEqual(["2026-02", "2026-01", "2025-12"]);
  expect(daysOf("2028-02")).toEqual({ from: "2028-02-01", to: "2028-02-29" });
});

test("money is written by the digits of its currency", () => {
  expect(formatMoney(999, "usd")).toBe("$9.99");
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
