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

function read(change: Record<string, unknown>, maxAgeMs: number | null = null) {
  const payload = Buffer.from(JSON.stringify({ ...CLAIMS, ...change })).toString("base64url");
  return parseIdToken(`e30.${payload}.`, { ...EXPECTED, maxAgeMs }, NOW);
}

test("a requested recent authentication must be in the token, and be recent", () => {
  const readTime = (auth_time: number | undefined, maxAgeMs: number | null) =>
    read({ auth_time }, maxAgeMs).signedInAt;
  const ago = (seconds: number) => NOW / 1000 - seconds;
  expect(readTime(ago(900), 900_000)).toBe(NOW - 900_000);
  expect(() => readTime(ago(961), 900_000)).toThrow("auth_time_old");
  expect(() => readTime(undefined, 900_000)).toThrow("auth_time_missing");
  // Otherwise the time of the login counts, and a fast clock does not extend it.
  expect([readTime(undefined, null), readTime(ago(7_200), null), readTime(ago(-3_600), null)]).toEqual([
    NOW,
    NOW - 7_200_000,
    NOW,
  ]);
});

test("the ID token of this login names the person", () => {
  expect(read({}).subject).toBe("ana");
  expect(read({ aud: ["other", "mailroom"] }).subject).toBe("ana");
  // Clocks may differ by a few seconds.
  expect(read({ exp: NOW / 1000 - 30 }).subject).toBe("ana");
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
