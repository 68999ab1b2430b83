import { EXAMPLE_TITLE } from "~/builder/answer/answer-view";
import { formatUnknownPreset } from "~/builder/page/builder";
import { expect, sendRequest, test } from "../fixtures";
import { signIn } from "../sign-in";
import { FRONT } from "./fill-postcard";

test.use({ expectedErrors: /404.*(\/nowhere|postcards\.shred)|40[01].*\/api\/stannp/ });
test.beforeEach(async ({ page }) => signIn(page));

test("a custom request begins with New request and its path @plain", async ({ page, mailroom }) => {
  await page.goto("/?preset=recipients.list");
  await page.getByRole("link", { name: "New request" }).click();
  await expect(page.getByRole("heading", { name: "Custom request" })).toBeVisible();
  await page.getByLabel("Path", { exact: true }).fill("/objects/list?limit=2");
  await page.getByLabel("Path", { exact: true }).press("Enter");
  await expect(page.getByText("200 OK")).toBeVisible();
  expect(mailroom.provider.received.at(-1)).toMatchObject({
    method: "GET",
    path: "objects/list",
    query: [["limit", "2"]],
  });
  await expect(page.getByLabel("Path", { exact: true })).toHaveValue("objects/list");
  await expect(page.getByRole("heading", { name: "Custom request" })).toBeVisible();
});

test("another path makes a preset's request a custom one, without its fields and example", async ({
  page,
  mailroom,
}) => {
  await page.goto("/?preset=recipients.list");
  const path = page.getByLabel("Path", { exact: true });
  await page.getByLabel("Limit").fill("7");
  await path.fill("templates/list");
  await expect(page.getByRole("heading", { name: "Custom request" })).toBeVisible();
  await expect(page.getByLabel("Limit")).toHaveCount(0);
  await expect(page.getByText(EXAMPLE_TITLE)).toHaveCount(0);
  await sendRequest(page);
  expect(mailroom.provider.received.at(-1)).toMatchObject({ path: "templates/list", query: [] });
  await path.fill("recipients/list");
  await expect(page.getByLabel("Limit")).toHaveValue("7");
});

test("query parameters and headers typed by hand are sent; one click opens the documented call", async ({
  page,
  mailroom,
}) => {
  await page.goto("/?preset=account.balance");
  await page.getByRole("link", { name: "Query Params" }).click();
  await page.getByLabel("Query parameter name 1").fill("trace");
  await page.getByLabel("Query parameter value 1").fill("a b&c");
  await page
    .getByRole("link", { name: /^Headers/ })
    .first()
    .click();
  await page.getByLabel("Header name 1").fill("x-note");
  await page.getByLabel("Header value 1").fill("from a test");
  await sendRequest(page);
  const sent = mailroom.provider.received.at(-1);
  expect(sent?.query).toEqual([["trace", "a b&c"]]);
  expect(sent?.headers["x-note"]).toBe("from a test");

  await page.getByRole("link", { name: "Send what the docs say" }).click();
  await expect(page.getByLabel("Path", { exact: true })).toHaveValue("accounts/balance");
  await sendRequest(page);
  expect(mailroom.provider.received.at(-1)?.path).toBe("accounts/balance");
});

test("a chosen file is shown once, is sent as base64, and can be removed @plain", async ({
  page,
  mailroom,
  javaScriptEnabled,
}) => {
  await page.goto("/?preset=postcards.create");
  const front = page.locator('[name="field.front"]');
  await front.setInputFiles(FRONT);
  await page.locator('[name="field.recipient"]').fill("1001");
  if (javaScriptEnabled !== false) {
    await expect(page.getByRole("button", { name: "Remove front.png" })).toBeVisible();
  }
  await page.getByRole("button", { name: /^Send( test)?$/ }).click();
  await expect(page.getByRole("link", { name: "Raw" })).toBeVisible();
  const arrived = mailroom.provider.received.findLast(({ path }) => path === "postcards/create");
  expect(arrived?.body).toMatchObject({ front: FRONT.buffer.toString("base64") });
  expect(await front.evaluate((input: HTMLInputElement) => input.files?.length)).toBe(0);
  await page.getByRole("button", { name: "Remove front.png" }).click();
  await expect(page.getByText("front.png")).toHaveCount(0);
});

test("a preset far down the list opens with its request in view", async ({ page }) => {
  await page.goto("/?preset=objects.list");
  await expect(page.getByLabel("Path", { exact: true })).toBeInViewport();
  await expect(page.getByRole("banner")).toBeInViewport();
});

test("an expired session sends nothing and keeps the input", async ({ page, context, mailroom }) => {
  await page.goto("/?preset=recipients.list");
  await page.getByLabel("Limit").fill("17");
  await context.clearCookies();
  const before = mailroom.provider.received.length;
  await page.getByRole("button", { name: /^Send( test)?$/ }).click();
  await expect(page.getByRole("alert").filter({ hasText: "You are logged out" })).toBeVisible();
  await expect(page.getByLabel("Limit")).toHaveValue("17");
  expect(mailroom.provider.received.length).toBe(before);
});

test("on a small screen Load & Send is next to the preset select", async ({ page, mailroom }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto("/?preset=templates.list");
  await page.getByRole("button", { name: "Load & Send: List templates" }).click();
  await expect(page.getByText("200 OK")).toBeInViewport();
  expect(mailroom.provider.received.at(-1)?.path).toBe("templates/list");
});

test("unknown addresses have a page that links home", async ({ page }) => {
  await page.goto("/nowhere");
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await expect(page.getByRole("banner").getByRole("button", { name: "Ana Ruiz" })).toBeVisible();
  await page.getByRole("link", { name: "Go Home" }).click();
  await expect(page.getByRole("button", { name: /^Send( test)?$/ })).toBeVisible();
  expect((await page.goto("/?preset=postcards.shred"))?.status()).toBe(404);
  await expect(page.getByRole("alert")).toHaveText(formatUnknownPreset("postcards.shred", "List recipients"));
});
