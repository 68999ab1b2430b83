import { START_TITLE } from "~/builder/start/messages";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";

test("the first screen leads to a postcard also while nothing can be listed", async ({ page }) => {
  await signIn(page);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: START_TITLE })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Recent pieces" })).toBeHidden();
  await page.getByRole("link", { name: /^Send a postcard/ }).click();
  await expect(page).toHaveURL(/preset=postcards\.create/);
});
