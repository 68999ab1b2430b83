import { CANNOT_REOPEN } from "~/builder/draft/messages";
import { START_TITLE } from "~/builder/page/start-panel";
import { expect, sendRequest, test } from "../fixtures";
import { signIn } from "../sign-in";

test.use({ expectedErrors: /status of 503/ });
test.beforeEach(async ({ page }) => signIn(page));

test("the first screen links to a postcard", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { name: START_TITLE })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Recent pieces" })).toBeHidden();
  await page.getByRole("link", { name: /^Postcard/ }).click();
  await expect(page).toHaveURL(/preset=postcards\.create/);
});

test("User Credits says what to set, on every subtab, and so do pages that show nothing else", async ({
  page,
}) => {
  for (const view of ["users", "users?view=purchase", "users?view=manage", "users?view=history", "alarms"]) {
    await page.goto(`/${view}`);
    await expect(page.getByRole("main")).toContainText("Database Not Configured");
    await expect(page.getByRole("main")).toContainText("POSTGRES_URL or DATABASE_URL");
  }
  await expect(page).toHaveTitle("Database Not Configured · Mailroom");
});

test("Stored Responses says what to set, and the Builder works", async ({ page }) => {
  await page.goto("/stored");
  await expect(page.getByRole("heading", { name: "Stored Responses" })).toBeVisible();
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("Database Not Configured.");
  for (const text of [
    "Database connection not available",
    "MAILROOM_DATABASE_URL",
    "POSTGRES_URL",
    "DATABASE_URL",
    "Tables are created on first save",
  ]) {
    await expect(alert).toContainText(text);
  }
  await page.goto("/?preset=recipients.list");
  await sendRequest(page);
  await expect(page.getByRole("region", { name: "Save Response" })).toContainText("Database Not Configured.");
  await page.goto("/?response=0123456789abcdef");
  await expect(page.getByText(CANNOT_REOPEN)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Send( test)?$/ })).toBeVisible();
});
