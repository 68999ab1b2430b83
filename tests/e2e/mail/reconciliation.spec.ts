import type { Page } from "playwright/test";
import { signInWithCredits } from "../credits/credit-balance";
import { expect, openReady, test } from "../fixtures";
import { mail } from "./mailed";

test.use({ expectedErrors: /40[0-9].*\/mail\/reconciliation/ });
test.beforeEach(({ page }) => signInWithCredits(page));

const LISTS = /^reporting\/list/;

function lineOf(page: Page, mailId: number) {
  return page.getByRole("listitem").filter({ hasText: `mail ID ${mailId}` });
}

test("differences are found in both directions, with a way to fix them", async ({ page, mailroom }) => {
  const removed = await mail(page, "letter", "Compared");
  const stopped = await mail(page, "postcard", "Compared");
  const right = await mail(page, "postcard", "Compared");
  mailroom.provider.remove(removed.mailId);
  mailroom.provider.move(stopped.mailId, "cancelled");
  const countCalls = () => mailroom.provider.received.filter(({ path }) => LISTS.test(path)).length;
  const before = countCalls();
  await page.goto("/mail");
  await page.getByRole("link", { name: "Reconciliation", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Reconciliation" })).toBeVisible();
  expect(countCalls()).toBe(before);

  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByRole("alert")).toContainText(/\d+ differences found\. \d+ pieces? match/);
  const statement = page.getByRole("region", { name: "Statement" });
  await expect(statement.getByRole("row", { name: /^Pieces charged/ })).not.toContainText("—");
  const missing = page.getByRole("region", { name: "Charged here, not at the provider" });
  await expect(lineOf(page, removed.mailId)).toContainText("the provider lists no such letter.");
  await expect(lineOf(page, removed.mailId)).toContainText("compare again tomorrow");
  await expect(missing).toContainText(String(removed.mailId));
  const differs = page.getByRole("region", { name: "Cost or status differs" });
  await expect(differs).toContainText(String(stopped.mailId));
  await expect(lineOf(page, stopped.mailId)).toContainText("Refresh its status in Mail Management");
  for (const part of [missing, differs]) await expect(part).not.toContainText(String(right.mailId));
  const foreign = page.getByRole("region", { name: "Not from Mailroom", exact: true });
  await expect(foreign.getByRole("row", { name: /loyalty/ })).toBeVisible();
  await expect(foreign).not.toContainText(String(right.mailId));

  await lineOf(page, removed.mailId).getByRole("link", { name: "View piece" }).click();
  await expect(page).toHaveURL(new RegExp(`/sends/${removed.id}$`));
});

test("a long comparison says so", async ({ page, mailroom }) => {
  await openReady(page, "/mail/reconciliation");
  const held = mailroom.provider.fail({ kind: "hold", path: LISTS, times: "always" });
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Fetching the provider's list" })).toBeVisible();
  await expect(page.getByText(/^\d+ s of at most 20$/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Compare" })).toBeDisabled();
  held.release();
  await expect(page.getByRole("alert")).toContainText(/pieces? match(es)? the provider's list/);
  await expect(page.getByText("Fetching the provider's list...")).toBeHidden();
});
