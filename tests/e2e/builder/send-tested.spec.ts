import type { Page } from "playwright/test";
import { MODE_MESSAGES } from "~/builder/draft/messages";
import { IN_LIVE, IN_TEST } from "~/builder/forms/checklist";
import { formatShort } from "~/builder/page/use-send-controls";
import { listViolations } from "../accessibility";
import { readCredits, setCredits, signInWithCredits } from "../credits/credit-balance";
import { expect, type RunningConsole, test } from "../fixtures";
import { fillPostcard } from "./fill-postcard";

test.use({ expectedErrors: /40[02].*\/api\/stannp/ });
test.beforeEach(({ page }) => signInWithCredits(page));

const sendTest = (page: Page) => page.getByRole("button", { name: /^Send( test)?$/ });
const sendLive = (page: Page) => page.getByRole("button", { name: /^Send LIVE/ });
const half = (page: Page, name: "Test" | "Live") =>
  page.getByRole("group", { name: "Test or live" }).getByRole("button", { name, exact: true });
const sendTested = (page: Page) => page.getByRole("button", { name: /^Send tested piece live/ });
const countMailed = ({ provider }: RunningConsole) => provider.pieces.filter((piece) => !piece.test).length;
const countAsked = ({ provider }: RunningConsole) =>
  provider.received.filter(({ path }) => path === "postcards/create").length;

/** Checks every indicator of test mode on the page. */
async function expectTest(page: Page): Promise<void> {
  await expect(half(page, "Test")).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("timer")).toHaveCount(0);
  await expect(page.getByRole("img", { name: /^Back.*Stamped SPECIMEN/ })).toBeVisible();
  await expect(page.getByText(IN_TEST)).toBeVisible();
  await expect(sendLive(page)).toHaveCount(0);
  await expect(page.locator("[data-live]")).toHaveCount(0);
}

async function expectLive(page: Page): Promise<void> {
  await expect(half(page, "Live")).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("timer")).toHaveText(/^(15:00|14:\d\d|15 min)$/);
  await expect(page.getByRole("img", { name: /Stamped SPECIMEN/ })).toHaveCount(0);
  await expect(page.getByText(IN_LIVE)).toBeVisible();
  await expect(page.locator("[data-live]")).toHaveCount(1);
}

test("a reload and the back button open in test mode", async ({ page }) => {
  await fillPostcard(page);
  await half(page, "Live").click();
  await expectLive(page);
  await page.reload();
  await expect(page.locator("html[data-script=ready]")).toBeAttached();
  await expectTest(page);
  await half(page, "Live").click();
  await expectLive(page);
  await page.goto("/profile");
  await page.goBack();
  await expect(page.locator("html[data-script=ready]")).toBeAttached();
  await expectTest(page);
});

test("live mode stays after a change of preset, and Load & Send sends no live mail", async ({
  page,
  mailroom,
}) => {
  await fillPostcard(page);
  await half(page, "Live").click();
  await page.getByRole("link", { name: "Create letter" }).click();
  await expect(page.getByLabel("Path", { exact: true })).toHaveValue("letters/create");
  await expect(half(page, "Live")).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("button", { name: /^Send LIVE: letter: 2 credits, leaves 3/ })).toBeVisible();

  const before = mailroom.provider.received.filter(({ path }) => path.endsWith("/create")).length;
  await page.getByRole("button", { name: "Load & Send: Create postcard" }).click();
  await expect(page.getByLabel("Path", { exact: true })).toHaveValue("postcards/create");
  await expect(page.getByRole("alert").filter({ hasText: MODE_MESSAGES.not_loaded_and_sent })).toBeVisible();
  await page.getByRole("button", { name: "Load & Send: List templates" }).click();
  await expect(page.getByText("200 OK")).toBeVisible();
  await expect(half(page, "Live")).toHaveAttribute("aria-pressed", "true");
  expect(mailroom.provider.received.filter(({ path }) => path.endsWith("/create")).length).toBe(before);
});

test("live mode ends after 15 minutes, also on a machine that slept, and sends nothing", async ({
  page,
  mailroom,
}) => {
  await page.clock.install();
  await fillPostcard(page);
  await half(page, "Live").click();
  await expectLive(page);
  const before = countAsked(mailroom);
  await page.clock.fastForward("14:30");
  await expect(page.getByRole("timer")).toHaveText(/^0:[012]\d$/);
  await page.clock.fastForward("00:31");
  await expect(page.getByText(MODE_MESSAGES.ended)).toBeVisible();
  await expectTest(page);

  await half(page, "Live").click();
  await expectLive(page);
  await page.clock.pauseAt(Date.now() + 16 * 60_000);
  // The clock has advanced, and no timer has run yet.
  await page.clock.setSystemTime(Date.now() + 3_600_000);
  await sendLive(page).click();
  await expect(page.getByText(MODE_MESSAGES.ended)).toBeVisible();
  expect(countAsked(mailroom)).toBe(before);
  expect(await readCredits(page)).toMatchObject({ credits: 5, held: 0 });
});

test("a live send in progress continues when live mode ends", async ({ page, mailroom }) => {
  await page.clock.install();
  await fillPostcard(page);
  await half(page, "Live").click();
  const before = countMailed(mailroom);
  const held = mailroom.provider.fail({ kind: "hold", path: "postcards/create" });
  await sendLive(page).click();
  await expect(page.getByText("Sending LIVE")).toBeVisible();
  await page.clock.fastForward("15:01");
  await expect(page.getByText(MODE_MESSAGES.ended_while_sending)).toBeVisible();
  held.release();
  await expect(page.getByText("1 credit charged. Balance 4.")).toBeVisible();
  expect(countMailed(mailroom)).toBe(before + 1);
});

