import { expect, test } from "vitest";
import { formatFetchFailure } from "~/ui/network-notice";

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
])("a list that was not loaded: %j", (answer, message) => {
  expect(formatFetchFailure(answer)).toBe(message);
});
