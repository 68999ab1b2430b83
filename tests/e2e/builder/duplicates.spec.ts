import { randomUUID } from "node:crypto";
import type { Page } from "playwright/test";
import { setCredits } from "../credits/credit-balance";
import { expect, type RunningConsole, test } from "../fixtures";
import { signIn } from "../sign-in";
import { fillPostcard } from "./fill-postcard";
import { sendLive } from "./send-live";

const SENT_BEFORE =
  /^Ana Ruiz sent this postcard to this address (just now|1 minute ago) \(mail ID \d+\)\. Nothing was sent and nothing was charged\.$/;

test.use({ expectedErrors: /409.*\/api\/stannp/ });
test.beforeEach(async ({ page }) => {
  await signIn(page);
  await setCredits(page, 5);
});

const countMailed = ({ provider }: RunningConsole) => provider.pieces.filter((piece) => !piece.test).length;
const refusal = (page: Page) => page.getByRole("alert").filter({ hasText: "to this address" });

/** Mails a postcard with this text and opens the form again with the same one. */
async function mailAndFillAgain(page: Page, message: string): Promise<void> {
  await fillPostcard(page, { message });
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await sendLive(page);
  await expect(page.getByText("1 credit charged. Balance 4.")).toBeVisible();
  await fillPostcard(page, { message });
}

test("a duplicate is refused with its sender and time, and can be confirmed", async ({ page, mailroom }) => {
  await mailAndFillAgain(page, `Twice ${randomUUID()}`);
  const before = countMailed(mailroom);
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await sendLive(page);
  await expect(refusal(page)).toHaveText(SENT_BEFORE);
  expect(countMailed(mailroom)).toBe(before);
  const first = mailroom.provider.pieces.at(-1)?.id;
  await expect(refusal(page)).toContainText(`item ${first}`);

  await page.getByRole("button", { name: /^Send anyway: postcard 4x6 to .+: 1 credit, leaves 3$/ }).click();
  await expect(page.getByText("1 credit charged. Balance 3.")).toBeVisible();
  await expect(refusal(page)).toHaveCount(0);
  expect(countMailed(mailroom)).toBe(before + 1);
});
