import type { Locator, Page } from "playwright/test";
import { makeList, pasteRows } from "../bulk/list-steps";
import { setCredits } from "../credits/credit-balance";
import { expect, openReady, test } from "../fixtures";
import { mail } from "../mail/mailed";
import { signIn } from "../sign-in";

/** More stops than any page has. */
const MOST_STOPS = 250;

/** Moves the focus to an element with one key, as a person without a mouse does. */
async function goTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press(key);
    if (await target.evaluate((element) => element === document.activeElement)) {
      await expect(target).toBeInViewport();
      return;
    }
  }
  throw new Error(`${key} does not lead to ${target}`);
}

test("a postcard is found, written and tested with the keyboard only", async ({ page, mailroom }) => {
  const field = (name: string) => page.locator(`[name="field.${name}"]`);
  const { keyboard } = page;
  await signIn(page);
  await openReady(page, "/");
  await goTo(page, page.getByRole("link", { name: "Skip to the page" }));
  await keyboard.press("Enter");
  await goTo(page, page.getByRole("searchbox"));
  await keyboard.type("create postcard");
  const presets = page.getByRole("navigation", { name: "Endpoint presets" }).getByRole("link");
  await expect(presets).toHaveCount(1);
  await goTo(page, presets);
  await keyboard.press("Enter");

  await expect(field("size")).toHaveValue("4x6");
  await goTo(page, field("size"));
  await keyboard.press("ArrowDown");
  await goTo(page, field("message"));
  await keyboard.type("Written without a mouse");
  await goTo(page, field("template"));
  await keyboard.type("21001");
  await goTo(page, field("recipient"));
  await keyboard.type("1001");
  await goTo(page, page.locator("summary", { hasText: "Processing & Delivery" }));
  await keyboard.press("Enter");
  await goTo(page, field("clearzone"));
  await keyboard.press("ArrowUp");
  await goTo(page, page.getByRole("button", { name: /^Send( test)?$/ }));
  await keyboard.press("Enter");

  await expect(page.getByText("200 OK")).toBeVisible();
  const sent = mailroom.provider.received.findLast(({ path }) => path === "postcards/create");
  expect(sent?.body).toMatchObject({
    test: true,
    size: "6x9",
    template: "21001",
    message: "Written without a mouse",
    recipient: "1001",
  });
  expect(sent?.body).not.toHaveProperty("clearzone");
});

test("a skip link leads from the presets to the request", async ({ page }) => {
  await openReady(page, "/?preset=postcards.create");
  await goTo(page, page.getByRole("link", { name: "Skip the presets" }));
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Method")).toBeFocused();
});

test("the rows of a table are one stop of Tab, chosen by j and k and opened by Enter", async ({
  page,
  newcomer: { name, userId },
}) => {
  const { keyboard } = page;
  await signIn(page, name);
  await setCredits(page, 3, userId);
  await setCredits(page, 5, userId);
  await mail(page, "letter", "Tabled");
  await mail(page, "postcard", "Rowed");
  await makeList(page, "An earlier list");
  const list = await makeList(page, "For the keyboard");
  await pasteRows(page, 2);
  await expect(page.getByRole("region", { name: "Rows" }).getByRole("row")).toHaveCount(3);

  const tables: [address: string, label: string, opens: RegExp | null][] = [
    [`/users?view=history&user_id=${userId}`, "Transactions", /#entry-\d+$/],
    ["/mail?type=recipient", "Recipients", /recipient=/],
    ["/bulk", "Lists", /\/bulk\/[\w-]+$/],
    // A row has nothing to open before its test.
    [list, "Rows", null],
  ];
  for (const [address, label, opens] of tables) {
    await openReady(page, address);
    const rows = page.getByRole("region", { name: label, exact: true }).locator("tbody > tr");
    await keyboard.press("j");
    await expect(rows.nth(0), label).toBeFocused();
    await keyboard.press("j");
    await expect(rows.nth(1), label).toBeFocused();
    await expect(rows.and(page.locator("[tabindex='0']")), label).toHaveCount(1);
    await keyboard.press("k");
    await expect(rows.nth(0), label).toBeFocused();
    if (opens === null) continue;
    await keyboard.press("Enter");
    await expect(page).toHaveURL(opens);
  }
});
