import type { Page } from "playwright/test";
import { expect } from "../fixtures";

/** Without JavaScript the page learns on the way that this is live, and keeps it back until it has said so. */
export async function sendLive(page: Page, javaScriptEnabled: boolean | undefined): Promise<void> {
  const live = page.getByRole("button", { name: /^Send LIVE: (postcard|letter)/ });
  if (javaScriptEnabled === false) {
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(page.getByRole("alert").filter({ hasText: "This is live mail" })).toBeVisible();
  }
  await live.click();
}
