import { KEEP_AS_TEMPLATE } from "~/builder/forms/team-template-form";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";

test.use({ expectedErrors: /status of 502 .*\/api\/stannp/ });
test.beforeEach(async ({ page }) => signIn(page));

test("a draft is saved for the team during writing, and opens without its recipient", async ({
  page,
  mailroom,
}) => {
  const before = mailroom.provider.received.length;
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
  const sent = mailroom.provider.received.slice(before).filter(({ path }) => path === "letters/create");
  expect(sent).toEqual([]);
});
