import { expect, test } from "../fixtures";

test("a person whom the identity provider refuses sees an Auth Error and the way to sign in again", async ({
  page,
}) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Log in", exact: true }).click();
  await page.getByRole("button", { name: "Priya Raman" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Auth Error" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Log in", exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("alert")).toHaveCount(0);
});
