import type { Page } from "playwright/test";
import { formatWasLive } from "~/builder/draft/messages";
import { NOT_A_DATE } from "~/platform/input.server";
import { RESPONSE_NOT_FOUND } from "~/responses/messages";
import { makePng, makePngPadding } from "../../support/files/sample-pictures";
import { fillPostcard } from "../builder/fill-postcard";
import { setCredits } from "../credits/credit-balance";
import { expect, openReady, test } from "../fixtures";
import { holdScripts } from "../hold-scripts";
import { signIn } from "../sign-in";
import { doStoredJob } from "./stored-job";
import { storeResponse } from "./stored-rows";

test.use({ expectedErrors: /status of (400|404|500)|ERR_FAILED/ });
test.beforeEach(async ({ page }) => signIn(page));

const list = (page: Page) => page.getByRole("region", { name: "Stored responses" });
const rows = (page: Page) => list(page).getByRole("listitem");
const panel = (page: Page) => page.getByRole("region", { name: "Save Response" });

test("a sent request is stored, found, opened again and deleted @plain", async ({ page, mailroom }) => {
  await doStoredJob(page, mailroom.provider);
});

test("a filtered-out list says so, and what to do", async ({ page }) => {
  await page.goto("/stored?search=nowhere");
  await expect(page.getByText("No responses match your filters.")).toBeVisible();
  await expect(page.getByText("Filters: all users · all categories · “nowhere”")).toBeVisible();
  await expect(page.getByText("only the newest 5,000 responses are searched")).toHaveCount(0);
  await page.goto("/stored?search=v1-2");
  await expect(page.getByText("only the newest 5,000 responses are searched")).toBeVisible();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(/\/stored$/);
});

test("filters are in the address, without empty ones", async ({ page }) => {
  const tag = "filters";
  await storeResponse(page, { tags: [tag, "Ünï"], status_code: 404 });
  await storeResponse(page, {
    tags: [tag],
    method: "POST",
    path: "letters/create",
    endpoint_category: "letters",
    endpoint_preset: "letters.create",
  });
  await page.goto(`/stored?tag=${tag}`);
  await expect(rows(page)).toHaveCount(2);
  await page.getByLabel("Category").selectOption("Letters");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/\/stored\?category=letters&tag=filters$/);
  await expect(page.getByText("Filters: all users · Letters · tag filters")).toBeVisible();
  await page.goto("/stored?from=2026-02-30&search=kept");
  await expect(page.getByRole("alert")).toContainText(`from ${NOT_A_DATE}`);
  await expect(page.getByRole("searchbox", { name: "Search" })).toHaveValue("kept");
});

test("mail is cancelled by its button, and then says when and why", async ({ page, mailroom }) => {
  const cancelMail = page.getByRole("link", { name: "Cancel Mail of POST postcards/create" });
  await setCredits(page, 5);
  const sent = await page.request.post("/api/stannp", {
    data: {
      path: "postcards/create",
      method: "POST",
      body: { size: "4x6", template: "21001", recipient: 1001 },
      tags: ["stored-cancel"],
    },
  });
  const { send_id: sendId, data } = await sent.json();
  // A response is stored a moment after its answer.
  await expect(async () => {
    await page.goto("/stored?tag=stored-cancel");
    await expect(cancelMail).toHaveCount(1, { timeout: 1_000 });
  }).toPass();
  await cancelMail.click();
  const question = page.getByRole("form", { name: "Cancel this mail?" });
  await expect(question).toContainText("Not printed yet. 1 credit back, balance 5.");
  await question.getByRole("link", { name: "Keep it" }).click();
  await expect(question).toHaveCount(0);
  await cancelMail.click();
  await page.getByRole("button", { name: "Cancel this mail" }).click();
  await expect(page.getByRole("alert")).toContainText(
    "Postcard cancelled successfully - 1 credit refunded (New balance: 5)",
  );
  await expect(cancelMail).toHaveCount(0);
  await expect(rows(page).getByText("Cancelled", { exact: true }).first()).toBeVisible();
  await expect(rows(page)).toContainText("Cancelled by Ana Ruiz");
  expect(mailroom.provider.pieces.find((piece) => piece.id === data.id)?.status).toBe("cancelled");
  await page.goto(`/sends/${sendId}`);
  await expect(page.getByText("All records agree.")).toBeVisible();
});

