import { expect, test } from "vitest";
import { safeReturnPath } from "~/platform/http/origin.server";

test.each([
  ["/users?view=history#top", "/users?view=history#top"],
  ["http://localhost:3000/mail", "/mail"],
  ["stored", "/stored"],
])("%s is an address of our own", (address, path) => {
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
])("%j leads nowhere but home", (address) => {
  expect(safeReturnPath(address)).toBe("/");
});
