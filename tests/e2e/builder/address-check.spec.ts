import type { Page } from "playwright/test";
import { ADDRESS_CHANGED, ADDRESS_NOT_REAL, ADDRESS_WORDS } from "~/builder/forms/address-check-panel";
import { formatUncheckedCountry } from "~/builder/send/check-address";
import { listViolations } from "../accessibility";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";
import { fillRecipient } from "./fill-postcard";

const ELM = { address1: "12 Elm Street", city: "Portland", state: "OR", postcode: "97205" };

test.use({ expectedErrors: /50\d.*\/api\/stannp/ });
test.beforeEach(async ({ page }) => signIn(page));

const field = (page: Page, name: string) => page.locator(`[name="field.${name}"]`);
const panel = (page: Page) => page.locator("#address-check");
const check = (page: Page) => page.getByRole("button", { name: "Check address" }).click();

const fillAddress = (page: Page, changes: Record<string, string> = {}) =>
  fillRecipient(page, { ...ELM, ...changes });

test("a valid address is shown as valid, with the source of that result", async ({ page, mailroom }) => {
  await page.goto("/?preset=letters.create");
  await field(page, "content").fill("Dear Jane");
  await fillAddress(page);
  const history = page.getByRole("link", { name: "History" });
  const before = await history.textContent();
  await check(page);
  await expect(panel(page).getByText("Valid", { exact: true })).toBeVisible();
  await expect(panel(page)).toContainText(ADDRESS_NOT_REAL);
  const request = mailroom.provider.received.findLast(({ path }) => path === "addresses/validate");
  expect(request).toMatchObject({ method: "POST", body: { ...ELM, country: "US" } });
  expect(request?.headers["content-type"]).toContain("application/x-www-form-urlencoded");
  await expect(history).toHaveText(before ?? "");
  await expect(field(page, "content")).toHaveValue("Dear Jane");
});

test("a correction is shown part by part, also on a small phone, and fills the form", async ({ page }) => {
  await page.goto("/?preset=postcards.create");
  await field(page, "message").fill("Dear Jane");
  await fillAddress(page, { address1: "12 Elm St" });
  await page.setViewportSize({ width: 360, height: 740 });
  await check(page);
  await expect(panel(page).getByText(ADDRESS_WORDS.corrected)).toBeVisible();
  const overflow = await page.locator("body").evaluate((body) => body.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  expect(await listViolations(page, "#address-check")).toEqual([]);
  await expect(panel(page).getByLabel("Corrections")).toContainText(
    /Address line 1: 12 Elm St.*becomes.*12 Elm Street/,
  );
  await page.getByRole("button", { name: "Use this address" }).press("Enter");
  await expect(page.getByRole("button", { name: "Check address" })).toBeFocused();
  await expect(field(page, "recipient_address1")).toHaveValue("12 Elm Street");
  await expect(field(page, "recipient_city")).toHaveValue("Portland");
  await expect(field(page, "message")).toHaveValue("Dear Jane");
  await expect(panel(page).getByText("Valid", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Use this address" })).toHaveCount(0);

  await field(page, "recipient_city").fill("Salem");
  await expect(panel(page)).toContainText(ADDRESS_CHANGED);
});

test("a provider without an answer, or without one for this country, is reported, and nothing is lost", async ({
  page,
  mailroom,
}) => {
  await page.goto("/?preset=postcards.create");
  await fillAddress(page);
  mailroom.provider.fail({ kind: "status", status: 500, path: "addresses/validate" });
  await check(page);
  await expect(panel(page).getByText("Cannot be checked")).toBeVisible();
  await expect(panel(page).getByRole("status")).toContainText(/Cannot be checked.+\w/);
  await expect(field(page, "recipient_address1")).toHaveValue(ELM.address1);
  await check(page);
  await expect(panel(page).getByText("Valid", { exact: true })).toBeVisible();

  mailroom.provider.fail({ kind: "reset-before", path: "addresses/validate" });
  await check(page);
  await expect(panel(page).getByText("Cannot be checked")).toBeVisible();

  const before = mailroom.provider.received.length;
  await field(page, "recipient_country").selectOption("FR");
  await check(page);
  await expect(panel(page)).toContainText(formatUncheckedCountry("FR"));
  expect(mailroom.provider.received.length).toBe(before);
});
