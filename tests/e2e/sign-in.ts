import type { Page } from "playwright/test";

/** Signs in by two clicks: Log in, then the person on the local identity provider's page. */
export async function signIn(page: Page, person = "Ana Ruiz"): Promise<void> {
  await page.goto("/");
  await page.getByRole("link", { name: "Log in", exact: true }).click();
  await page.getByRole("button", { name: person }).click();
  await page.getByRole("link", { name: "Log out" }).waitFor();
}
