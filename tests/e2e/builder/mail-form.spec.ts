import { readLetter } from "../../support/files/letter-reader";
import { setCredits } from "../credits/credit-balance";
import { expect, sendRequest, test } from "../fixtures";
import { signIn } from "../sign-in";
import { FRONT, fillPostcard, fillRecipient } from "./fill-postcard";

test.beforeEach(async ({ page }) => signIn(page));

test("a postcard is written, previewed and sent by its form @plain", async ({
  page,
  mailroom,
  javaScriptEnabled,
}) => {
  await page.goto("/?preset=postcards.create");
  for (const section of [
    "Essential Settings",
    "Content & Design",
    "Recipient Information",
    "Message Styling",
    "Processing & Delivery",
    "Tracking & Variables",
  ]) {
    await expect(page.getByRole("heading", { name: section })).toBeVisible();
  }
  const readiness = page.getByRole("region", { name: "Readiness" });
  await expect(readiness).toContainText("2 issue(s) need attention");

  await page.locator('[name="field.front"]').setInputFiles(FRONT);
  await page.locator('[name="field.message"]').fill("Dear {firstname}, hello");
  await fillRecipient(page);
  if (javaScriptEnabled === false) await page.getByRole("button", { name: "Update preview" }).click();
  await expect(readiness).toContainText("Ready to create postcard!");
  await expect(page.getByText("PNG, 1872 x 1272 px, 300 dpi: prints sharp")).toBeVisible();
  await expect(page.getByRole("img", { name: /Dear Jane, hello/ })).toBeVisible();

  await sendRequest(page);
  const sent = mailroom.provider.received.findLast(({ path }) => path === "postcards/create");
  expect(sent?.body).toMatchObject({
    test: true,
    message: "Dear Jane, hello",
    recipient: { firstname: "Jane", postcode: "97205" },
  });
});

test("a letter's text becomes the PDF that its preview shows", async ({ page, mailroom }) => {
  const text = `Dear Jane,\n\nGrüße aus Köln. ${"AVATAR To well-known offices, etc. ".repeat(20)}`;
  await page.goto("/?preset=letters.create");
  await page.locator('[name="field.content"]').fill(text);
  await page.locator('[name="field.recipient"]').fill("1001");
  const drawn = page.getByRole("img", { name: /letter: the text "Dear Jane/ }).locator("text");
  await expect(drawn.filter({ hasText: "Dear Jane," })).toHaveCount(1);
  const preview = await drawn.allTextContents();
  await sendRequest(page);
  const sent = mailroom.provider.received.findLast(({ path }) => path === "letters/create");
  expect(sent?.body).not.toHaveProperty("content");
  const [printed] = await readLetter(Uint8Array.from(Buffer.from(String(sent?.body?.file), "base64")));
  const lines = (printed?.text ?? "").split("\n").filter((line) => line.trim() !== "");
  expect(lines.length).toBeGreaterThan(5);
  expect(preview).toEqual(expect.arrayContaining(lines));
  // The provider prints the address above it.
  const href = await page.getByRole("link", { name: "Open PDF" }).getAttribute("href");
  const [sample] = await readLetter(Uint8Array.from(await (await page.request.get(href ?? "")).body()));
  expect(sample?.text).toMatch(/^Ms Amelia Hartwell\n12 Elm Street/m);
});

test("a small screen shows the required fields of a postcard: size, mode, recipient and design", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto("/?preset=postcards.create");
  const bar = await page.getByRole("region", { name: "Send", exact: true }).boundingBox();
  for (const name of ["size", "recipient", "template", "front"]) {
    const field = await page.locator(`[name="field.${name}"]`).boundingBox();
    expect((field?.y ?? 720) + (field?.height ?? 0), name).toBeLessThanOrEqual(bar?.y ?? 0);
  }
});

test("on a phone the bar is low, and Send test keeps its place when a piece can be sent live", async ({
  page,
}) => {
  await setCredits(page, 5);
  await page.setViewportSize({ width: 360, height: 740 });
  await fillPostcard(page);
  const bar = page.getByRole("region", { name: "Send", exact: true });
  const sendTest = page.getByRole("button", { name: "Send test", exact: true });
  const readHeight = async () => (await bar.boundingBox())?.height;
  expect(await readHeight()).toBeLessThanOrEqual(110);
  const before = await sendTest.boundingBox();
  await sendTest.click();
  const live = page.getByRole("button", { name: /^Send tested piece live/ });
  await expect(live).toBeInViewport({ ratio: 1 });
  await expect(bar.getByRole("button", { name: "Send to a list" })).toBeInViewport({ ratio: 1 });
  expect(await readHeight()).toBeLessThanOrEqual(110);
  expect(await sendTest.boundingBox()).toEqual(before);
  const overflow = () => page.locator("body").evaluate((body) => body.scrollWidth - window.innerWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await expect(page.getByRole("timer")).toBeVisible();
  expect(await overflow()).toBeLessThanOrEqual(0);
});

test("when one side is shown, it is the one that got a file last", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/?preset=postcards.create");
  const front = page.getByRole("img", { name: /^Front of a 4x6 postcard/ });
  const back = page.getByRole("img", { name: /^Back of a 4x6 postcard/ });
  for (const [name, visible, other] of [
    ["front", front, back],
    ["back", back, front],
  ] as const) {
    await page.locator(`[name="field.${name}"]`).setInputFiles(FRONT);
    await expect(visible).toBeVisible();
    await expect(other).toBeHidden();
  }
});
