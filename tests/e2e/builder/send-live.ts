import type { Page } from "playwright/test";

/** Sends the piece that the page shows as live. */
export async function sendLive(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Send LIVE: (postcard|letter)/ }).click();
}
