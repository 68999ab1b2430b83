import { describe, expect, test } from "vitest";
import { type CreditUser, classifyBalance, searchUsers, sumCredits } from "~/credits/credit-users.server";
import { formatChange } from "~/credits/ledger/transaction";
import { formatReach } from "~/credits/purchases/buy-form";
import { writeCsvLine } from "~/platform/http/csv";
import { listDays } from "~/platform/time";
import { formatMoment } from "~/ui/moment";
import { measureOwnMs } from "../../support/own-time";

const user = (changes: Partial<CreditUser> = {}): CreditUser => ({
  id: "user-1",
  displayName: "Zoë Müller",
  username: "zoe",
  isViewer: false,
  balance: 10,
  held: 3,
  totalSpent: 7,
  lastUpdated: null,
  ...changes,
});

test.each([
  [1_000, "comfortable"],
  [50, "comfortable"],
  [49, "middling"],
  [10, "middling"],
  [9, "low"],
  [0, "low"],
])("a balance of %i is %s", (balance, level) => {
  expect(classifyBalance(balance)).toBe(level);
});

test("credits pay for whole pieces", () => {
  expect(formatReach(100, { letter: 3, postcard: 1 })).toBe("about 33 letters or 100 postcards");
});

test("held credits are not available", () => {
  expect(sumCredits([user(), user({ balance: 5, held: 0, totalSpent: 0 })])).toEqual({
    available: 12,
    held: 3,
    spent: 7,
  });
});

test("a search matches every word in name and username in any case", () => {
  const users = [user(), user({ id: "user-2", displayName: "Zoë Other", username: "other" })];
  expect(searchUsers(users, " müller ZOE ").map(({ id }) => id)).toEqual(["user-1"]);
  expect(searchUsers(users, "")).toHaveLength(2);
  expect(searchUsers(users, "%")).toEqual([]);
});

test.each([
  ["debit", 1_200, "−1,200"],
  ["refund", 2, "+2"],
  ["purchase", 100, "+100"],
  ["release", 0, "0"],
] as const)("a transaction %s of %i reads %s", (type, amount, text) => {
  expect(formatChange({ type, amount })).toBe(text);
});

test("days end today, over the end of a month", () => {
  expect(listDays(3, new Date("2026-03-01T00:30:00Z"))).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
});

describe("a CSV line", () => {
  test("quotes cells where needed, ends as RFC 4180 specifies, and keeps numbers", () => {
    expect(writeCsvLine([new Date("2026-11-25T13:05:20.281Z")])).toBe("2026-11-25 13:05:20\r\n");
    expect(writeCsvLine([-5, null, "a", 'say "hi", twice', "two\nlines"])).toBe(
      '-5,,a,"say ""hi"", twice","two\nlines"\r\n',
    );
  });

  const formulas = "=1+1 +1 -1 @SUM(A1) ＝1".split(" ");
  test.each([...formulas, "\t=1", "\r=1", " =1", "\ttext", "\u00a0=1", "\u200b=1", "\ufeff \u2060@x"])(
    "%j does not run as a formula",
    (cell) => {
      expect(writeCsvLine([cell]).replace(/^"/, "")).toMatch(/^'/);
    },
  );

  test.each([
    ["a;=1+1", "a;'=1+1"],
    ["a\n=1", "a\n'=1"],
    ["a\r\n\u00a0-1", "a\r'\n'\u00a0-1"],
    ["a; b", "a; b"],
    ["a - b = c", "a - b = c"],
  ])("%j is written as %j for every cell separator of a spreadsheet", (cell, written) => {
    expect(writeCsvLine([cell]).replace(/^"|"?\r\n$/g, "")).toBe(written);
  });

  test("a long run of line ends is scanned once", () => {
    expect(measureOwnMs(() => writeCsvLine(["\n".repeat(1_000_000)]))).toBeLessThan(5_000);
  });
});

test.each([
  ["2026-11-21T12:59:30Z", "just now"],
  ["2026-11-21T12:58:00Z", "2 min ago"],
  ["2026-11-21T00:00:00Z", "13 h ago"],
  ["2026-11-20T23:59:00Z", "yesterday"],
  ["2026-11-03T10:00:00Z", "3 Nov"],
  ["2025-11-03T10:00:00Z", "3 Nov 2025"],
  ["2026-11-21T13:05:00Z", "just now"],
])("%s reads %s", (iso, relative) => {
  const words = formatMoment(new Date(iso), new Date("2026-11-21T13:00:00Z"));
  expect(words.relative).toBe(relative);
  expect(words.absolute).toMatch(/^\d{1,2} Nov 202[56], \d\d:\d\d UTC$/);
});
