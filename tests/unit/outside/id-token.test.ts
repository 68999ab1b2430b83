import { expect, test } from "vitest";
import { parseIdToken } from "~/outside/identity/profile.server";
import { SignInError } from "~/outside/identity/sign-in-problem";

const NOW = 1_800_000_000_000;
const EXPECTED = { issuer: "https://id.example", clientId: "mailroom", nonce: "n-1" };
const CLAIMS = {
  iss: "https://id.example",
  sub: "ana",
  aud: "mailroom",
  nonce: "n-1",
  exp: NOW / 1000 + 300,
};

function read(change: Record<string, unknown>): string {
  const payload = Buffer.from(JSON.stringify({ ...CLAIMS, ...change })).toString("base64url");
  return parseIdToken(`e30.${payload}.`, EXPECTED, NOW).subject;
}

test("the ID token of this login tells who it is", () => {
  expect(read({})).toBe("ana");
  expect(read({ aud: ["other", "mailroom"] })).toBe("ana");
  // Clocks differ a little.
  expect(read({ exp: NOW / 1000 - 30 })).toBe("ana");
});

test.each([
  { exp: NOW / 1000 - 61 },
  { exp: undefined },
  { exp: "never" },
  { nonce: "n-2" },
  { nonce: undefined },
  { nonce: "" },
  { aud: "other" },
  { iss: "https://evil.example" },
])("an ID token with %o is refused", (change) => {
  expect(() => read(change)).toThrow(SignInError);
});
