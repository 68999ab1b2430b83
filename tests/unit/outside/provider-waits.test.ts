import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { availableCapacity, findListWithRoom } from "~/bulk/sending/list-pace.server";
import { availableCalls, findRate, resetPaces, updatePace } from "~/outside/mail-provider/call/pace.server";
import { parseResetSeconds, parseWaitSeconds } from "~/outside/mail-provider/call/rate-headers";
import { env } from "~/platform/env.server";

const NOW = Date.UTC(2026, 10, 22, 12);
/** A time of `performance.now()`. */
const CLOCK = 1_000_000;
const { url } = env().baseUrls[0];
const reset = (text: string, name = "x-ratelimit-reset") => ({ [name]: text });
const answer = (status: number, headers: Record<string, string> = {}) =>
  updatePace(`${url}/users/me`, { status, headers }, CLOCK);

beforeEach(resetPaces);

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

test.each(["-46", "", "soon", "Infinity", "1e9", "NaN"])(
  "a reset of %j is invalid: wait a minute",
  (text) => {
    expect(parseResetSeconds(reset(text), NOW)).toBeNull();
    expect(parseWaitSeconds(reset(text), NOW)).toBe(60);
  },
);

test.each([
  ["17", 17],
  [new Date(NOW + 17_000).toUTCString(), 17],
  [new Date(NOW + 3_600_000).toUTCString(), 300],
])("Retry-After of %s is a wait of %d s, without a reset", (text, seconds) => {
  expect(parseWaitSeconds(reset(text, "retry-after"), NOW)).toBe(seconds);
  expect(parseWaitSeconds({ ...reset(text, "retry-after"), ...reset("-1") }, NOW)).toBe(seconds);
  expect(parseWaitSeconds({ ...reset(text, "retry-after"), ...reset("5") }, NOW)).toBe(5);
});

test("any header gives a wait above zero and up to five minutes", () => {
  const text = fc.oneof(fc.string(), fc.maxSafeInteger().map(String), fc.double().map(String));
  fc.assert(
    fc.property(text, (value) => {
      const seconds = parseWaitSeconds(reset(value), NOW);
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(300);
    }),
  );
});

test("a rate is valid until the minute ends", () => {
  answer(200, { "x-ratelimit-limit": "300", "x-ratelimit-remaining": "7", ...reset("46") });
  expect(findRate(url, CLOCK + 45_000)).toEqual({ limit: 300, left: 7 });
  expect(findRate(url, CLOCK + 46_000)).toBeNull();
});

test("a base URL that does not answer is called once at a time until it does", () => {
  for (let calls = 0; calls < 5; calls++) {
    expect(availableCalls(url, 8, CLOCK)).toBe(8);
    if (calls % 2 === 0) updatePace(`${url}/users/me`, null, CLOCK);
    else answer(503);
  }
  expect([availableCalls(url, 8, CLOCK), availableCalls(url, 0, CLOCK)]).toEqual([1, 0]);
  answer(404);
  expect(availableCalls(url, 8, CLOCK)).toBe(8);
});

test("failures among answers do not slow calls down", () => {
  for (let calls = 0; calls < 20; calls++) answer(calls % 4 === 3 ? 200 : 500);
  expect(availableCalls(url, 8, CLOCK)).toBe(8);
});

test("a base URL whose rate limit is used up gets no background call until it ends", () => {
  answer(429, reset("46"));
  expect([availableCalls(url, 8, CLOCK + 45_999), availableCalls(url, 8, CLOCK + 46_000)]).toEqual([0, 8]);
  expect(findListWithRoom([{ baseUrl: url }, { baseUrl: "b" }], () => 8)).toEqual({ baseUrl: "b", room: 8 });
});

test("a list leaves a third of the provider's rate limit to people", () => {
  const capacity = (left?: number) => {
    resetPaces();
    if (left !== undefined) {
      answer(200, { "x-ratelimit-limit": "300", "x-ratelimit-remaining": String(left), ...reset("46") });
    }
    return availableCapacity(url, 16, CLOCK);
  };
  expect([capacity(), capacity(300), capacity(105), capacity(90)]).toEqual([16, 16, 5, 0]);
});
