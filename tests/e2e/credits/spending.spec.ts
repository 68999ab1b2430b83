import { PAID_MESSAGE } from "~/credits/messages";
import { listViolations } from "../accessibility";
import { expect, test } from "../fixtures";
import { mail } from "../mail/mailed";
import { signIn } from "../sign-in";

test("a month's spending, and the purchase that paid for a piece, take three actions from any page", async ({
  page,
  mailroom,
  newcomer: { name, userId },
}) => {
  await signIn(page, name);
  await page.goto("/users?view=purchase");
  await page.getByRole("button", { name: "Buy 100 credits for $9.99" }).click();
  await page.waitForURL(/\/c\/pay\//);
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByText(PAID_MESSAGE)).toBeVisible();
  const { id } = await mail(page, "letter", "Spent");
  // A test counts in no month.
  await mail(page, "letter", "Tested", { test: true });
  const fault = mailroom.provider.fail({ kind: "reset-before", path: "letters/create", times: "always" });
  await mail(page, "letter", "Unsettled");

  await page.goto("/");
  await page.getByRole("link", { name: "User Credits" }).click();
  await page.getByRole("link", { name: "Spending" }).click();
  const month = new Date().toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
  await page.getByRole("link", { name: month, exact: true }).click();
  await expect(page).toHaveURL(/month=/);
  const spent = page.getByRole("region", { name: `Spending in ${month}` });
  const row = spent.getByRole("row").filter({ hasText: name }).filter({ hasText: "Letters" });
  await expect(row).toContainText("$0.0999");
  await expect(row.getByRole("link", { name: `pieces: letters of ${name}` })).toHaveText(/^1/);
  await expect(row.getByRole("link", { name: `credits: letters of ${name}` })).toHaveText(/^2/);
  await row.getByRole("link", { name: `pieces: letters of ${name}` }).click();
  await expect(page.locator(`a[href="/sends/${id}"]`).first()).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Jane" })).toHaveCount(1);

  await page.goto("/stored");
  await page.getByRole("link", { name: "Mail Management" }).click();
  await page.locator(`a[href="/sends/${id}"]`).first().click();
  await page.getByRole("link", { name: /^2 credits of the purchase of / }).click();
  await expect(page.getByRole("heading", { name: "100 credits for $9.99" })).toBeVisible();
  await expect(page.getByText("2 credits spent, 98 left.")).toBeVisible();
  await expect(page.getByText(/^cs_test_/)).toBeVisible();
  await expect(page.getByText(/^pi_/)).toBeVisible();
  // The checker itself is a script.
  expect(await listViolations(page)).toEqual([]);
  await page.getByRole("link", { name: "Letter to Jane Spent" }).click();
  await expect(page).toHaveURL(`/sends/${id}`);

  await page.goto(`/users?view=history&user_id=${userId}`);
  await page
    .getByRole("row")
    .filter({ hasText: "purchase" })
    .getByRole("link", { name: /bought/ })
    .click();
  await page.getByRole("link", { name: /^Row \d+$/ }).click();
  await expect(page).toHaveURL(/#entry-\d+$/);
  await expect(page.locator(`tr${new URL(page.url()).hash}`)).toContainText("100");
  fault.release();
});