test("two responses are compared, with volatile values separated", async ({ page }) => {
  const answer = { success: true, data: { id: 1, status: "draft", size: "4x6", items: ["a", "b"] } };
  await storeResponse(page, { tags: ["compare"], response_data: answer, duration_ms: 5 });
  await storeResponse(page, {
    tags: ["compare"],
    status_code: 404,
    response_data: {
      success: true,
      data: { id: 2, status: "queued", size: "4x6", items: ["new", "a", "b"] },
    },
    duration_ms: 9,
  });
  await page.goto("/stored?tag=compare");
  await page.getByRole("button", { name: "Compare two" }).click();
  await expect(page.getByText("Select two responses in the list, then compare them.")).toBeVisible();
  await page.goto("/stored?tag=compare");
  for (const box of await page.getByRole("checkbox", { name: /^Compare/ }).all()) await box.check();
  await page.getByRole("button", { name: "Compare two" }).click();
  await expect(page).toHaveURL(/\/stored\/compare\?a=[\w-]+&b=[\w-]+$/);
  const body = page.getByRole("region", { name: "Response body" });
  await expect(body.getByRole("heading")).toContainText("2 differences, 1 expected");
  await expect(body.getByRole("listitem").filter({ hasText: "data.status" })).toContainText(
    /"draft".*"queued"/s,
  );
  await expect(body.getByRole("listitem").filter({ hasText: "data.items[0]" })).toContainText("new");
  await expect(body.getByRole("listitem").filter({ hasText: "data.id" })).toContainText("expected");
  await body.getByText("unchanged").click();
  await expect(body.getByText("data.size")).toBeVisible();
  await expect(page.getByRole("region", { name: "Request", exact: true })).toContainText("no differences");
  await expect(page.getByRole("region", { name: "Status and duration" })).toContainText("404");
});

test("a refusal inside a 200 says so, shows its URL, takes other tags and opens with its answer @plain", async ({
  page,
  mailroom,
}) => {
  const error = "This list is not yours";
  const id = await storeResponse(page, { tags: ["refusing"], response_data: { success: false, error } });
  await page.goto("/stored?tag=refusing");
  await expect(rows(page).first()).toContainText("200 refused");
  await page.goto(`/stored/${id}`);
  await expect(page.getByText(`${mailroom.provider.baseUrl}/recipients/list?limit=3`)).toBeVisible();
  await expect(page.getByText("Basic [hidden]")).toBeVisible();
  await page.getByText("Edit tags").click();
  await page.getByLabel("Tags, separated by commas").fill("kept, second");
  await page.getByRole("button", { name: "Save tags" }).click();
  await expect(page.getByText("Tags saved.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Tag refusing" })).toHaveCount(0);
  await page.goto("/stored?search=second");
  await expect(rows(page)).toHaveCount(1);
  await page.goto(`/?response=${id}`);
  await expect(page.getByRole("region", { name: "Response" }).getByRole("alert")).toContainText(error);
});

