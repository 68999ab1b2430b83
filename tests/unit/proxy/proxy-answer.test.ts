import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatRefusalReason, isSuccess, parseProviderBody } from "~/outside/mail-provider/call/answer";
import { formatNonJson } from "~/outside/mail-provider/call/non-json";
import { formatUnanswered } from "~/proxy/answer-call.server";
import { formatAnswer, formatHint, writeAnswer } from "~/proxy/format-answer.server";

const REST = {
  status: 200,
  text: "",
  error: null,
  durationMs: 1,
  url: "u",
  request: { method: "GET", url: "u", headers: {}, body: null },
  headers: {},
  hint: null,
  credits: null,
};

describe("data", () => {
  test.each([
    ['{"success":true,"data":[ {"id":1.50} ]}', '[ {"id":1.50} ]'],
    ['{"success":false,"error":"no"}', '{"success":false,"error":"no"}'],
    ['{"data":{"status":"ok"}}', '{"data":{"status":"ok"}}'],
    ["[1]", "[1]"],
    ["12345678901234567890", "12345678901234567890"],
    ["<html>", "null"],
    ["", "null"],
  ])("%s gives %s", (text, dataText) => {
    expect(parseProviderBody(text).dataText).toBe(dataText);
  });

  test("is inserted as text so that the answer equals its serialised form", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.boolean(), async (data, enveloped) => {
        const text = JSON.stringify(enveloped ? { success: true, data } : { data });
        const call = { method: "GET", path: "recipients/list" };
        const provided = { status: 200, text, durationMs: 1, headers: {} };
        const written = writeAnswer(await formatAnswer(provided, call, REST.request));
        const answer = JSON.parse(written);
        expect(answer).toEqual({
          ...REST,
          text,
          data: JSON.parse(JSON.stringify(enveloped ? data : { data })),
        });
      }),
    );
  });
});

describe("success", () => {
  test.each([
    [200, '{"success":true,"data":1}', undefined, true],
    [204, "", undefined, true],
    [200, '{"data":{}}', undefined, true],
    [200, '{"success":false,"error":"x"}', undefined, false],
    [409, '{"success":true,"data":{}}', undefined, true],
    [409, '{"success":false}', undefined, false],
    [409, "", undefined, false],
    [200, "<html>", "text/html", false],
    [200, "\ufffdPNG", "image/png", true],
    [302, "{}", undefined, false],
    [404, '{"success":true}', undefined, false],
    [500, '{"success":true}', undefined, false],
  ])("%i %s: %s", (status, text, type, expected) => {
    expect(isSuccess(status, parseProviderBody(text), type)).toBe(expected);
  });

  test.each([
    [200, '{"success":false,"error":"Failed to download"}', "Failed to download"],
    [400, '{"message":"Bad size"}', "Bad size"],
    [422, '{"error":{"size":"bad"}}', '{"size":"bad"}'],
    [500, "{}", "Request failed with status 500"],
    [500, "", "Request failed with status 500"],
    [302, "", "The provider answered with a redirect (302), which is not followed."],
    [
      502,
      "<html>502 Bad Gateway</html>",
      "Server error: The API server is temporarily unavailable. Please try again in a moment.",
    ],
    [200, "oops", "Invalid JSON response: oops"],
  ])("%i %s has the error '%s'", (status, text, expected) => {
    expect(formatRefusalReason(status, parseProviderBody(text))).toBe(expected);
  });
});

test("an answer that is not JSON is quoted, truncated", () => {
  expect(formatNonJson(`<!DOCTYPE html>${"x".repeat(400)}`)).toBe(
    `Server returned HTML instead of JSON: <!DOCTYPE html>${"x".repeat(285)}`,
  );
  expect(formatNonJson("y".repeat(600))).toBe(`Invalid JSON response: ${"y".repeat(500)}`);
  expect(formatNonJson("<h1>413 Request Entity Too Large</h1>")).toMatch(
    /^Request too large: .*reduce image sizes or content/,
  );
  expect(formatNonJson(" ")).toBe("Failed to parse response: the answer is empty.");
});

const answered = { method: "GET", path: "x/y", status: 404, success: false, headers: {} };
test.each<[string, Partial<Parameters<typeof formatHint>[0]>, string]>([
  [
    "the documented path of a renamed preset",
    { method: "POST", path: "recipients/create" },
    "POST recipients/new",
  ],
  ["a call that the provider does not document", { path: "objects/get/7" }, "not in the provider's public"],
  ["a path that nothing knows", { path: "nowhere/at/all" }, "Check the path"],
  ["a rate limit", { status: 429, headers: { "x-ratelimit-reset": "46" } }, "Try again in 46 s"],
  ["a rate limit of unknown length", { status: 429 }, "Try again in a minute"],
  ["a replay", { status: 409, success: true }, "returned its first answer"],
  ["a key that is refused", { status: 401 }, "STANNP_API_KEY"],
  ["a redirect", { status: 302 }, "never followed"],
])("the hint names %s", (_what, changes, words) => {
  expect(formatHint({ ...answered, ...changes })).toContain(words);
});
test("a success needs no hint", () => {
  expect(formatHint({ ...answered, status: 200, success: true })).toBeNull();
});

describe("formatUnanswered", () => {
  const testCall = { method: "POST", kind: "mail" } as const;
  const listing = { method: "GET", kind: "free" } as const;

  test("describes the effect of other calls", () => {
    const create = { ...listing, method: "POST" };
    expect(formatUnanswered({ kind: "timeout" }, listing, 2_000)).toMatchObject({
      httpStatus: 504,
      error: "The provider did not answer within 2 s. Nothing was changed and nothing was charged.",
    });
    expect(formatUnanswered({ kind: "cut_off" }, create, 1).error).toContain("may still have carried it out");
    expect(formatUnanswered({ kind: "stopped" }, testCall, 1)).toMatchObject({ httpStatus: 502 });
    expect(formatUnanswered({ kind: "stopped" }, testCall, 1).error).toContain("nothing was mailed");
  });
});
