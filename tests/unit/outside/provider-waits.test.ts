import fc from "fast-check";
import { expect, test } from "vitest";
import { findRate, noteRate } from "~/outside/mail-provider/call/rate.server";
import { parseResetSeconds, parseWaitSeconds } from "~/outside/mail-provider/call/rate-limit";
import { env } from "~/platform/env.server";

const NOW = Date.UTC(2026, 10, 22, 12);
const reset = (text: string, name = "x-ratelimit-reset") => ({ [name]: text });

test.each([
  ["46", 46],
  ["0", 1],
  ["46.2", 47],
  [String(NOW / 1000 + 46), 46],
  [String(NOW + 46_000), 46],
  [String(NOW / 1000 - 46), 1],
  ["301", 300],
  ["86400", 300],
  [String(NOW / 1000 + 86_400), 300],
  ["3570000000", 300],
])("a reset of %s is a wait of %d s", (text, seconds) => {
  expect(parseResetSeconds(reset(text), NOW)).toBe(seconds);
});

test.each(["-46", "", "soon", "Infinity", "1e9", "NaN"])("a reset of %j says nothing: a minute", (text) => {
  expect(parseResetSeconds(reset(text), NOW)).toBeNull();
  expect(parseWaitSeconds(reset(text), NOW)).toBe(60);
});

test.each([
  ["17", 17],
  [new Date(NOW + 17_000).toUTCString(), 17],
  [new Date(NOW + 3_600_000).toUTCString(), 300],
])("Retry-After of %s is a wait of %d s, where there is no reset", (text, seconds) => {
  expect(parseWaitSeconds(reset(text, "retry-after"), NOW)).toBe(seconds);
  expect(parseWaitSeconds({ ...reset(text, "retry-after"), ...reset("-1") }, NOW)).toBe(seconds);
  expect(parseWaitSeconds({ ...reset(text, "retry-after"), ...reset("5") }, NOW)).toBe(5);
});

test("no header makes anybody wait for longer than five minutes, or not at all", () => {
  const text = fc.oneof(fc.string(), fc.maxSafeInteger().map(String), fc.double().map(String));
  fc.assert(
    fc.property(text, (said) => {
      const seconds = parseWaitSeconds(reset(said), NOW);
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(300);
    }),
  );
});

test("a rate is believed until the minute ends, however its end is spelt", () => {
  const { url } = env().baseUrls[0];
  for (const text of ["46", String(NOW / 1000 + 46), String(NOW + 46_000)]) {
    const headers = { "x-ratelimit-limit": "300", "x-ratelimit-remaining": "7", ...reset(text) };
    noteRate(`${url}/users/me`, headers, NOW);
    expect(findRate(url, NOW + 45_000)).toEqual({ limit: 300, left: 7 });
    expect(findRate(url, NOW + 46_000)).toBeNull();
  }
});
