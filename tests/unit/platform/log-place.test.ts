import { expect, test } from "vitest";
import { findPlace } from "~/platform/log.server";

test("the log has the place where an error was thrown, and no part of its message", () => {
  const error = new Error("secret\n    at secret (secret.js:1:1)");
  expect(findPlace(error)).toContain("log-place.test");
  expect(findPlace(error)).not.toContain("secret");
  const other = new Error("key");
  other.message = "changed since";
  expect(String(findPlace(other))).not.toContain("key");
  expect(findPlace("secret")).toBeNull();
});
