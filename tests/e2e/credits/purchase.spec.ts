import type { Page } from "playwright/test";
import { formatShort } from "~/builder/page/use-send-controls";
import { CANCELED_MESSAGE, PAID_MESSAGE } from "~/credits/messages";
import { FRONT, fillPostcard } from "../builder/fill-postcard";
import { makeList, pasteRows } from "../bulk/list-steps";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";
import { readCredits, setCredits } from "./credit-balance";

test.use({ expectedErrors: /402.*\/api\/stannp|400.*\/users|alarm\.payment_refunded/ });
test.beforeEach(async ({ page, mailroom }) => {
  mailroom.stripe.webhooks.mode = "delivered";
  await signIn(page);
  await setCredits(page, 0);
});

/** Opens Stripe's page for a purchase; returns the id of its session there. */
async function openPayPage(page: Page): Promise<string> {
  await page.goto("/users?view=purchase");
  await page.getByRole("button", { name: "Buy 100 credits for $9.99" }).click();
  await page.waitForURL(/\/c\/pay\//);
  return page.url().split("/").at(-1) ?? "";
}

test("pay: the credits are added and the address is clean @plain", async ({ page, mailroom }) => {
  await openPayPage(page);
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByText(PAID_MESSAGE)).toBeVisible();
  expect(new URL(page.url()).search).not.toMatch(/success|checkout/);
  await mailroom.stripe.webhooks.settle();
  expect(await readCredits(page)).toMatchObject({ credits: 100, held: 0 });
  await page.reload();
  await expect(page.getByText(PAID_MESSAGE)).toBeHidden();
});

test("a refund at Stripe is flagged on the purchase, and the credits stay", async ({ page, mailroom }) => {
  const session = await openPayPage(page);
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByText(PAID_MESSAGE)).toBeVisible();
  mailroom.stripe.account.refund(session);
  await mailroom.stripe.webhooks.settle();
  await page.goto("/users?view=history&type=purchase");
  await expect(page.getByRole("row").nth(1)).toContainText("(refunded at Stripe)");
  await page.goto("/purchases");
  await page.getByRole("link", { name: "Refunded or disputed" }).click();
  await page
    .getByRole("row", { name: /Refunded/ })
    .getByRole("link")
    .click();
  await page.getByRole("link", { name: "Receipt" }).click();
  await expect(page.getByRole("heading", { name: "Receipt" })).toBeVisible();
  await page.goto("/users");
  await page.getByRole("link", { name: "See what needs a decision" }).click();
  await expect(page.getByRole("heading", { name: "A payment was refunded" }).first()).toBeVisible();
  expect(await readCredits(page)).toMatchObject({ credits: 100 });
});

test("cancel: nothing is charged, and the page says so once", async ({ page }) => {
  await openPayPage(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText(CANCELED_MESSAGE)).toBeVisible();
  await expect(page).toHaveURL(/\/users\?view=purchase$/);
  expect(await readCredits(page)).toMatchObject({ credits: 0 });
  await page.reload();
  await expect(page.getByText(CANCELED_MESSAGE)).toHaveCount(0);
});

test("paid later: being confirmed until Stripe confirms, without a step of the buyer's", async ({
  page,
  mailroom: { stripe },
}) => {
  const session = await openPayPage(page);
  stripe.account.payLater(session);
  await page.goto(stripe.sessions.get(session)?.success_url?.replace("{CHECKOUT_SESSION_ID}", session) ?? "");
  await expect(
    page.getByText("Stripe is still confirming your payment. The credits follow; do not pay again."),
  ).toBeVisible();
  stripe.account.settle(session, "succeeded");
  await expect(page.getByText(PAID_MESSAGE)).toBeVisible();
  expect(await readCredits(page)).toMatchObject({ credits: 100 });
});

test("bought for a list: the missing credits are shown before and after, with the way back", async ({
  page,
}) => {
  const list = await makeList(page, "Hello");
  await pasteRows(page, 3);
  // The notice of a low balance has a link of this name too.
  await page.locator('a[href*="list="]', { hasText: "Buy credits" }).click();
  await expect(page.getByText(/needs 3 credits more\. One purchase adds 100\./)).toBeVisible();
  await page.getByRole("button", { name: "Buy 100 credits for $9.99" }).click();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByText(PAID_MESSAGE)).toBeVisible();
  await expect(page.getByText(/enough credits for the list/)).toBeVisible();
  await page.getByRole("link", { name: "Back to the list" }).click();
  await expect(page).toHaveURL(list);
});

test("bought for a piece without enough credits: back to the same draft", async ({ page, mailroom }) => {
  await fillPostcard(page, { message: "Grüße, naïve café ☕" });
  await page.locator('[name="field.front"]').setInputFiles(FRONT);
  await page.getByRole("button", { name: "Live", exact: true }).click();
  const before = mailroom.provider.pieces.length;
  await expect(page.getByText(formatShort(1, 0))).toBeVisible();
  await expect(page.getByRole("button", { name: /^Send LIVE/ })).toHaveCount(0);

  await page.getByRole("button", { name: "Buy 100 credits for $9.99" }).click();
  await expect(page.getByText("You will return to your draft after the payment.")).toBeVisible();
  await page.getByRole("button", { name: "Buy 100 credits for $9.99" }).click();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByText(PAID_MESSAGE)).toBeVisible();
  await expect(page.locator('[name="field.message"]')).toHaveValue("Grüße, naïve café ☕");
  await expect(page.getByText("front.png").first()).toBeVisible();
  expect(mailroom.provider.pieces.length).toBe(before);

  // A piece in live mode is a test again after the payment.
  await expect(page.getByRole("button", { name: "Test", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await page.getByRole("button", { name: /^Send LIVE: postcard 4x6 to .+: 1 credit, leaves 99/ }).click();
  await expect(page.getByText("1 credit charged. Balance 99.")).toBeVisible();
  expect(mailroom.provider.pieces.length).toBe(before + 1);
});
