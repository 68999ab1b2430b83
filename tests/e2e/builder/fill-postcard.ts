import { randomUUID } from "node:crypto";
import type { Page } from "playwright/test";
import { makePng } from "../../support/files/sample-pictures";

/** A picture that prints sharp on a 4x6 postcard. */
export const FRONT = {
  name: "front.png",
  mimeType: "image/png",
  buffer: Buffer.from(makePng(1_872, 1_272)),
};

/** Opens the postcard form and fills it in; without a `message` the piece is new. */
export async function fillPostcard(
  page: Page,
  { recipient = "1001", message = `Piece ${randomUUID()}` } = {},
): Promise<void> {
  await page.goto("/?preset=postcards.create");
  await page.locator('[name="field.template"]').fill("21001");
  await page.locator('[name="field.recipient"]').fill(recipient);
  await page.locator('[name="field.message"]').fill(message);
}

/** Switches a mail form to a new recipient. */
export async function chooseNewRecipient(page: Page): Promise<void> {
  await page.getByRole("group", { name: "Saved or new recipient" }).getByText("New", { exact: true }).click();
}

export const JANE = {
  firstname: "Jane",
  lastname: "Smith",
  address1: "14 Mill Lane",
  city: "Portland",
  postcode: "97205",
  country: "US",
};

/** Fills in a new recipient. */
export async function fillRecipient(page: Page, changes: Record<string, string> = {}): Promise<void> {
  await chooseNewRecipient(page);
  for (const [name, value] of Object.entries({ ...JANE, ...changes })) {
    const field = page.locator(`[name="field.recipient_${name}"]`);
    await (name === "country" ? field.selectOption(value) : field.fill(value));
  }
}
