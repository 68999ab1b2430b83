import { describe, expect, test } from "vitest";
import { addEntry, type HistoryEntry, parseHistory } from "~/builder/history/history";
import { groupPresets } from "~/builder/page/preset-rail";
import { isRefused, parseAnswer } from "~/builder/send/answer";
import { CATEGORIES } from "~/catalogue/categories";
import { PRESETS } from "~/catalogue/presets";

const entry = (ts: number): HistoryEntry => ({
  ts,
  method: "GET",
  path: `a/${ts}`,
  status: 200,
});

describe("the answer of POST /api/stannp", () => {
  const answered = { status: 200, durationMs: 3, text: "{}", headers: {} };

  test("is the provider's answer if there is one", () => {
    const read = parseAnswer(200, JSON.stringify(answered));
    expect(read).toMatchObject({ kind: "answered", response: answered });
    expect(parseAnswer(202, JSON.stringify({ ...answered, pending: true })).kind).toBe("answered");
  });

  test("is otherwise a failure with the known facts of the call", () => {
    const late = { ...answered, status: null, error: "Nothing came back within 60 s." };
    const known = { response: late, httpStatus: 504 };
    expect(parseAnswer(504, JSON.stringify(late))).toEqual({ kind: "failed", message: late.error, ...known });
  });

  test.each([
    [400, '{"error":"The path is empty."}', "The path is empty."],
    [500, '{"other":1}', "Request failed with status 500"],
  ])("says what is wrong with %i %s", (status, text, message) => {
    const words = typeof message === "string" ? message : expect.stringMatching(message);
    const nothing = { response: null, httpStatus: null };
    expect(parseAnswer(status, text)).toEqual({ kind: "failed", message: words, ...nothing });
  });
});

describe("a send that can be retried with a new key", () => {
  const credits = { success: false, error: "Nothing was charged." };
  const refused = { durationMs: 1, error: "no", credits };

  test.each<[boolean, number, object]>([
    [true, 200, refused],
    [true, 502, refused],
    [true, 503, { success: false, error: "The database is not available." }],
    [false, 200, { ...refused, error: null, credits: { success: true } }],
    [false, 202, { ...refused, pending: true }],
    [false, 200, { ...refused, credits: { ...credits, pending: true } }],
    [false, 409, { success: false, error: "The same request is being sent right now." }],
    [false, 503, { message: "a gateway's own words" }],
    [false, 200, { durationMs: 1, error: "no", credits: null }],
  ])("%s: %i %j", (expected, status, body) => {
    expect(isRefused(parseAnswer(status, JSON.stringify(body)))).toBe(expected);
  });

  test("is unknown from a gateway's page", () => {
    expect(isRefused(parseAnswer(503, "<html><h1>503</h1>"))).toBe(false);
  });
});

describe("History", () => {
  test("keeps 50 entries, the newest first", () => {
    const history = Array.from({ length: 60 }).reduce<HistoryEntry[]>(
      (kept, _, at) => addEntry(kept, entry(at)),
      [],
    );
    expect(history).toHaveLength(50);
    expect(history[0]?.ts).toBe(59);
  });

  test("keeps only the part of a request that its line shows", () => {
    const text = JSON.stringify([{ ...entry(1), draft: { values: { message: "Dear Jane" } } }]);
    expect(parseHistory(text, 0)).toEqual([entry(1)]);
  });

  test.each([null, "", "{", "7", '[{"ts":"x"}]'])("counts unreadable storage %j as empty", (text) => {
    expect(parseHistory(text, 0)).toEqual([]);
  });

  test("drops entries after 30 days", () => {
    const days = (count: number) => count * 86_400_000;
    const text = JSON.stringify([entry(days(40)), entry(days(10))]);
    expect(parseHistory(text, days(41)).map(({ ts }) => ts)).toEqual([days(40)]);
  });
});

test("the preset search finds every word in any of label, path, method and category", () => {
  const presets = PRESETS.map((preset) => ({ ...preset, scope: "read" as const }));
  const find = (words: string, category = "") =>
    groupPresets(presets, [...CATEGORIES], words, category).flatMap((group) =>
      group.presets.map(({ id }) => id),
    );
  expect(find("")).toHaveLength(PRESETS.length);
  expect(find("LETTER post create")).toEqual(["letters.create"]);
  expect(find("balance")).toEqual(["account.balance"]);
  expect(find("", "account")).toContain("account.balance");
  expect(find("letters nothing")).toEqual([]);
});
