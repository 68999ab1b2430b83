import { expect, test } from "../fixtures";
import { logIn, signIn } from "../sign-in";

test("who is refused by the identity provider sees an Auth Error and the way back in", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Log in", exact: true }).click();
  await page.getByRole("button", { name: "Priya Raman" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Auth Error" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Log in", exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a viewer without a name is called You", async ({ page }) => {
  await logIn(page, "Guest");
  await expect(page.getByRole("banner").getByRole("button", { name: "You" })).toBeVisible();
  await expect(page.getByLabel("Current user")).toContainText("You, authenticated");
});

test("the profile asks for a login first, and comes back to the profile", async ({ page }) => {
  await page.goto("/profile");
  await page.getByRole("button", { name: "Zoë Müller" }).click();
  await expect(page.getByRole("heading", { name: "Zoë Müller" })).toBeVisible();
  await expect(page.getByRole("main").getByText("zoe@example.org")).toBeVisible();
});

test("a link on another site asks before it logs anyone out", async ({ page, mailroom }) => {
  await signIn(page);
  await page.goto(`data:text/html,<a href="${mailroom.origin}/api/auth/logout">prize</a>`);
  await page.getByRole("link", { name: "prize" }).click();
  await expect(page.getByRole("heading", { name: "Log out?" })).toBeVisible();
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page.getByRole("link", { name: "Log in", exact: true })).toBeVisible();
});
