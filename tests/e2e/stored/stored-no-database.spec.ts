import { CANNOT_REOPEN } from "~/builder/reopen/messages";
import { expect, sendRequest, test } from "../fixtures";
import { signIn } from "../sign-in";

test.use({ expectedErrors: /status of 503/ });

test("without a database the tab says what to set, and the Builder goes on", async ({ page }) => {
  await signIn(page);
  await page.goto("/stored");
  await expect(page.getByRole("heading", { name: "Stored Responses" })).toBeVisible();
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("Database Not Configured.");
  for (const said of [
    "Database connection not available",
    "MAILROOM_DATABASE_URL",
    "POSTGRES_URL",
    "DATABASE_URL",
    "Tables are created on first save",
  ]) {
    await expect(alert).toContainText(said);
  }
  await page.goto("/?preset=recipients.list");
  await sendRequest(page);
  await expect(page.getByRole("region", { name: "Save Response" })).toContainText("Database Not Configured.");
  await page.goto("/?response=0123456789abcdef");
  await expect(page.getByText(CANNOT_REOPEN)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Send( test)?$/ })).toBeVisible();
});
