import { NO_CONTENT } from "~/builder/forms/checklist";
import { PREVIEW_NOT_SENT } from "~/builder/forms/mail-preview";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";

/** A mail form with a body edited by hand: its fields are not what will be sent. */
test("with a body edited by hand the preview says what it shows, and nothing is marked ready", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/?preset=postcards.create#body");
  const warning = page.getByText(PREVIEW_NOT_SENT);
  const readiness = page.getByRole("region", { name: "Readiness" });
  await expect(readiness).toContainText("2 issue(s) need attention");
  await expect(warning).toHaveCount(0);

  await page.getByLabel("JSON body").fill('{"size":"6x9","test":true,"template":"1","recipient":"1001"}');
  await expect(warning).toHaveCount(1);
  await expect(warning).toBeVisible();
  await expect(readiness).toContainText(NO_CONTENT.postcard);
  await expect(readiness).not.toContainText(/need attention|Ready to/);

  await page.getByRole("link", { name: "Postcard Form" }).click();
  await page.locator('[name="field.template"]').fill("21001");
  await page.locator('[name="field.recipient"]').fill("1001");
  await expect(readiness).toContainText("Content: template 21001");
  await expect(readiness).not.toContainText(/need attention|Ready to/);

  await page.getByRole("button", { name: "Use the form again" }).first().click();
  await expect(readiness).toContainText("Ready to create postcard!");
  await expect(warning).toHaveCount(0);
});
