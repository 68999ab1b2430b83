import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findCancelProblem } from "~/responses/cancel-response.server";
import { findCategoryAndPreset, stripFiles } from "~/responses/save/auto-save.server";
import { MAX_BODY_CHARS, toBodyText } from "~/responses/save/body-text";

test("mail that was accepted and not cancelled can be cancelled", () => {
  const letter = { endpoint_category: "letters", endpoint_preset: "letters.create", status_code: 201 };
  const others = [{ endpoint_category: "files" }, { endpoint_preset: "letters.get" }, { status_code: null }];
  const problems = [{}, { is_cancelled: true }, ...others].map((change) =>
    findCancelProblem({ ...letter, is_cancelled: false, ...change }),
  );
  expect(problems.map((problem) => problem === null)).toEqual([true, false, false, false, false]);
});

describe("a body", () => {
  test.each([
    ['{"a": 1.50}', '{"a": 1.50}'],
    ["", null],
    ["null", "null"],
    ["<html>", '"<html>"'],
    ["a\u0000b", '"a\\u0000b"'],
    [`${"[".repeat(65)}${"]".repeat(65)}`, JSON.stringify(`${"[".repeat(65)}${"]".repeat(65)}`)],
  ])("%s is stored as %s", (body, expected) => {
    expect(toBodyText(body)).toBe(expected);
  });

  test("is stored as JSON text of limited size without raw control characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (body) => {
        const text = toBodyText(body);
        if (text === null) expect(body).toBe("");
        else {
          JSON.parse(text);
          expect(text).not.toContain("\u0000");
        }
      }),
    );
  });

  test("is truncated when too long, never inside a character", () => {
    const kept = String(JSON.parse(toBodyText(`x${"🎂".repeat(MAX_BODY_CHARS)}`) ?? ""));
    expect(kept).toMatch(/🎂\n\[cut here: only the first 1,000,000 of 2,000,001 characters are kept\]$/u);
    expect(toBodyText("x".repeat(MAX_BODY_CHARS))).not.toContain("cut here");
  });
});

describe("a file in a request", () => {
  const file = (bytes: number) => Buffer.alloc(bytes, 9).toString("base64");

  test.each([
    ["just over the limit", file(4_097), true],
    ["at the limit", file(4_096), false],
    ["with a line break", `${file(6_000).slice(0, 76)}\n${file(6_000).slice(76)}`, false],
    ["with a data: prefix", `data:image/png;base64,${file(6_000)}`, false],
    ["of another alphabet", file(6_000).replaceAll("J", "_"), false],
    ["with bits left over", `${file(6_001).slice(0, -4)}CR==`, false],
    ["plain words", "two words ".repeat(1_000), false],
  ])("%s: stripped %s", async (_what, text, elided) => {
    const kept = await stripFiles({ deep: [{ text }] });
    const mark = { elided: "base64", bytes: 4_097, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(kept).toEqual({ deep: [{ text: elided ? mark : text }] });
  });
});

test.each([
  ["GET", "letters/get/77", null, "letters letters.get"],
  ["GET", "letters/get/77.json", null, "letters letters.get"],
  ["POST", "letters/get/77", null, "letters custom"],
  ["GET", "users/me", null, "authentication users.me"],
  ["GET", "users/me", "account", "account account"],
  ["POST", "selections/new", null, "selections selections.create"],
  ["GET", "recipients/list", "letters.create", "recipients recipients.list"],
  ["GET", "recipients/list", "no.such", "recipients recipients.list"],
  ["GET", "Events/other/1/2", null, "events custom"],
  ["GET", "unheard/of", "letters.list", "objects custom"],
])("category and preset of %s %s made from %s: %s", (method, path, presetId, expected) => {
  const { category, preset } = findCategoryAndPreset(method, path, presetId);
  expect(`${category} ${preset}`).toBe(expected);
});
