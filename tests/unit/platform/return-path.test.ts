import { expect, test } from "vitest";
import { safeReturnPath } from "~/platform/http/security.server";

test.each([
  ["/users?view=history#top", "/users?view=history#top"],
  ["http://localhost:3000/mail", "/mail"],
  ["stored", "/stored"],
])("%s is a local address", (address, path) => {
  expect(safeReturnPath(address)).toBe(path);
});

test.each([
  null,
  "http://evil.example/",
  "//evil.example",
  "/.//evil.example",
  "/profile/..//evil.example",
  "http://localhost:3000//evil.example",
  "/\\evil.example",
  "/\tmail",
  "/mail\u0000",
  "javascript:alert(1)",
  "http://localhost:3000@evil.example/",
  "http://localhost:3001/",
])("%j becomes the home page", (address) => {
  expect(safeReturnPath(address)).toBe("/");
});

test("no address redirects to another site", () => {
  const attacks = String.raw`https://evil.example ///evil.example ////evil.example/%2e%2e \\evil.example
    /..//evil.example /%2e//evil.example http://localhost:3000.evil.example/ http://localhost:30001/
    https://localhost:3000/ http:evil.example http:///evil.example data:text/html,<script>alert(1)</script>`;
  for (const attack of [
    ...attacks.split(/\s+/),
    "/\t/evil.example",
    "/\n/evil.example",
    "\0//evil.example",
  ]) {
    const path = safeReturnPath(attack);
    expect(new URL(path, "http://localhost:3000").origin, attack).toBe("http://localhost:3000");
    expect(path).not.toMatch(/[\r\n]/);
  }
});
