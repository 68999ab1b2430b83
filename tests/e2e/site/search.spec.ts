import { randomBytes } from "node:crypto";
import type { Page } from "playwright/test";
import { listViolations } from "../accessibility";
import { setCredits } from "../credits/credit-balance";
import { expect, openReady, test } from "../fixtures";
import { mail } from "../mail/mailed";
import { signIn } from "../sign-in";
import { storeResponse } from "../stored/stored-rows";

/** Creates a word of letters that no other scenario uses. */
function makeWord(): string {
  return [...randomBytes(9)].map((byte) => "bcdfghjklm"[byte % 10]).join("");
}

/** Types into the search of a page and waits for its results. */
async function searchFor(page: Page, text: string, script: boolean): Promise<void> {
  if (script) {
    await expect(page.locator("html[data-script=ready]")).toBeAttached();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search for" }).fill(text);
    await expect(page.getByRole("option").first()).toBeVisible();
  } else {
    await page.getByRole("textbox", { name: "Search everything" }).fill(text);
    await page.getByRole("textbox", { name: "Search everything" }).press("Enter");
  }
}

test("the status of a postcard to a person takes three actions from any page @plain", async ({
  page,
  javaScriptEnabled,
}) => {
  const script = javaScriptEnabled !== false;
  await signIn(page);
  const name = makeWord();
  await setCredits(page, 5);
  const { id } = await mail(page, "postcard", name);
  await page.goto("/users");
  await searchFor(page, `jane ${name.slice(0, -1)}`, script);
  if (script) {
    expect(await listViolations(page)).toEqual([]);
    await page.keyboard.press("Enter");
  } else await page.getByRole("link", { name: `Postcard to Jane ${name}` }).click();
  await expect(page).toHaveURL(new RegExp(`/sends/${id}$`));
  await expect(page.getByRole("heading", { level: 1 })).toContainText("ostcard");
});

test("a pasted id opens its page, and no address has a name", async ({ page }) => {
  await signIn(page);
  const name = makeWord();
  await setCredits(page, 5);
  const { id } = await mail(page, "postcard", name);
  await page.goto("/search");
  const field = page.getByRole("textbox", { name: "Search for" });
  await field.fill(`xx${name}`);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(page.getByText("Nothing found")).toBeVisible();
  expect(page.url()).not.toContain(name);
  await field.fill(`mailroom-${id}`);
  await field.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/sends/${id}$`));
});

test("shortcuts work in tabs and lists, ignore typed text, and can be switched off", async ({ page }) => {
  const { keyboard } = page;
  await signIn(page);
  for (const path of ["account/balance", "account/usage"]) {
    await storeResponse(page, { path });
  }
  await openReady(page, "/users");
  await keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(dialog).toBeVisible();
  expect(await listViolations(page)).toEqual([]);
  await keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await keyboard.press("g");
  await keyboard.press("s");
  await expect(page).toHaveURL(/\/stored$/);

  await page.getByRole("heading", { level: 1, name: "Stored Responses" }).waitFor();
  await keyboard.press("/");
  await keyboard.type("g?j/x");
  await expect(page.getByRole("searchbox", { name: "Search" })).toHaveValue("g?j/x");
  await page.getByRole("searchbox", { name: "Search" }).blur();
  const rows = page.getByRole("region", { name: "Stored responses" }).locator("[data-row]");
  await keyboard.press("j");
  await expect(rows.first()).toBeFocused();
  await keyboard.press("j");
  await expect(rows.nth(1)).toBeFocused();
  await keyboard.press("x");
  await expect(rows.nth(1).getByRole("checkbox")).toBeChecked();
  await keyboard.press("Enter");
  await expect(page).toHaveURL(/\/stored\/\w+$/);

  await keyboard.press("?");
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await expect(dialog.getByRole("button", { name: "Turn on" })).toBeVisible();
  await keyboard.press("Escape");
  await keyboard.press("g");
  await keyboard.press("m");
  await keyboard.press("?");
  await expect(dialog).toHaveCount(0);
  await keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Search" })).toBeVisible();
  await expect(page).toHaveURL(/\/stored\/\w+$/);
});
