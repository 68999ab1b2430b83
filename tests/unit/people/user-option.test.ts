import { describe, expect, test } from "vitest";
import { chooseUser, formatUserOption, orderUserOptions, type UserOption } from "~/people/user-option";

const beta = { id: "2", display_name: "beta", username: "beta" };
const alpha = { id: "1", display_name: "Alpha", username: "alpha" };
const ecole = { id: "4", display_name: "École", username: "ecole" };
const zoe = { id: "3", display_name: "Zoë", username: "zoe" };
const person = { id: "auth-7", displayName: "Mia", email: "mia@example.com" };

describe("the user list", () => {
  test("is ordered by display name in natural order", () => {
    expect(orderUserOptions([zoe, beta, ecole, alpha], null)).toEqual([alpha, beta, ecole, zoe]);
  });

  test("has a stored signed-in user first, marked, and once", () => {
    const own = { id: "auth-7", display_name: "Stored name", username: "mia" };
    const marked = { ...own, isAuthenticatedUser: true };
    expect(orderUserOptions([beta, own, alpha], person)).toEqual([marked, alpha, beta]);
  });

  test("has a placeholder with zero credits for a signed-in user who is not stored", () => {
    const named = { id: "auth-7", display_name: "Mia", username: "mia@example.com" };
    const placeholder = { ...named, isAuthenticatedUser: true, credits: 0 };
    expect(orderUserOptions([alpha], person)).toEqual([placeholder, alpha]);
  });
});

describe("the current user", () => {
  const own: UserOption = { id: "auth-7", display_name: "Mia", username: "mia", isAuthenticatedUser: true };

  test.each<[string, UserOption[], string | null, string | null]>([
    ["the remembered one", [own, alpha, beta], "2", "2"],
    ["the signed-in one when the remembered one is gone", [alpha, own, beta], "99", "auth-7"],
    ["the signed-in one when none is remembered", [alpha, own], null, "auth-7"],
    ["the first without a session", [alpha, beta], null, "1"],
    ["none in an empty list", [], "1", null],
  ])("is %s", (_name, options, remembered, expected) => {
    expect(chooseUser(options, remembered)?.id ?? null).toBe(expected);
  });
});

test("the signed-in user is marked once", () => {
  expect(formatUserOption({ ...zoe, isAuthenticatedUser: true })).toBe("Zoë (You), zoe");
  expect(formatUserOption({ ...zoe, display_name: "You", isAuthenticatedUser: true })).toBe("You, zoe");
  expect(formatUserOption(zoe)).toBe("Zoë, zoe");
});