test("live mail opens again as a test; deleting its response leaves the page of the piece", async ({
  page,
}) => {
  await setCredits(page, 5);
  await fillPostcard(page);
  await page.getByRole("button", { name: "Live", exact: true }).click();
  const live = page.getByRole("button", { name: /^Send LIVE: postcard/ });
  await live.click();
  await expect(page.getByText("1 credit charged.")).toBeVisible();
  await expect(panel(page).getByText("Auto-saved")).toBeVisible();
  await panel(page).getByRole("link", { name: "Stored response" }).click();

  await page.getByRole("link", { name: "Open in Builder" }).click();
  await expect(page.getByText(formatWasLive("postcard"))).toBeVisible();
  await expect(page.getByRole("button", { name: "Test", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect(page.locator('[name="field.template"]')).toHaveValue("21001");
  await expect(page.getByRole("button", { name: /^Send( test)?$/ })).toBeVisible();

  await page.goBack();
  await page.getByRole("link", { name: /^Delete/ }).click();
  await expect(
    page.getByText("It is removed from this list for everyone. The piece keeps its own record."),
  ).toBeVisible();
  await page.getByRole("button", { name: "Delete this response" }).click();
  await expect(page.getByText("The piece keeps its own record.")).toBeVisible();
  await page.goto("/users?view=history");
  await page.getByRole("row").nth(1).getByRole("link").last().click();
  await expect(page.getByRole("heading", { name: /^Postcard 4x6 to / })).toBeVisible();
});

test("a file is not stored, and has to be chosen again when the request is opened", async ({ page }) => {
  const picture = Buffer.from(makePng(40, 30, { middle: [makePngPadding(20_000)] }));
  await page.goto("/?preset=postcards.create");
  await page.locator('[name="field.recipient"]').fill("1001");
  const file = { name: "front.png", mimeType: "image/png", buffer: picture };
  await page.locator('[name="field.front"]').setInputFiles(file);
  await expect(page.getByRole("button", { name: "Remove front.png" })).toBeVisible();
  await page.getByRole("button", { name: /^Send( test)?$/ }).click();
  await expect(panel(page).getByText("Auto-saved")).toBeVisible();
  await panel(page).getByRole("link", { name: "Stored response" }).click();
  await expect(
    page.getByText(`file of ${picture.length.toLocaleString("en")} bytes, not kept`),
  ).toBeVisible();
  await page.getByRole("link", { name: "Run again" }).click();
  await expect(
    page.getByText(/The file in front \([\d.]+ KB\) was not kept\. Choose it again/),
  ).toBeVisible();
  await expect(page.locator('[name="field.recipient"]')).toHaveValue("1001");
});

test("hostile texts are shown as texts", async ({ page }) => {
  const tags = ["<script>alert(1)</script>", "مرحبا بالعالم", "👩‍👩‍👧‍👦", "javascript:alert(1)"];
  const id = await storeResponse(page, {
    tags: ["hostile", ...tags],
    path: `own/${"long/".repeat(100)}<img src=x onerror=alert(1)>`,
    request_data: '"><script>alert(2)</script>',
    response_data: `<html><script>alert(3)</script>${"x".repeat(5_000)}</html>`,
  });
  await page.setViewportSize({ width: 360, height: 740 });
  for (const address of [
    `/stored?tag=hostile&open=${id}`,
    `/stored/${id}`,
    `/stored/compare?a=${id}&b=${id}`,
  ]) {
    await page.goto(address);
    await expect(page.getByText("onerror=alert(1)").first()).toBeVisible();
    const overflow = await page.locator("body").evaluate((node) => node.scrollWidth - window.innerWidth);
    expect(overflow, address).toBeLessThanOrEqual(0);
  }
  await page.goto(`/stored/${id}`);
  for (const tag of tags) await expect(page.getByRole("link", { name: `Tag ${tag}` })).toBeVisible();
});

test("unknown addresses are explained", async ({ page }) => {
  await page.goto("/stored/0123456789abcdef");
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await page.goto("/?response=0123456789abcdef");
  await expect(page.getByText(RESPONSE_NOT_FOUND)).toBeVisible();
});

test.describe("with JavaScript", () => {
  test("the list says that it loads, and Refresh shows new responses", async ({ page }) => {
    await storeResponse(page, { tags: ["fresh"] });
    await page.goto("/stored?tag=fresh");
    await expect(rows(page)).toHaveCount(1);
    await storeResponse(page, { tags: ["fresh"] });
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\/stored\.data/, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole("link", { name: "Refresh" }).click();
    await expect(page.getByText("Loading stored responses...")).toBeVisible();
    answer();
    await expect(rows(page)).toHaveCount(2);
    await expect(page.getByText("Loading stored responses...")).toHaveCount(0);
  });

  test("bodies are loaded when opened, and a failure is shown", async ({ page }) => {
    const id = await storeResponse(page, { tags: ["lazy"], response_data: { loaded: "on-demand" } });
    await openReady(page, "/stored?tag=lazy");
    expect(await page.locator("html").innerHTML()).not.toContain("on-demand");
    await page.route(`**/api/responses/${id}`, (route) => route.abort());
    await rows(page).getByRole("link", { name: /^View/ }).click();
    await expect(rows(page).getByRole("alert")).toContainText("Network error");
    await page.unroute(`**/api/responses/${id}`);
    await rows(page).getByRole("link", { name: /^Hide/ }).click();
    await rows(page).getByRole("link", { name: /^View/ }).click();
    await expect(rows(page)).toContainText('loaded: "on-demand"');
    await expect(page).toHaveURL(/\/stored\?tag=lazy$/);
  });

  test("a failed save is shown, and trying again saves once", async ({ page }) => {
    await page.goto("/?preset=users.me");
    await page.getByRole("button", { name: /^Send( test)?$/ }).click();
    await expect(panel(page).getByText("Auto-saved")).toBeVisible();
    await panel(page).getByText("Save a copy").click();
    await panel(page).getByLabel("Save with tags").fill("tried twice");
    const save = panel(page).getByRole("button", { name: "Save Additional Copy" });
    await page.route("**/api/responses", async (route) => {
      await route.fetch();
      await route.fulfill({ status: 500, body: "oh" });
    });
    await save.click();
    await expect(panel(page).getByRole("alert")).toHaveText("Failed to save response: 500");
    await page.unroute("**/api/responses");
    await save.click();
    await expect(panel(page).getByText("Saved", { exact: true })).toBeVisible();
    await page.goto("/stored?tag=tried+twice");
    await expect(rows(page)).toHaveCount(1);
  });

  test("a form posted before hydration and again after it stores one row", async ({ page }) => {
    const arrive = await holdScripts(page);
    const send = page.getByRole("button", { name: /^Send( test)?$/ });
    await page.goto("/?preset=account.pricing", { waitUntil: "commit" });
    await send.click();
    await expect(panel(page).getByText("Auto-saved")).toBeVisible();
    arrive();
    await expect(page.getByRole("button", { name: /^Copy/ }).first()).toBeVisible();
    const response = page.waitForResponse("**/api/stannp");
    await send.click();
    await response;
    await expect(panel(page).getByText("Auto-saved")).toBeVisible();
    await page.goto("/stored?search=account/pricing");
    await expect(rows(page)).toHaveCount(1);
  });
});
