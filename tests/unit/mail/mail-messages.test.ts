import { describe, expect, test } from "vitest";
import * as say from "~/mail/messages";

test("an empty list says why it is empty", () => {
  expect([
    say.LOG_IN_FOR_MAIL,
    say.WITHOUT_DATABASE,
    say.NO_RECIPIENTS,
    say.formatNoItems("letters", ""),
    say.formatNoItems("postcards", "handed_over"),
  ]).toEqual([
    "to see mail and recipients.",
    "Mail items and recipients are not stored until then; everything else keeps working.",
    "No recipients yet. Recipients that this user creates or mails appear here.",
    "No letters yet. Those this user sends appear here with their status.",
    "No postcards with the status handed over.",
  ]);
});

test("held pieces say what becomes of their credits, and how many are not listed", () => {
  expect([say.HELD_TITLE, say.HELD_ABOUT, say.formatMoreHeld(50, 1_162)]).toEqual([
    "Held pieces",
    "It is not known yet whether these were mailed. Their credits are held: charged if they were, released if not.",
    "The newest 50 of 1,212 are listed.",
  ]);
});

test("a deletion says what goes and what stays", () => {
  expect(say.formatDeleteQuestion("Maria Silva")).toBe(
    "Maria Silva will be deleted at the provider and here. Mail already sent stays.",
  );
});

describe("what the page says when the server was not reached, or its answer not understood", () => {
  test.each([
    [null, "Network error: Please check your internet connection and try again."],
    [{ status: 404, text: "" }, "API endpoint not found. Please refresh the page and try again."],
    [{ status: 503, text: "<p>x" }, "Service temporarily unavailable. Please try again in a few moments."],
    [{ status: 500, text: '{"success":false,"error":"The index is broken."}' }, "The index is broken."],
    [{ status: 502, text: "upstream\nwent away" }, "HTTP 502: upstream went away"],
    [
      { status: 504, text: "<html><head><title>Gateway Time-out</title><p>nginx" },
      "HTTP 504: Gateway Time-out",
    ],
    [{ status: 500, text: `{"error":""}` }, 'HTTP 500: {"error":""}'],
    [{ status: 500, text: "" }, "HTTP 500"],
    [{ status: 200, text: "<html>A login page" }, "Failed to fetch data"],
  ])("a list: %j", (answer, message) => {
    expect(say.formatFetchFailure(answer)).toBe(message);
  });

  test("a long answer is cut", () => {
    expect(say.formatHttpFailure({ status: 500, text: "y".repeat(900) })).toMatch(/^HTTP 500: y{200}\.\.\.$/);
  });

  test.each([
    ["cancel", null, "Network error: Please check your connection and try again."],
    ["cancel", { status: 403, text: '{"error":"Another site."}' }, "Another site."],
    ["cancel", "unreadable", /^Failed to cancel item: .* Check the list before you try again\.$/],
    ["delete_recipient", "unreadable", /^Failed to delete recipient: /],
    ["refresh", "unreadable", /^Failed to refresh the status: /],
  ] as const)("%s: %j", (intent, answer, message) => {
    expect(say.formatPostFailure(intent, answer)).toMatch(
      typeof message === "string" ? new RegExp(`^${message}$`) : message,
    );
  });
});
