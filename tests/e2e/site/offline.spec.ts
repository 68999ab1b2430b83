import type { Page } from "playwright/test";
import { formatAdjustError } from "~/credits/messages";
import { formatFetchFailure, NETWORK_ERROR } from "~/ui/network-notice";
import { readCredits, signInWithCredits } from "../credits/credit-balance";
import { expect, openReady, test } from "../fixtures";
import { askIn, mail, rowOf } from "../mail/mailed";

/** Pages without a network stay open and say whether anything was changed. */

test.use({ expectedErrors: /ERR_(INTERNET_DISCONNECTED|FAILED)|^Failed to fetch manifest patches/ });
test.beforeEach(({ page }) => signInWithCredits(page));

const alert = (page: Page, text: string) => page.getByRole("alert").filter({ hasText: text });
const unchanged = (page: Page) => alert(page, `${NETWORK_ERROR} Nothing was changed.`);

test("credits are neither adjusted nor bought, and the input is sent once the network is back", async ({
  page,
  context,
}) => {
  await openReady(page, "/users?view=manage");
  await page.getByLabel("User", { exact: true }).selectOption("auth-ana");
  await page.getByLabel("Amount").fill("17");
  await page.getByLabel("Description").fill("Typed offline");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Add credits" }).click();
  await expect(unchanged(page)).toBeVisible();
  await expect(alert(page, formatAdjustError("add"))).toBeVisible();
  await expect(page.getByLabel("Description")).toHaveValue("Typed offline");
  // A page whose script is not loaded yet.
  await page.getByRole("link", { name: "Mail Management" }).click();
  await expect(alert(page, formatFetchFailure(null))).toBeVisible();
  await expect(page.getByLabel("Amount")).toHaveValue("17");

  await context.setOffline(false);
  await page.getByRole("button", { name: "Add credits" }).click();
  await expect(alert(page, "Successfully added 17 credits")).toBeVisible();
  await expect(unchanged(page)).toHaveCount(0);
  expect((await readCredits(page)).credits).toBe(22);

  await page.getByRole("link", { name: "Purchase Credits" }).click();
  await context.setOffline(true);
  await page.getByRole("button", { name: /^Buy 100 credits/ }).click();
  await expect(
    alert(page, "Failed to start checkout process: Failed to create checkout session"),
  ).toBeVisible();
  await expect(unchanged(page)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Buy 100 credits/ })).toBeEnabled();
  await context.setOffline(false);
  await page.getByRole("button", { name: /^Buy 100 credits/ }).click();
  await expect(page).toHaveURL(/\/pay\//);
});

test("mail is neither cancelled nor filtered, and a tab opens once the network is back", async ({
  page,
  context,
  mailroom,
}) => {
  const { mailId } = await mail(page, "letter", "Offline");
  await openReady(page, "/mail");
  const question = await askIn(page, mailId, "Cancel");
  await context.setOffline(true);
  await question.getByRole("button", { name: "Cancel Mail" }).click();
  await expect(unchanged(page)).toBeVisible();
  expect(mailroom.provider.pieces.find(({ id }) => id === mailId)?.status).toBe("received");
  await unchanged(page).getByRole("button", { name: "Close" }).click();

  await page.getByRole("searchbox", { name: "Search" }).fill("Offl");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(alert(page, formatFetchFailure(null))).toBeVisible();
  await expect(page.getByRole("searchbox", { name: "Search" })).toHaveValue("Offl");
  await expect(rowOf(page, mailId)).toBeVisible();
  await context.setOffline(false);
  await expect(page).toHaveURL(/q=Offl/);

  await context.setOffline(true);
  await page.getByRole("link", { name: "Stored Responses" }).click();
  await expect(alert(page, formatFetchFailure(null))).toBeVisible();
  await context.setOffline(false);
  await alert(page, formatFetchFailure(null)).getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("heading", { name: "Stored Responses" })).toBeVisible();
});

test("a draft stays when its user and base URL are changed offline", async ({ page, context }) => {
  await openReady(page, "/?preset=recipients.list");
  await page.getByRole("link", { name: /^Form Fields/ }).click();
  await page.getByLabel("Limit").fill("7");
  await context.setOffline(true);
  await page.getByText("Base URL:").click();
  await page.getByLabel("Base URL").selectOption("Global");
  await page.getByRole("link", { name: "User Credits" }).click();
  await expect(alert(page, formatFetchFailure(null))).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(unchanged(page)).toBeVisible();
  await expect(page.getByLabel("Limit")).toHaveValue("7");
  // Its editor cannot be loaded either, until the network is back.
  await page.getByRole("link", { name: "POST Create letter" }).click();
  await context.setOffline(false);
  await expect(page.getByLabel("Text content")).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Search" })).toBeVisible();
});

test("a form whose answer is lost may have been done, and is not sent again automatically", async ({
  page,
}) => {
  const { mailId } = await mail(page, "letter", "Lost");
  await openReady(page, "/mail");
  const question = await askIn(page, mailId, "Cancel");
  let posted = 0;
  await page.route(/\/mail\.data/, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    posted += 1;
    await route.fetch({ maxRedirects: 0 });
    return route.abort();
  });
  await question.getByRole("button", { name: "Cancel Mail" }).click();
  await expect(alert(page, "It may have been done, so check before you try again.")).toBeVisible();
  expect(posted).toBe(1);
  expect((await readCredits(page)).credits).toBe(5);
});
