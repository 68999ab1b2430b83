import { buffer } from "node:stream/consumers";
import PdfDocument from "pdfkit";
import type { Page } from "playwright/test";
import { FAULT_NOT_ALLOWED } from "~/builder/draft/messages";
import { SEND_WITH_FAULT } from "~/builder/send/send-bar";
import { setCredits } from "../credits/credit-balance";
import { expect, openReady, test } from "../fixtures";
import { signIn } from "../sign-in";
import { fillRecipient } from "./fill-postcard";

test("a letter's PDF with an old address asks before it is sent live; a clean one does not", async ({
  page,
}) => {
  await signIn(page);
  await setCredits(page, 5);
  await openReady(page, "/?preset=letters.create");
  await fillRecipient(page, { postcode: "972" });
  const readiness = page.getByRole("region", { name: "Readiness" });
  await readiness.getByRole("link", { name: '"972" is not a valid US postcode' }).click();
  await expect(page.locator('[name="field.recipient_postcode"]')).toBeFocused();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("97205");
  await expect(readiness.getByRole("link", { name: "postcode" })).toHaveCount(0);

  await attach(page, await makeLetter("Mrs Old Address", 60, 90));
  await expect(readiness).toContainText('Page 1 has text in the address zone: "Mrs Old Address".');
  await expect(readiness).toContainText("lacks the typeface Helvetica");
  await page.getByRole("button", { name: "Live", exact: true }).click();
  const send = page.getByRole("button", { name: /^Send LIVE: letter/ });
  await expect(send).toBeDisabled();
  await expect(send).toHaveAttribute("title", FAULT_NOT_ALLOWED);
  await page.getByRole("checkbox", { name: SEND_WITH_FAULT }).check();
  await expect(send).toBeEnabled();

  await attach(page, await makeLetter("Dear Jane", 90, 250));
  await expect(page.getByRole("checkbox", { name: SEND_WITH_FAULT })).toHaveCount(0);
  await expect(send).toBeEnabled();
});

async function attach(page: Page, buffer: Buffer): Promise<void> {
  const file = { name: "letter.pdf", mimeType: "application/pdf", buffer };
  await page.locator('[name="field.file"]').setInputFiles(file);
}

async function makeLetter(text: string, x: number, y: number): Promise<Buffer> {
  const document = new PdfDocument({ size: "LETTER" });
  document.fontSize(12).text(text, x, y);
  document.end();
  return buffer(document);
}
