import type { Page } from "playwright/test";

/** Opens every folded part of the form. */
export async function unfold(page: Page): Promise<void> {
  await page.locator("form details").evaluateAll((parts) => {
    for (const part of parts as HTMLDetailsElement[]) part.open = true;
  });
}

/** Switches a mail form to a new recipient. */
export async function chooseNewRecipient(page: Page): Promise<void> {
  await page.getByRole("group", { name: "Saved or new recipient" }).getByText("New", { exact: true }).click();
}
