import { BROWSE_TEMPLATES, formatTemplatesFailed, TEMPLATE_FAILURES } from "~/builder/forms/messages";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";

test.use({ expectedErrors: /status of 502 .*\/api\/stannp/ });
test.beforeEach(async ({ page }) => signIn(page));

test("a template is chosen from the provider's list, after one try that failed", async ({
  page,
  mailroom,
}) => {
  mailroom.provider.fail({ kind: "status", status: 500, path: "templates/list" });
  await page.goto("/?preset=postcards.create");
  await page.locator('[name="field.size"]').selectOption("6x9");
  const browse = page.getByRole("button", { name: BROWSE_TEMPLATES });
  await browse.click();
  await expect(page.getByText(formatTemplatesFailed(TEMPLATE_FAILURES.fetch))).toBeVisible();
  await browse.click();
  const fitting = page.getByRole("list", { name: "Templates", exact: true });
  await expect(fitting.getByRole("listitem")).toHaveText([/^Welcome aboard/]);
  await fitting.getByRole("button", { name: "Welcome aboard" }).click();
  await expect(page.locator('[name="field.template"]')).toHaveValue("21002");
  await expect(page.locator('[name="field.size"]')).toHaveValue("6x9");
});
