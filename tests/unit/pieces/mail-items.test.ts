import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { parseProviderTime } from "~/outside/mail-provider/call/provider-time";
import { formatCancelResult, toWireCancel } from "~/pieces/cancel/cancel-settle.server";
import { CANNOT_CANCEL, findCancelObstacle } from "~/pieces/mail-item";
import {
  findStatus,
  isCancelledWord,
  isStillWaiting,
  isTooLate,
  parseStatus,
  STATUS_WORDS,
  toneOf,
} from "~/pieces/status";
import { cutPage, parseCursor } from "~/platform/page-cursor";
import { formatName, parseAddressee } from "~/recipients/addressee.server";
import { formatMomentIfValid, Moment } from "~/ui/moment";

describe("status words", () => {
  test.each([
    ["ok", ["processed", "sent", "Delivered"]],
    ["warn", ["processing", "QUEUED"]],
    ["bad", ["cancelled", "failed", "returned"]],
    [
      "neutral",
      ["received", "producing", "printing", "handed_over", "dispatched", "in_transit", "local_delivery"],
    ],
    ["neutral", ["draft", "test", "teleported", "", "constructor", "__proto__"]],
  ])("%s: the colours of the statuses, in both spellings of the provider", (tone, words) => {
    expect(words.map(toneOf)).toEqual(words.map(() => tone));
  });

  test("a piece moves from each status of either vocabulary to the next, never back", () => {
    const order = [
      ["draft", "test"],
      ["received", "queued"],
      ["producing", "printing", "processing"],
      ["processed"],
      ["handed_over", "dispatched", "sent"],
      ["in_transit"],
      ["local_delivery"],
      ["delivered"],
      ["returned", "failed"],
      ["cancelled"],
    ];
    const ranks = order.map((words) => [...new Set(words.map((word) => findStatus(word)?.rank))]);
    expect(ranks.every((same) => same.length === 1)).toBe(true);
    const steps = ranks.flat() as number[];
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
    expect(order.flat().sort()).toEqual([...STATUS_WORDS].sort());
  });

  test("each status allows or refuses a cancel", () => {
    expect(["received", "Queued"].every(isStillWaiting)).toBe(true);
    expect(["producing", "dispatched", "returned"].every(isTooLate)).toBe(true);
    expect(["received", "test", "teleported"].some(isTooLate)).toBe(false);
    expect(["cancelled", "Canceled"].every(isCancelledWord)).toBe(true);
    expect(isCancelledWord("not cancelled")).toBe(false);
  });

  test("only words are stored", () => {
    expect(parseStatus(" Handed Over ")).toBe("handed_over");
    expect(parseStatus("canceled")).toBe("cancelled");
    for (const none of [null, 7, {}, "", "<b>", "a".repeat(41), "9lives"])
      expect(parseStatus(none)).toBe(null);
  });
});

describe("the recipient of mail", () => {
  const person = { firstname: "Ana", lastname: "Lopez", address1: "1 High St", city: "Austin" };

  test("a nested recipient, bracketed names and an id", () => {
    const nested = parseAddressee({ recipient: { ...person, email: " ana@x.org " } });
    const known = { recipientId: null, name: "Ana Lopez", email: "ana@x.org", place: "Austin" };
    expect(nested).toMatchObject(known);
    const bracketed = Object.fromEntries(
      Object.entries(person).map(([key, value]) => [`recipient[${key}]`, value]),
    );
    expect(parseAddressee(bracketed).key).toBe(nested.key);
    const none = { name: null, place: null, key: null };
    expect(parseAddressee({ recipient: 1001 })).toEqual({
      ...{ ...none, recipientId: "1001", email: null, searchText: " recipient 1001 " },
    });
    for (const value of [null, undefined, 5, "x", [], {}, { recipient: {} }, { recipient: { city: "X" } }])
      expect(parseAddressee(value)).toMatchObject({ ...none, recipientId: null, searchText: "" });
  });

  test("equal addresses are equal in any case and spacing, different ones are not", () => {
    const key = (recipient: object) => parseAddressee({ recipient }).key;
    expect(key({ ...person, city: "  AUSTIN" })).toBe(key(person));
    expect(key({ ...person, town: "Dallas", city: "" })).toBe(key({ ...person, city: "dallas" }));
    expect(key({ ...person, address1: "2 High St" })).not.toBe(key(person));
  });

  test("a name is one line of limited length", () => {
    expect(formatName({ company: "Acme\n\u0000Ltd" })).toBe("Acme Ltd");
    expect(formatName({ firstname: "x".repeat(500) })).toHaveLength(200);
    expect(formatName({ firstname: ["x"], lastname: {} })).toBe(null);
  });
});

