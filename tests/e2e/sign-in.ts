import type { Page } from "playwright/test";
import { DEFAULT_USERS, type IdentityUser } from "../emulators/identity-users";
import { makeSessionCookie } from "../support/console/session-cookie";

/** The people whom this worker's identity provider can log in; tests may add more. */
export const PEOPLE: IdentityUser[] = [...DEFAULT_USERS];

/**
 * Signs a person in with a session cookie in the console's own format, without the four pages of a login. Tests of
 * the login itself use {@link logIn}.
 */
export async function signIn(page: Page, person = "Ana Ruiz"): Promise<void> {
  const known = PEOPLE.find(({ label }) => label === person);
  if (!known) throw new Error(`The identity provider does not know ${person}.`);
  const { name = null, email = null, email_verified = false, picture = null } = known.claims;
  const line = await makeSessionCookie(known.subject, {
    name,
    email,
    emailVerified: email_verified,
    picture,
  });
  const at = line.indexOf("=");
  await page.context().addCookies([
    {
      name: line.slice(0, at),
      value: line.slice(at + 1),
      domain: "localhost",
      path: "/",
      httpOnly: true,
      sameSite: "Lax",
    },
  ]);
}

/** Logs in by two clicks: Log in, then the person on the local identity provider's page. Ends on the first page. */
export async function logIn(page: Page, person = "Ana Ruiz"): Promise<void> {
  await page.goto("/");
  await page.getByRole("link", { name: "Log in", exact: true }).click();
  await page.getByRole("button", { name: person }).click();
  await personMenu(page).waitFor();
}

/** Opens the menu of the signed-in person in the header. */
export async function openPersonMenu(page: Page): Promise<void> {
  await personMenu(page).click();
}

const personMenu = (page: Page) => page.locator("[popovertarget=person-menu]");
