import { KEEP_AS_TEMPLATE } from "~/builder/forms/keep-template";
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

test("a draft is kept for the team while it is written, and opens without its recipient", async ({
  page,
  mailroom,
}) => {
  const asked = mailroom.provider.received.length;
  await page.goto("/?preset=letters.create");
  await page.locator('[name="field.content"]').fill("Dear {firstname}, welcome.");
  await page.locator('[name="field.recipient"]').fill("1001");
  await page.getByRole("heading", { name: KEEP_AS_TEMPLATE }).click();
  await page.getByRole("textbox", { name: "Name of the template" }).fill("Welcome letter");
  await page.keyboard.press("Enter");
  await expect(page.getByText('Kept as "Welcome letter".')).toBeVisible();
  await expect(page.locator('[name="field.recipient"]')).toHaveValue("1001");
  await page.goto("/");
  await page.getByRole("link", { name: "Welcome letter" }).click();
  await expect(page.locator('[name="field.content"]')).toHaveValue("Dear {firstname}, welcome.");
  await expect(page.locator('[name="field.recipient"]')).toHaveValue("");
  const sent = mailroom.provider.received.slice(asked).filter(({ path }) => path === "letters/create");
  expect(sent).toEqual([]);
});
