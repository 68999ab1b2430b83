import type { Request } from "express";
import { expect, test } from "vitest";
import { EnvironmentError, parseEnvironment } from "~/platform/env.server";
import { DEFAULT_RATES } from "~/platform/env-variables.server";
import { formatCaller, shortenAddress } from "~/platform/http/rate-limits.server";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:db8:1:2::1", "2001:db8:1:2"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["", ""],
])("the address %s counts as %s", (address, counted) => {
  expect(shortenAddress(address)).toBe(counted);
});

test("an X-Forwarded-For that is not an address does not count as a caller", async () => {
  const socket = { remoteAddress: "::ffff:192.0.2.7" };
  for (const [ip, caller] of [
    ["198.51.100.4", "address 198.51.100.4"],
    ["made-up", "address 192.0.2.7"],
    ["198.51.100.4:1234", "address 192.0.2.7"],
    [undefined, "address 192.0.2.7"],
  ]) {
    const request = { ip, socket, get: () => undefined } as unknown as Request;
    expect(await formatCaller(request, () => null), ip).toBe(caller);
  }
});

test("limits are set by kind, or switched off", () => {
  expect(parseEnvironment({}).rateLimits).toEqual(DEFAULT_RATES);
  expect(parseEnvironment({ RATE_LIMITS: "off" }).rateLimits).toBeNull();
  expect(parseEnvironment({ RATE_LIMITS: "read=5, sign-in=7" }).rateLimits).toEqual({
    ...DEFAULT_RATES,
    read: 5,
    "sign-in": 7,
  });
  for (const wrong of ["read", "read=0", "reads=5", "read=5;send=6", "toString=5"]) {
    expect(() => parseEnvironment({ RATE_LIMITS: wrong }), wrong).toThrow(EnvironmentError);
  }
});
