import type { Page } from "playwright/test";
import { MAY_BE_CHANGED, NETWORK_ERROR } from "~/ui/network-messages";
import { readCredits, setCredits } from "../credits/credit-balance";
import { expect, openReady, test } from "../fixtures";
import { signIn } from "../sign-in";
import { askIn, mail, retry, rowOf } from "./mailed";

/** What Mail Management says when something fails; `mail.spec.ts` covers its main job. */

test.use({
  expectedErrors:
    /ERR_FAILED|status of (40[0-9]|50[0-9])|SyntaxError|alarm.piece_needs_decision|alarm.mailed_as_test/,
});
test.beforeEach(async ({ page }) => {
  await signIn(page);
  await setCredits(page, 5);
});

const DATA = /\/mail\.data/;

/** Fills the form of a page that was left open, and sends it from there, as if what it shows were still so. */
async function postLate(page: Page, form: Record<string, string>): Promise<void> {
  const reply = await page.request.post("/mail?type=postcard", { form, maxRedirects: 0 });
  expect(reply.status()).toBe(303);
  await page.goto("/mail?type=postcard");
}

test("a refused cancel says why and refunds nothing", async ({ page }) => {
  await mail(page, "postcard", "Refused", { test: true });
  for (const item of ["", "0"]) {
    await postLate(page, { intent: "cancel", user_id: "auth-ana", type: "postcard", item });
    await expect(page.getByRole("alert")).toHaveText(
      "Cannot cancel test items or items without a valid mail ID",
    );
  }
  await postLate(page, { intent: "cancel", user_id: "auth-ana", type: "postcard", item: "99" });
  await expect(page.getByRole("alert")).toHaveText(
    "This user has no postcard with this mail ID. Nothing was cancelled.",
  );
  expect((await readCredits(page)).credits).toBe(5);
});

test("a cancel without an answer is said to be open, and refunded once it is known", async ({
  page,
  mailroom,
}) => {
  const { mailId } = await mail(page, "postcard", "Unanswered");
  await page.goto("/mail?type=postcard");
  const question = await askIn(page, mailId, "Cancel");
  mailroom.provider.fail({ kind: "reset-after", path: "postcards/cancel" });
  await question.getByRole("button", { name: "Cancel Mail" }).click();
  await expect(page.getByRole("alert")).toContainText(
    "It is not known yet whether this postcard was cancelled. It is being checked; a refund follows once if it was.",
  );
  await expect(async () => {
    await page.goto("/mail?type=postcard");
    await expect(rowOf(page, mailId)).toContainText("cancelled", { timeout: 5_000 });
  }).toPass();
  expect((await readCredits(page)).credits).toBe(5);
});

test("a recipient that cannot be deleted says why, and stays", async ({ page, mailroom }) => {
  const made = await page.request.post("/api/stannp", {
    data: {
      path: "recipients/new",
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: { firstname: "Olga", lastname: "Stays", address1: "1 Elm St", city: "Austin", country: "US" },
    },
  });
  const { data } = await made.json();
  for (const [status, said] of [
    [400, /^Failed to delete recipient: .+ Nothing was deleted\.$/],
    [500, /^Failed to delete recipient: .+ It may have been deleted; delete it again to be sure\.$/],
  ] as const) {
    mailroom.provider.fail({ kind: "status", status, path: "recipients/delete" });
    await page.goto("/mail?type=recipient");
    const question = await askIn(page, data.id, "Delete");
    await question.getByRole("button", { name: "Delete recipient" }).click();
    await expect(page.getByRole("alert")).toHaveText(said);
    await expect(rowOf(page, data.id)).toBeVisible();
  }
  await mail(page, "postcard", "Noid");
  const listed = await page.request.get("/api/mail/recipients?userId=auth-ana");
  const inline = (await listed.json()).find(({ name }: { name: string }) => name === "Jane Noid");
  await postLate(page, { intent: "delete_recipient", user_id: "auth-ana", recipient: inline.id });
  await expect(page.getByRole("alert")).toHaveText("Cannot delete recipient: No recipient ID found");
});

for (const [name, answer, said] of [
  [
    "404",
    { status: 404, body: "nothing here" },
    "API endpoint not found. Please refresh the page and try again.",
  ],
  [
    "503",
    { status: 503, body: "<title>Down</title>" },
    "Service temporarily unavailable. Please try again in a few moments.",
  ],
  ["a proxy's page", { status: 502, body: "<title>Bad Gateway</title>" }, "HTTP 502: Bad Gateway"],
  ["an error field", { status: 500, body: '{"error":"The shelf is empty."}' }, "The shelf is empty."],
  ["what is no list", { status: 200, body: "<p>Log in to the Wi-Fi" }, "Failed to fetch data"],
] as const) {
  test(`a list that is answered by ${name} stays, and can be tried again`, async ({ page }) => {
    const { mailId } = await mail(page, "letter", "Kept");
    await openReady(page, "/mail");
    const address = /\/mail(\.data)?\?/;
    await page.route(address, (route) => route.fulfill({ contentType: "text/html", ...answer }));
    await page.getByRole("link", { name: "Postcards", exact: true }).click();
    const banner = page.getByRole("alert");
    await expect(banner).toHaveText(`${said} Retry`);
    await expect(rowOf(page, mailId)).toBeVisible();
    await page.unroute(address);
    await retry(page);
    await expect(rowOf(page, mailId)).toHaveCount(0);
  });
}

test("a cancel that does not reach the server, or whose answer is lost, says so", async ({
  page,
  mailroom,
}) => {
  const { mailId } = await mail(page, "letter", "Unreached");
  await openReady(page, "/mail");
  const question = await askIn(page, mailId, "Cancel");
  const cancel = question.getByRole("button", { name: "Cancel Mail" });
  await page.route(DATA, (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
  await cancel.click();
  await expect(page.getByRole("alert")).toContainText(`${NETWORK_ERROR} ${MAY_BE_CHANGED}`);
  expect(mailroom.provider.pieces.find(({ id }) => id === mailId)?.status).toBe("received");

  await page.unroute(DATA);
  await page.route(DATA, (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 502, body: "<title>Bad Gateway</title>" })
      : route.continue(),
  );
  await (await askIn(page, mailId, "Cancel")).getByRole("button", { name: "Cancel Mail" }).click();
  await expect(page.getByRole("alert")).toContainText(`HTTP 502: Bad Gateway. ${MAY_BE_CHANGED}`);

  await page.unroute(DATA);
  await (await askIn(page, mailId, "Cancel")).getByRole("button", { name: "Cancel Mail" }).click();
  await expect(page.getByRole("alert")).toContainText("Letter cancelled successfully - 2 credits refunded");
});

test("a refresh that does not reach the server says how far it came", async ({ page }) => {
  await mail(page, "letter", "Looked");
  await openReady(page, "/mail");
  const address = "**/api/mail/refresh";
  await page.route(address, (route) => route.abort());
  await page.getByRole("button", { name: "Refresh status" }).click();
  const said = page.getByRole("status").filter({ hasText: "checked" });
  await expect(said).toHaveText(
    /^0 pieces checked, 0 changed\. Network error: Please check your connection and try again\.$/,
  );
  await page.unroute(address);
  await page.route(address, (route) => route.fulfill({ status: 502, body: "<title>Bad Gateway</title>" }));
  await page.getByRole("button", { name: "Refresh status" }).click();
  await expect(said).toHaveText(/^0 pieces checked, 0 changed\. HTTP 502: Bad Gateway$/);
});
