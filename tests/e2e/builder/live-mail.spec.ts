import { randomUUID } from "node:crypto";
import type { Page } from "playwright/test";
import { formatBalance, PIECE_STATES } from "~/builder/answer/answer-view";
import { MODE_MESSAGES } from "~/builder/draft/messages";
import { RETRIED_WITH_KEY } from "~/pieces/messages";
import { readCredits, signInWithCredits } from "../credits/credit-balance";
import { expect, test } from "../fixtures";
import { fillPostcard } from "./fill-postcard";

test.use({ expectedErrors: /40[249].*\/(api\/stannp|sends)|alarm.mailed_as_test/ });
test.beforeEach(({ page }) => signInWithCredits(page));

const sendLive = (page: Page) => page.getByRole("button", { name: /^Send LIVE: postcard/ }).click();

test("a live postcard shows its price first, is charged once, and has its own page", async ({
  page,
  mailroom,
}) => {
  await fillPostcard(page);
  await page.getByRole("button", { name: "Live", exact: true }).click();
  const before = mailroom.provider.pieces.length;
  await sendLive(page);
  await expect(page.getByText("1 credit charged. Balance 4.")).toBeVisible();
  await expect(page.getByRole("banner").getByRole("link", { name: "4 credits" })).toBeVisible();
  expect(mailroom.provider.pieces.at(-1)).toMatchObject({ type: "postcard", test: false });

  await page.getByRole("button", { name: /^Send LIVE: postcard 4x6 to .+: 1 credit, leaves 3/ }).click();
  await expect(page.getByText(RETRIED_WITH_KEY)).toBeVisible();
  await expect(page.getByText("1 credit charged by the first send, none now.")).toBeVisible();
  expect(mailroom.provider.pieces.length).toBe(before + 1);

  await page.getByRole("link", { name: "View piece" }).click();
  await expect(
    page.getByText(/^The provider accepted this postcard\. Ana Ruiz was charged 1 credit\./),
  ).toBeVisible();
});

test("no key sends live mail: its button must be pressed", async ({ page, mailroom }) => {
  await fillPostcard(page);
  await page.getByRole("button", { name: "Live", exact: true }).click();
  const before = mailroom.provider.received.length;
  await page.locator('[name="field.message"]').press("Control+Enter");
  await expect(page.getByText(MODE_MESSAGES.not_by_shortcut)).toBeVisible();
  await page.locator('[name="field.recipient"]').press("Enter");
  await page.locator('[name="field.recipient"]').press("Meta+Enter");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.locator('[name="field.message"]').press("Control+Enter");
  await expect(page.getByText("200 OK")).toBeVisible();
  const sent = mailroom.provider.received.slice(before).filter(({ path }) => path === "postcards/create");
  expect(sent.map(({ body }) => body?.test)).toEqual([true]);
});

test("the Builder shows the outcome automatically", async ({ page, mailroom }) => {
  await fillPostcard(page);
  await page.getByRole("button", { name: "Live", exact: true }).click();
  const fault = mailroom.provider.fail({ kind: "reset-after", path: "postcards/create", times: "always" });
  await sendLive(page);
  await expect(page.getByText(formatBalance(5, 1).trim())).toBeVisible();
  await expect(page.getByRole("banner").getByRole("link", { name: "1 reserved" })).toBeVisible();
  const outcome = page.getByRole("region", { name: "Outcome" });
  await expect(outcome.getByText(/checking/i)).toHaveCount(1);
  await expect(outcome).not.toContainText(PIECE_STATES.sent);
  fault.release();
  await expect(page.getByText(/Mailed\. The provider accepted this postcard/)).toBeVisible();
  await expect(outcome).not.toContainText(PIECE_STATES.checking);
  await expect(page.getByRole("banner").getByRole("link", { name: "4 credits" })).toBeVisible();
});

test("a refusal charges nothing, gives its reason, and can be sent again", async ({ page, mailroom }) => {
  await fillPostcard(page, { recipient: "99999999" });
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await sendLive(page);
  await expect(page.getByRole("alert").filter({ hasText: "Recipient not found" })).toBeVisible();
  await expect(
    page.getByText("Nothing was charged: the provider refused this postcard: Recipient not found."),
  ).toBeVisible();
  expect(await readCredits(page)).toMatchObject({ credits: 5, held: 0 });

  const before = mailroom.provider.received.length;
  await page.getByRole("button", { name: /^Send LIVE: postcard/ }).click();
  await expect.poll(() => mailroom.provider.received.length).toBe(before + 1);
});

test("a test that the provider mailed is charged, and announced", async ({ page, mailroom }) => {
  await fillPostcard(page);
  mailroom.provider.fail({ kind: "answer-live", path: "postcards/create", times: 1 });
  await page.getByRole("button", { name: /^Send( test)?$/ }).click();
  await expect(
    page.getByText("The provider mailed this postcard although a test was requested."),
  ).toBeVisible();
  await expect(page.getByText("1 credit charged. Balance 4.")).toBeVisible();
});

test("a duplicate is refused with its sender and time, and can be confirmed", async ({ page, mailroom }) => {
  const piece = { message: `Twice ${randomUUID()}` };
  await fillPostcard(page, piece);
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await sendLive(page);
  await expect(page.getByText("1 credit charged. Balance 4.")).toBeVisible();
  const first = mailroom.provider.pieces.at(-1)?.id;
  const before = mailroom.provider.pieces.length;
  await fillPostcard(page, piece);
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await sendLive(page);
  const refusal = page.getByRole("alert").filter({ hasText: "to this address" });
  await expect(refusal).toHaveText(
    /^Ana Ruiz sent this postcard to this address (just now|1 minute ago) \(mail ID \d+\)\. Nothing was sent and nothing was charged\.$/,
  );
  await expect(refusal).toContainText(`mail ID ${first}`);
  expect(mailroom.provider.pieces.length).toBe(before);

  await page.getByRole("button", { name: /^Send anyway: postcard 4x6 to .+: 1 credit, leaves 3$/ }).click();
  await expect(page.getByText("1 credit charged. Balance 3.")).toBeVisible();
  await expect(refusal).toHaveCount(0);
  expect(mailroom.provider.pieces.length).toBe(before + 1);
});
