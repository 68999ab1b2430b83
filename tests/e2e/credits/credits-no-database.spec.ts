import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";

test("without a database the tab says what to set, on every subtab", async ({ page }) => {
  await signIn(page);
  for (const view of ["overview", "purchase", "manage", "history"]) {
    await page.goto(`/users?view=${view}`);
    await expect(page.getByRole("heading", { name: "User Credits" })).toBeVisible();
    await expect(page.getByRole("alert")).toContainText("Database connection not available");
    await expect(page.getByRole("alert")).toContainText("DATABASE_URL");
  }
});