test("the content below the provider's PDF does not move when its pages load", async ({ page }) => {
  let answer = () => {};
  const requested = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/tested/*", async (route) => {
    await requested;
    await route.continue();
  });
  await fillPostcard(page);
  await sendTest(page).click();
  const panel = page.getByRole("region", { name: "Provider's PDF" });
  await expect(panel.getByText("Loading the PDF…")).toBeVisible();
  const heightOf = async () => (await panel.boundingBox())?.height ?? 0;
  const before = await heightOf();
  answer();
  await expect(panel.getByRole("img", { name: "Provider's PDF, page 2 of 2" })).toBeVisible();
  // Allows a line of text or two, because the pages' names replace the loading text.
  expect(Math.abs((await heightOf()) - before)).toBeLessThan(40);
});

test("a tested piece is sent live once, with the same content and test off @plain", async ({
  page,
  mailroom,
  javaScriptEnabled,
}) => {
  await fillPostcard(page);
  await page.locator('[name="field.message"]').fill("Grüße, naïve café ☕");
  await sendTest(page).click();
  const panel = page.getByRole("region", { name: "Provider's PDF" });
  await expect(panel.getByText("Provider's price: 0.06 USD. Mailroom charges 1 credit.")).toBeVisible();
  if (javaScriptEnabled !== false) {
    await expect(panel.getByRole("img", { name: "Provider's PDF, page 1 of 2" })).toBeVisible();
  }
  const link = panel.getByRole("link", { name: "Open PDF" });
  const pdf = await page.request.get((await link.getAttribute("href")) ?? "");
  expect(pdf.headers()["content-type"]).toBe("application/pdf");
  expect((await pdf.body()).toString("latin1")).toMatch(/^%PDF/);

  const tested = mailroom.provider.received.findLast(({ path }) => path === "postcards/create")?.body;
  const before = countMailed(mailroom);
  const button = page.getByRole("button", {
    name: /^Send tested piece live: postcard 4x6 to (A\. Hartwell, Portland|recipient 1001): 1 credit, leaves 4$/,
  });
  // The second press of a double click finds its send, or no button.
  await button.dblclick();
  await expect(page.getByText(/1 credit charged( by the first send, none now)?\. Balance 4\./)).toBeVisible();
  expect(countMailed(mailroom)).toBe(before + 1);
  if (javaScriptEnabled !== false) {
    // The PDF of the mailed piece, without SPECIMEN, replaces the test's.
    await expect(link).toHaveAttribute("href", /^\/sends\/\w+\/piece\.pdf$/);
    await expect(panel.getByText("Provider's price: 0.06 USD. Mailroom charged 1 credit.")).toBeVisible();
    await expect(panel.getByRole("img", { name: "Provider's PDF, page 1 of 2" })).toBeVisible();
  }
  const mailed = mailroom.provider.received.findLast(({ path }) => path === "postcards/create")?.body;
  const { idempotency_key: _, tags: __, ...sent } = mailed ?? {};
  expect(sent).toEqual({ ...tested, test: false });
  await expect(half(page, "Test")).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator("[data-live]")).toHaveCount(0);

  await page.getByRole("link", { name: "View piece" }).first().click();
  await expect(page.getByRole("definition").filter({ hasText: /, quoted .*0\.06/ })).toBeVisible();
});

test("an edit after the test removes the button, is listed, and can be undone, without accessibility faults", async ({
  page,
  mailroom,
}) => {
  await fillPostcard(page);
  await sendTest(page).click();
  await expect(sendTested(page)).toBeVisible();
  const before = countAsked(mailroom);
  await page.locator('[name="field.size"]').selectOption("6x9");
  await page.locator('[name="field.template"]').fill("21002");
  await expect(
    page.getByText("Changed since the test: size, template. Test again to send it live."),
  ).toBeVisible();
  await expect(sendTested(page)).toHaveCount(0);
  await page.locator('[name="field.size"]').selectOption("4x6");
  await page.locator('[name="field.template"]').fill("21001");
  await expect(sendTested(page)).toBeVisible();
  expect(countAsked(mailroom)).toBe(before);
  await expect(page.getByRole("img", { name: "Provider's PDF, page 2 of 2" })).toBeVisible();
  await half(page, "Live").click();
  await expectLive(page);
  expect(await listViolations(page)).toEqual([]);
});

test("without enough credits no live send is offered", async ({ page }) => {
  await setCredits(page, 0);
  await fillPostcard(page);
  await sendTest(page).click();
  await expect(page.getByRole("link", { name: "Open PDF" })).toBeVisible();
  await expect(page.getByText(formatShort(1, 0))).toBeVisible();
  await expect(sendTested(page)).toHaveCount(0);
  await half(page, "Live").click();
  await expect(sendLive(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Buy 100 credits for $9.99" })).toHaveCount(1);
  // Another person adds credits; the page reloads the balance when it gets the focus.
  await setCredits(page, 5);
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(sendTested(page)).toBeVisible();
  await expect(sendLive(page), "one button sends it live").toHaveCount(0);
});
