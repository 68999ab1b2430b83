import type { Page } from "playwright/test";
import { listViolations } from "../accessibility";
import { setCredits } from "../credits/credit-balance";
import { expect, openReady, sendRequest, test } from "../fixtures";
import { mail } from "../mail/mailed";
import { signIn } from "../sign-in";

const PAGES = `/ /?preset=postcards.create#body /?preset=letters.create /stored /users /users?view=purchase
  /users?view=manage /users?view=history /users?view=spending /purchases /mail /bulk /insights /alarms
  /api-log /webhooks /search?q=Looked-at /reference /profile /nowhere`.split(/\s+/);

/** Lists the pages of a live piece, and the pages that show it or its recipient with an open confirmation. */
async function listMailPages(page: Page): Promise<string[]> {
  await setCredits(page, 5);
  const { id } = await mail(page, "postcard", "Looked-at-with-a-rather-long-name");
  return [
    `/sends/${id}`,
    `/stored/${id}`,
    `/stored?open=${id}`,
    `/stored/compare?a=${id}&b=${id}`,
    `/?response=${id}`,
    `/mail?type=postcard&ask=cancel&item=${id}`,
    "/mail?type=recipient",
    "/mail/reconciliation",
  ];
}

test.use({ expectedErrors: /404.*nowhere|nowhere.*404/ });

const DESK = { width: 1440, height: 900 };
const SMALL_PHONE = { width: 360, height: 740 };

test("no screen has an accessibility fault, light or dark, or is wider than a small phone", async ({
  page,
}) => {
  await page.goto("/");
  expect(await listViolations(page)).toEqual([]);
  await signIn(page);
  for (const address of [...PAGES, ...(await listMailPages(page))]) {
    await test.step(address, async () => {
      await page.setViewportSize(SMALL_PHONE);
      await openReady(page, address);
      const overflow = await page
        .locator("html")
        .evaluate((html) => Math.max(html.scrollWidth, document.body.scrollWidth) - window.innerWidth);
      expect(overflow, address).toBeLessThanOrEqual(0);
      // The title row and the tabs.
      const header = await page.getByRole("banner").evaluate(({ clientHeight }) => clientHeight);
      expect(header, address).toBeLessThan(90);
      await page.setViewportSize(DESK);
      // Calls are alike: axe needs seconds for all of them.
      if (address === "/reference") {
        await page.locator("article ~ article").evaluateAll((others) => {
          for (const other of others) other.remove();
        });
      }
      expect(await listViolations(page)).toEqual([]);
    });
  }
  await page.goto("/?preset=recipients.list");
  await sendRequest(page);
  expect(await listViolations(page)).toEqual([]);
});

test("content wider than a small phone has a shade at its scrollable edge", async ({ page }) => {
  await page.setViewportSize(SMALL_PHONE);
  await signIn(page);
  await setCredits(page, 5);
  for (const address of ["/users?view=history", "/reference"]) {
    await page.goto(address);
    const [wide, unshaded] = await page.locator("main").evaluate((main) => {
      const scrolling = [...main.querySelectorAll("*")].filter(
        (place) =>
          /auto|scroll/.test(getComputedStyle(place).overflowX) &&
          place.tagName !== "TEXTAREA" &&
          place.scrollWidth > place.clientWidth,
      );
      const plain = scrolling.filter(
        (place) => !getComputedStyle(place).backgroundImage.includes("gradient"),
      );
      return [scrolling.length, plain.map(({ outerHTML }) => outerHTML.slice(0, 200))];
    });
    expect(wide, address).toBeGreaterThan(0);
    expect(unshaded, address).toEqual([]);
  }
});

test("the theme can be chosen, and stays", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/stored");
  await page.getByRole("button", { name: "Dark theme" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.reload();
  await expect(page.getByRole("button", { name: "Light theme" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Dark theme" })).toBeHidden();
});
