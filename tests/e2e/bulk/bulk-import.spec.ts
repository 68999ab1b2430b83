import { SEND_TO_LIST } from "~/builder/page/builder";
import { formatImporting, IMPORTING } from "~/bulk/page/import-form";
import { listViolations } from "../accessibility";
import { API_KEY, expect, type RunningConsole, test } from "../fixtures";
import { signIn } from "../sign-in";
import { makeList } from "./list-steps";

const ADDRESS_NOT_FOUND = "The provider does not find this address.";

const GROUP = "Spring mailing, US";
const FIRST_PAGE = 4;

test("a group of the provider's account is imported with a progress bar, and its addresses are checked", async ({
  page,
  context,
  mailroom,
  newcomer,
}) => {
  await signIn(page, newcomer.name);
  const list = await makeList(page, "Hello {firstname}.");
  await page.getByRole("link", { name: "Or choose a group of the provider's account" }).click();
  const choice = page.getByLabel("Group of the provider's account");
  const option = choice.getByRole("option", { name: GROUP });
  const [, recipients = ""] = /\((\d+)\)$/.exec((await option.textContent()) ?? "") ?? [];
  await choice.selectOption(await option.getAttribute("value"));
  const held = await holdAfterFirstPage(mailroom, (await option.getAttribute("value")) ?? "");
  const importing = page.getByRole("button", { name: "Import group" }).click();

  const percent = Math.round((100 * FIRST_PAGE) / Number(recipients));
  // The posting page waits for its answer; other pages show the progress.
  const other = await context.newPage();
  await expect(async () => {
    await other.goto(list);
    await expect(other.getByText(formatImporting(percent))).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(other.getByRole("progressbar", { name: IMPORTING })).toHaveAttribute("value", String(percent));
  await expect(page.getByRole("progressbar", { name: IMPORTING })).toHaveAttribute("value", String(percent));
  expect(await listViolations(page)).toEqual([]);
  held.release();
  await importing;
  await expect(page.getByText(`${recipients} rows imported.`)).toBeVisible();
  await expect(other.getByRole("heading", { name: GROUP }), "it loads itself again").toBeVisible();
  await other.close();

  // The first recipient has moved away.
  await page.getByRole("link", { name: "Preview row 2", exact: true }).click();
  await page.getByRole("form", { name: "Row 2" }).getByLabel("Address line 1").fill("1 Nowhere Lane");
  await page.getByRole("button", { name: "Save row" }).click();
  await expect(page.getByText("Row 2 can be sent.")).toBeVisible();
  const checks = page.getByRole("region", { name: "Addresses" });
  const answers = mailroom.provider.fail({ kind: "hold", path: "addresses/validate", times: "always" });
  await checks.getByRole("button", { name: /^Check \d+ addresses$/ }).click();
  await expect(checks.getByRole("progressbar", { name: "Addresses checked" })).toBeVisible();
  await expect(checks.getByRole("button", { name: "Stop checking" })).toBeVisible();
  answers.release();
  await expect(checks).toContainText(/ found, 1 not found/);
  await expect(checks.getByRole("progressbar"), "it is done").toHaveCount(0);
  await expect(page.getByRole("row", { name: /^2 / })).toContainText(ADDRESS_NOT_FOUND);
});

/** Holds the provider's answer after the first page of a group until the test releases it. */
async function holdAfterFirstPage({ provider }: RunningConsole, group: string) {
  const query = new URLSearchParams({ group_id: group, offset: "0", limit: String(FIRST_PAGE) });
  const authorization = `Basic ${Buffer.from(`${API_KEY}:`).toString("base64")}`;
  const first = await fetch(`${provider.baseUrl}/recipients/list?${query}`, { headers: { authorization } });
  provider.fail({ kind: "respond", path: "recipients/list", body: await first.text() });
  return provider.fail({ kind: "hold", path: "recipients/list" });
}

test("a draft imports the example file unchanged; its rows are searched and corrected in place, and it is deleted", async ({
  page,
  newcomer,
}) => {
  await signIn(page, newcomer.name);
  const list = await makeList(page, "Hello {firstname}, your code is {code}.");
  const example = await page.request.get(
    (await page.getByRole("link", { name: "Download an example file" }).getAttribute("href")) ?? "",
  );
  const [header = "", ...people] = (await example.text()).trim().split("\r\n");
  const wrong = people.map((line) => line.replace(/9\d{4}|7\d{4}/, "1"));
  await page.getByLabel("CSV file").setInputFiles({
    name: "example.csv",
    mimeType: "text/csv",
    buffer: Buffer.from([header, ...people, ...wrong].join("\r\n")),
  });
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByRole("link", { name: "Ready 2" })).toBeVisible();

  const wrongRows = page.getByRole("link", { name: "To correct 2" });
  await wrongRows.click();
  await expect(wrongRows).toHaveAttribute("aria-current", "page");
  await page.getByRole("searchbox", { name: "Search rows" }).fill("portland");
  await page.getByRole("searchbox", { name: "Search rows" }).press("Enter");
  const rows = page.getByRole("region", { name: "Rows", exact: true }).getByRole("row");
  await expect(rows).toHaveCount(2);
  await page.getByRole("link", { name: "Correct row 4" }).click();
  const form = page.getByRole("form", { name: "Row 4" });
  await form.getByLabel("Postcode").fill("nonsense");
  await form.getByRole("button", { name: "Save row" }).click();
  await expect(page.getByText("Row 4 was saved. It still has a problem.")).toBeVisible();
  await expect(form.getByLabel("Postcode")).toHaveValue("nonsense");
  await expect(rows).toHaveCount(2);
  expect(new URL(page.url()).search).toBe("?show=problem&q=portland&next=4");

  await page.getByRole("link", { name: "Open the template" }).click();
  await expect(page.locator('[name="field.message"]')).toHaveValue("Hello {firstname}, your code is {code}.");
  await page.getByRole("button", { name: SEND_TO_LIST }).click();
  await page.getByRole("button", { name: "Take these rows" }).click();
  await expect(page.getByRole("link", { name: "Ready 2" })).toBeVisible();

  await page.goto(list);
  await page.getByRole("link", { name: "Delete draft" }).click();
  await page.getByRole("form").getByRole("button", { name: "Delete draft" }).click();
  await expect(page).toHaveURL("/bulk");
  await expect(page.getByText("The draft was deleted.")).toBeVisible();
  expect((await page.request.get(list)).status()).toBe(404);
});
