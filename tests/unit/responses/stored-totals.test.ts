import { expect, test } from "vitest";
import { sumStats } from "~/responses/stats/stats.server";
import { formatStrippedFiles, parseStoredRequest } from "~/responses/stored-response";
import { formatTags, parseTags } from "~/responses/tag-list";

test("200 and 201 are successful, 400 and above are errors, no status is neither", () => {
  const by_status = { "200": 5, "201": 2, "204": 1, "302": 1, "399": 1, "400": 3, "599": 1, "0": 9, none: 4 };
  const sums = { total: 27, successful: 7, errors: 4, recent: 6 };
  expect(sumStats({ total: 27, by_status, recent_count: 6 })).toEqual(sums);
});

test("a sentence replaces each stripped file and nothing else", () => {
  const file = { elided: "base64", bytes: 240_113, sha256: "ab" };
  expect(formatStrippedFiles({ pages: [{ file }], elided: "base64" })).toEqual({
    pages: [{ file: "(file of 240,113 bytes, not kept; SHA-256 ab)" }],
    elided: "base64",
  });
});

test("a request of another shape is not a stored request", () => {
  const noPath = { method: "GET" };
  const wrong = [null, "GET /x", [], noPath, { ...noPath, path: "" }, { method: 1, path: "x" }];
  for (const data of wrong) expect(parseStoredRequest(data)).toBeNull();
  const whole = { base: "", method: "POST", path: "x", query: { a: "1" }, headers: {}, body: null };
  expect(parseStoredRequest({ method: "post", path: "x", query: { a: 1 } })).toEqual(whole);
});

test("tags are words between commas, each once; one in quotes may have commas", () => {
  expect(parseTags(' a, b c,, ,a ,é, "d, e" ,"f,a')).toEqual(["a", "b c", "é", "d, e", '"f']);
  const words = ["a, b", 'the "c", d', '"', "e f"];
  expect(parseTags(formatTags(words))).toEqual(words);
});