test("the message of a cancel", () => {
  const message = "Letter cancelled successfully";
  const done = { message, refund: { creditsRefunded: 2, newBalance: 42 }, warning: null };
  const whole = `${message} - 2 credits refunded (New balance: 42)`;
  expect(formatCancelResult(done)).toBe(whole);
  expect(formatCancelResult({ ...done, warning: "Only a part." })).toBe(`${whole}. Only a part.`);
  expect(formatCancelResult({ ...done, refund: null })).toBe(message);
  const pending = { ...done, kind: "pending", type: "letter", userId: "a", refund: null } as const;
  expect(toWireCancel(pending)).toMatchObject({ success: false, pending: true, error: message });
});

test("reasons for a disabled Cancel button", () => {
  expect(findCancelObstacle(false, "16800001", "accepted")).toBe(null);
  expect(findCancelObstacle(false, "0", "accepted")).toBe(CANNOT_CANCEL);
  expect(findCancelObstacle(true, "16800001", null)).toBe(CANNOT_CANCEL);
  expect(findCancelObstacle(false, "16800001", "cancelled")).toMatch(/already/);
  expect(findCancelObstacle(false, "16800001", "cancelling")).toMatch(/not confirmed/);
});

test("a page ends at the start of the next one, and only a list's cursor is accepted", () => {
  const rows = [3, 2, 1].map((n) => ({ id: `row-${n}`, createdAt: new Date(n * 1000) }));
  const page = cutPage(rows, 2);
  expect(page.rows.map(({ id }) => id)).toEqual(["row-3", "row-2"]);
  expect(parseCursor(page.nextCursor ?? "")).toEqual(rows[1]);
  expect(cutPage(rows, 3).nextCursor).toBe(null);
  for (const none of ["", "x", "1", "1.", "1.a b", "-1.a", "999999999999999.a", `1.${"a".repeat(65)}`]) {
    expect(parseCursor(none)).toBe(null);
  }
});

test("both spellings of the provider's times, and no other", () => {
  expect(parseProviderTime("2026-01-05 09:00:00")?.toISOString()).toBe("2026-01-05T09:00:00.000Z");
  expect(parseProviderTime("2026-01-05T09:00:00+02:00")?.toISOString()).toBe("2026-01-05T07:00:00.000Z");
  const wrong = ["", "soon", "2026-13-45 09:00:00", "9999-12-31 00:00:00", "1601-01-01 00:00:00"];
  for (const none of [null, 5, ...wrong]) expect(parseProviderTime(none)).toBe(null);
});

test("an invalid time shows 'Invalid date', any other how long ago it was", () => {
  const now = new Date("2026-11-21T13:05:00Z");
  const show = (at: Date) =>
    renderToStaticMarkup(createElement(Moment, { at: formatMomentIfValid(at, now) }));
  expect(show(new Date("soon"))).toBe("Invalid date");
  expect(show(new Date("2026-11-21T13:03:00Z"))).toMatch(
    /<time .*title="21 Nov 2026, 13:03 UTC".*>2 min ago</,
  );
});
