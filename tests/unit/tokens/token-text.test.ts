import { expect, test } from "vitest";
import { hashToken, isTokenText, makeTokenText } from "~/tokens/token-record.server";

test("each token is unique, and a mistyped or truncated text is not a token", () => {
  const text = makeTokenText();
  expect(isTokenText(text)).toBe(true);
  expect(makeTokenText()).not.toBe(text);
  expect(hashToken(text)).not.toContain(text.slice(9, 20));
  const swapped = `${text.slice(0, 20)}${text[20] === "a" ? "b" : "a"}${text.slice(21)}`;
  for (const wrong of [swapped, text.slice(0, -1), `${text} `, text.toUpperCase(), "mailroom_", ""]) {
    expect(isTokenText(wrong), wrong).toBe(false);
  }
});
