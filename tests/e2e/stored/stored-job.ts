import type { Page } from "playwright/test";
import type { MailProvider } from "../../emulators/mail-provider";
import { expect } from "../fixtures";

/**
 * The main job of the stored responses: a sent request is stored automatically, found, viewed, opened again
 * unchanged, and deleted. With and without JavaScript, on both databases.
 */
export async function doStoredJob(page: Page, provider: MailProvider): Promise<void> {
  await page.goto("/?preset=recipients.list");
  await page.getByLabel("Limit").fill("3");
  await page.getByRole("link", { name: "Query Params" }).click();
  await page.getByLabel("Query parameter name 1").fill("trace");
  await page.getByLabel("Query parameter value 1").fill("a b&c");
  await page.getByRole("button", { name: /^Send( test)?$/ }).click();
  const panel = page.getByRole("region", { name: "Save Response" });
  await expect(panel.getByText("Auto-saved")).toBeVisible();
  await panel.getByText("Save a copy").click();
  await expect(panel.getByRole("button", { name: "Save Additional Copy" })).toBeVisible();
  const first = provider.received.at(-1);

  await panel.getByRole("link", { name: "Stored response" }).click();
  await expect(page.getByRole("heading", { name: "GET recipients/list" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Tag auto-saved" })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "a b&c" })).toBeVisible();
  const address = page.url();

  await page.getByRole("link", { name: "Open in Builder" }).click();
  await expect(page.getByText("Opened as it was sent.")).toBeVisible();
  await expect(page.getByLabel("Limit")).toHaveValue("3");
  const sent = provider.received.length;
  await page.getByRole("button", { name: /^Send( test)?$/ }).click();
  // The answer of the first request is shown until then.
  await expect.poll(() => provider.received.length).toBe(sent + 1);
  await expect(page.getByText("200 OK")).toBeVisible();
  expect(provider.received.at(-1)).toMatchObject({ path: first?.path, query: first?.query });

  await page.goto(address);
  await page.getByRole("link", { name: "Run again" }).click();
  await expect(page.getByText("New request.")).toBeVisible();

  await page.goto("/stored?tag=auto-saved&search=RECIPIENTS/li");
  const rows = page.getByRole("region", { name: "Stored responses" }).getByRole("listitem");
  const before = await rows.count();
  expect(before).toBeGreaterThanOrEqual(2);
  await expect(page.getByText(`Showing ${before} of ${before} responses`)).toBeVisible();
  await expect(rows.first()).toContainText("Ana Ruiz");
  await expect(rows.first()).toContainText("Recipients · List recipients");
  await rows.first().getByRole("link", { name: /^View/ }).click();
  await expect(rows.first().getByRole("region", { name: /^Request of/ })).toContainText('limit: "3"');
  await expect(rows.first().getByRole("region", { name: /^Response of/ })).toContainText("3 items");

  await rows
    .first()
    .getByRole("link", { name: /^Delete/ })
    .click();
  await expect(rows.first()).toContainText("It is deleted for everyone and cannot be restored.");
  await rows.first().getByRole("button", { name: "Delete this response" }).click();
  await expect(page.getByText("Deleted from the stored responses.")).toBeVisible();
  await expect(rows).toHaveCount(before - 1);
  await expect(page).toHaveURL(/search=RECIPIENTS/);
}
