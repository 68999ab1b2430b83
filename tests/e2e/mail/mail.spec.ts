import { readFileSync } from "node:fs";
import { listViolations } from "../accessibility";
import { fillRecipient, JANE } from "../builder/fill-postcard";
import { readCredits, setCredits } from "../credits/credit-balance";
import { expect, openReady, test } from "../fixtures";
import { holdScripts } from "../hold-scripts";
import { signIn } from "../sign-in";
import { askIn, mail, openMenu, rowOf } from "./mailed";

test.use({ expectedErrors: /ERR_FAILED|40[0-9].*\/api\/stannp|502.*\/api\/mail\/refresh|SyntaxError/ });
test.beforeEach(async ({ page, newcomer: { name, userId } }) => {
  await signIn(page, name);
  await setCredits(page, 5, userId);
});

test("mail is found, cancelled after a correct quote, and refunded once @plain", async ({
  page,
  mailroom,
  newcomer,
}) => {
  const { mailId, id } = await mail(page, "letter", "Found");
  expect((await readCredits(page, newcomer.userId)).credits).toBe(3);
  await page.goto("/mail");
  await expect(rowOf(page, mailId)).toContainText("Jane Found");
  await expect(rowOf(page, mailId)).toContainText("received");

  const question = page.getByRole("form", { name: /^Cancel this letter to Jane Found/ });
  await askIn(page, mailId, "Cancel");
  await expect(question).toContainText("Not printed yet. 2 credits back, balance 5.");
  await question.getByRole("link", { name: "Keep it" }).click();
  await expect(question).toBeHidden();
  expect(mailroom.provider.pieces.find((piece) => piece.id === mailId)?.status).toBe("received");

  await askIn(page, mailId, "Cancel");
  await question.getByRole("button", { name: "Cancel Mail" }).click();
  await expect(page.getByRole("alert")).toHaveText(
    "Letter cancelled successfully - 2 credits refunded (New balance: 5)",
  );
  await expect(rowOf(page, mailId)).toContainText("cancelled");
  await expect(rowOf(page, mailId).getByRole("cell").nth(5)).toHaveText(/^0/);
  const row = await openMenu(page, mailId);
  await expect(row.getByRole("button", { name: "Cancel" })).toBeDisabled();
  expect((await readCredits(page, newcomer.userId)).credits).toBe(5);
  expect(mailroom.provider.pieces.find((piece) => piece.id === mailId)?.status).toBe("cancelled");

  await row.getByRole("link", { name: "Jane Found" }).click();
  await expect(page).toHaveURL(new RegExp(`/sends/${id}$`));
  await expect(page.getByText("This letter was cancelled and is not mailed.")).toBeVisible();
  await expect(page.getByText("All records agree.")).toBeVisible();
  await expect(page.getByRole("row", { name: /^Refund #\d+ \+2 5$/ })).toBeVisible();
});

test("a piece that holds credits is listed as checking, and the header links to it", async ({
  page,
  mailroom,
  newcomer: { name, userId },
}) => {
  const fault = mailroom.provider.fail({ kind: "reset-before", path: "postcards/create", times: "always" });
  const { id } = await mail(page, "postcard", "Unsettled");
  await page.goto("/");
  await page.getByRole("banner").getByRole("link", { name: "1 reserved" }).click();
  await expect(rowOf(page, "Unsettled")).toContainText("checking");
  await expect(rowOf(page, "Unsettled")).toContainText("1 reserved");
  const row = await openMenu(page, "Unsettled");
  await expect(row.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await row.getByRole("link", { name: "Jane Unsettled" }).click();
  await expect(page).toHaveURL(new RegExp(`/sends/${id}$`));
  await page.goto(`/users?q=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name: `1 reserved for pieces of ${name}` }).click();
  await expect(page).toHaveURL(`/mail?user_id=${userId}&status=held`);
  await expect(rowOf(page, "Unsettled")).toBeVisible();
  fault.release();
});

test("several pieces are found, chosen and cancelled with one confirmation, and refunded", async ({
  page,
  mailroom,
  newcomer,
}) => {
  const pieces = [
    await mail(page, "letter", "Several"),
    await mail(page, "postcard", "Several"),
    await mail(page, "postcard", "Kept"),
  ];
  mailroom.provider.move(pieces[2]?.mailId ?? 0, "producing");
  await page.goto("/mail");
  await page.getByRole("button", { name: "Refresh status" }).click();
  await page.getByRole("link", { name: "received 2" }).click();
  await expect(rowOf(page, "Kept")).toHaveCount(0);
  const boxes = page.getByRole("checkbox", { name: /Jane Several/ });
  await expect(boxes).toHaveCount(2);
  await expect(page.getByRole("checkbox", { name: "Choose all on this page" })).toHaveCount(1);
  const bar = page.getByRole("form", { name: "Chosen pieces" });
  // Next to "Refresh status of all" it exists only for chosen pieces.
  await expect(bar.getByRole("button", { name: "Refresh" })).toHaveCount(0);
  for (const box of await boxes.all()) await box.check();
  await bar.getByRole("button", { name: "Cancel" }).click();
  const question = page.getByRole("form", { name: "Cancel 2 pieces?" });
  await expect(question).toContainText("3 credits back, balance 4.");
  await expect(page.getByRole("checkbox", { name: /Jane Several/, checked: true })).toHaveCount(2);
  expect(await listViolations(page)).toEqual([]);
  await question.getByRole("button", { name: "Cancel Mail" }).click();
  await expect(page.getByRole("alert")).toHaveText(
    "2 pieces cancelled - 3 credits refunded (New balance: 4).",
  );
  await page.getByRole("link", { name: "cancelled 2" }).click();
  await expect(rowOf(page, "Several")).toHaveCount(2);
  expect(await readCredits(page, newcomer.userId)).toMatchObject({ credits: 4, held: 0 });
  const stopped = mailroom.provider.pieces.filter(({ status }) => status === "cancelled").map(({ id }) => id);
  expect(stopped).toEqual(expect.arrayContaining(pieces.slice(0, 2).map(({ mailId }) => mailId)));

  await page.getByRole("checkbox", { name: /letter to Jane Several/ }).check();
  const download = page.waitForEvent("download");
  await bar.getByRole("button", { name: "Export" }).click();
  const file = readFileSync(await (await download).path(), "utf8")
    .trim()
    .split("\n");
  expect(file).toHaveLength(2);
  expect(file[1]).toContain("Jane Several,Portland 97205,cancelled");
});

test("a menu that was opened before hydration stays open", async ({ page }) => {
  const { mailId } = await mail(page, "letter", "Early");
  const release = await holdScripts(page);
  await page.goto("/mail", { waitUntil: "commit" });
  const row = rowOf(page, mailId);
  await row.locator("summary").click();
  release();
  await expect(page.locator("html[data-script=ready]")).toBeAttached();
  await expect(row.getByRole("button", { name: `Refresh ${mailId}` })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(row.getByRole("button", { name: `Refresh ${mailId}` })).toBeHidden();
});

test("a refresh of one piece queries only that piece, in its row and on its page", async ({
  page,
  mailroom,
}) => {
  const moved = await mail(page, "letter", "Alone");
  const other = await mail(page, "letter", "Unasked");
  for (const { mailId } of [moved, other]) mailroom.provider.move(mailId, "handed_over");
  await page.goto("/mail");
  const row = await openMenu(page, moved.mailId);
  await row.getByRole("button", { name: `Refresh ${moved.mailId}` }).click();
  await expect(page.getByRole("alert")).toHaveText("1 piece checked, 1 changed.");
  await expect(rowOf(page, moved.mailId)).toContainText("with the carrier");
  await expect(rowOf(page, other.mailId)).toContainText("received");

  mailroom.provider.move(moved.mailId, "delivered");
  await rowOf(page, moved.mailId).getByRole("link", { name: "Jane Alone" }).click();
  // The list has a button of this name too.
  await expect(page).toHaveURL(new RegExp(`/sends/${moved.id}$`));
  await page.getByRole("button", { name: "Refresh status" }).click();
  await expect(page.getByRole("alert")).toHaveText("1 piece checked, 1 changed.");
  await expect(page.getByRole("region", { name: "Progress" }).locator("[aria-current=step]")).toContainText(
    "delivered",
  );
});

test("a cancel works for a piece on another page of the list", async ({ page, newcomer }) => {
  const { id } = await mail(page, "letter", "Elsewhere");
  await mail(page, "letter", "Listed");
  await page.goto(`/mail?user_id=${newcomer.userId}&type=letter&status=delivered&ask=cancel&item=${id}`);
  const question = page.getByRole("form", { name: /^Cancel this letter to Jane Elsewhere/ });
  await expect(question).toContainText("2 credits back, balance 3.");
  await question.getByRole("button", { name: "Cancel Mail" }).click();
  await expect(page.getByRole("alert")).toContainText("Letter cancelled successfully - 2 credits refunded");
  await expect(page.getByText("No letters match these filters.")).toBeVisible();
});

test("recipients are listed as created, and deleted", async ({ page, mailroom }) => {
  const made = await page.request.post("/api/stannp", {
    data: {
      path: "recipients/new",
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: { ...JANE, firstname: "Olga", lastname: "Listed", email: "olga@example.com" },
    },
  });
  const { data } = await made.json();
  await mail(page, "postcard", "Inline");
  await page.goto("/mail?type=recipient");
  await expect(rowOf(page, data.id)).toContainText("olga@example.com");
  await expect(rowOf(page, data.id).getByText("Verified", { exact: true })).toBeVisible();
  await expect(rowOf(page, "Jane Inline").getByRole("button", { name: "Delete" })).toBeDisabled();
  await page.getByRole("link", { name: "Jane Inline" }).click();
  await expect(page.getByText("Pieces to Jane Inline")).toBeVisible();
  await expect(page.getByRole("row").filter({ has: page.getByRole("cell") })).toHaveCount(1);
  await page.getByRole("link", { name: "Show all recipients" }).click();
  await expect(page.getByText("Pieces to Jane Inline")).toHaveCount(0);
  await page.goto("/mail?type=recipient");
  const file = await page.request.get(
    (await page.getByRole("link", { name: "Download CSV" }).getAttribute("href")) ?? "",
  );
  expect(await file.text()).toContain(`,${data.id},Olga Listed,olga@example.com,verified`);

  await rowOf(page, data.id).getByRole("link", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete recipient" }).click();
  await expect(page.getByRole("alert")).toHaveText("Recipient deleted successfully");
  await expect(rowOf(page, data.id)).toBeHidden();
  expect(mailroom.provider.received.at(-1)).toMatchObject({ path: "recipients/delete" });
});

test("a person is erased with all linked data, and a neighbour who is not ticked stays", async ({ page }) => {
  await mail(page, "postcard", "Erasure");
  await mail(page, "postcard", "Neighbour");
  await openReady(page, "/?preset=postcards.create");
  await fillRecipient(page, { firstname: "Jane", lastname: "Erasure" });
  const drafts = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("drafts")));
  await expect.poll(drafts).toHaveLength(1);
  await page.goto("/mail?type=recipient");
  await rowOf(page, "Jane Erasure").getByRole("link", { name: "Personal data" }).click();
  await expect(page.getByRole("heading", { name: "Personal data of Jane Erasure" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Linked records" })).toContainText(
    "14 Mill Lane, Portland 97205, US",
  );
  const similar = page.getByRole("region", { name: "Similar records" }).getByRole("row");
  await expect(similar.filter({ hasText: "Jane Neighbour" })).toContainText("same address, another name");
  expect(await listViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Erase personal data" }).click();
  await expect(page.getByRole("heading", { name: "Personal data of Jane Erasure" })).toBeVisible();
  await page.getByRole("checkbox", { name: "Erase all of it" }).check();
  await page.getByRole("button", { name: "Erase personal data" }).click();
  await expect(page.getByRole("heading", { name: "Personal data erased" })).toBeVisible();
  await expect(page.getByText(/^1 recipient, 1 piece/)).toBeVisible();
  expect(await drafts()).toEqual([]);
  await page.goto("/mail?type=recipient");
  await expect(rowOf(page, "Jane Neighbour")).toBeVisible();
  await expect(rowOf(page, "Jane Erasure")).toHaveCount(0);
});

test("the file has all of a list, which can show all users", async ({ page }) => {
  const { mailId } = await mail(page, "letter", "Infile");
  await page.goto("/mail");
  const file = await page.request.get(
    (await page.getByRole("link", { name: "Download CSV" }).getAttribute("href")) ?? "",
  );
  expect(await file.text()).toContain(
    `,letter,letters.create,${mailId},Jane Infile,Portland 97205,received,`,
  );

  await page.getByRole("combobox", { name: "User" }).selectOption("All users");
  await expect(rowOf(page, "Infile")).toContainText("Portland 97205 · of");
  await page.getByRole("link", { name: "Came back" }).click();
  await expect(page.getByRole("link", { name: "Came back" })).toHaveAttribute("aria-current", "page");
  await expect(rowOf(page, "Infile")).toHaveCount(0);
});

test("a refresh that does not reach the server says how many pieces it checked", async ({ page }) => {
  await mail(page, "letter", "Looked");
  await openReady(page, "/mail");
  const address = "**/api/mail/refresh";
  await page.route(address, (route) => route.abort());
  await page.getByRole("button", { name: "Refresh status" }).click();
  const status = page.getByRole("status").filter({ hasText: "checked" });
  await expect(status).toHaveText(
    /^0 pieces checked, 0 changed\. Network error: Please check your connection and try again\.$/,
  );
});
