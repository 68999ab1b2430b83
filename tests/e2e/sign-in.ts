import type { Page } from "playwright/test";
import { DEFAULT_USERS, type IdentityUser } from "../emulators/identity-users";
import { makeSessionCookie } from "../support/console/session-cookie";

/** Whom the identity provider of this worker can log in; may grow. */
export const PEOPLE: IdentityUser[] = [...DEFAULT_USERS];

/**
 * Signs a person in with a session of their own, as the console makes it after a login, without the login's four
 * pages. Where the way through the identity provider is what matters: {@link logIn}.
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

/** Opens the menu of the person who is signed in, in the header. */
export async function openPersonMenu(page: Page): Promise<void> {
  await personMenu(page).click();
}

const personMenu = (page: Page) => page.locator("[popovertarget=person-menu]");
