import { listViolations } from "../accessibility";
import { setCredits } from "../credits/credit-balance";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";

const CSV = [
  "First name;Surname;Street;Town;ZIP;Country;Voucher",
  "Ana;Lopez;1 Main Street;Portland;97205;USA;A-1",
  "Ben;Stone;2 Main Street;Portland;2138;USA;B-2",
  "Cleo;Young;3 Main Street;Portland;97205;USA;C-3",
  "Cleo;Young;3 Main Street;Portland;97205;USA;C-4",
].join("\r\n");

test("a postcard becomes a list: columns, correction, test, quote, progress and result @plain", async ({
  page,
  mailroom,
  newcomer,
  javaScriptEnabled,
}) => {
  const expectAccessible = async () => {
    if (javaScriptEnabled !== false) expect(await listViolations(page)).toEqual([]);
  };
  await signIn(page, newcomer.name);
  await page.goto("/?preset=postcards.create");
  await page.locator('[name="field.template"]').fill("21001");
  await page.locator('[name="field.message"]').fill("Hello {firstname}, your code is {code}.");
  await page.getByRole("button", { name: "Send to a list" }).click();

  await page.getByLabel("CSV file").setInputFiles({
    name: "spring.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(CSV),
  });
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByRole("heading", { name: "spring.csv" })).toBeVisible();
  await expect(page.getByText("No column fits {code}.")).toBeVisible();
  await expect(page.getByText("Not used: Voucher (4 rows).")).toBeVisible();
  await expectAccessible();
  await page.getByLabel("Use of Voucher").selectOption("{code}");
  await page.getByRole("button", { name: "Save columns" }).click();

  const row = (number: number) => page.getByRole("row", { name: new RegExp(`^${number} `) });
  await expect(row(3)).toContainText("Excel may have dropped a leading 0.");
  await expect(row(5)).toContainText("the same name and address as row 4");
  await row(5).getByRole("link", { name: "Correct row 5" }).click();
  await expect(page.getByLabel("Send it anyway")).toBeVisible();
  await row(3).getByRole("link", { name: "Correct row 3" }).click();
  await expectAccessible();
  await page.getByRole("form", { name: "Row 3" }).getByLabel("ZIP").fill("02138");
  await page.getByRole("button", { name: "Save row" }).click();
  await expect(page.getByText("Row 3 can be sent.")).toBeVisible();
  // The next row to correct.
  await expect(page.getByRole("form", { name: "Row 5" })).toBeVisible();
  await page.getByRole("link", { name: /^To correct/ }).click();
  await page.getByRole("button", { name: "Leave out all 1" }).click();
  await expect(page.getByText("1 row left out.")).toBeVisible();

  await expect(page.getByText("3 credits missing.")).toBeVisible();
  await setCredits(page, 10, newcomer.userId);
  await page.reload();
  const start = page.getByRole("button", { name: "Start LIVE: 3 postcards, reserves 3 credits" });
  await expect(start).toBeDisabled();
  await page.getByLabel("Rows to test").fill("2, 3");
  await page.getByRole("button", { name: "Send tests" }).click();
  await expect(page.getByText("2 tests are done.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Provider's PDF" })).toHaveCount(2);

  await expectAccessible();
  await start.click();
  const finished = page.getByText("finished", { exact: true });
  // Without JavaScript the page reloads while the list is sent, and then no longer says that it was started.
  await expect(page.getByText("Started. 3 credits reserved for 3 rows.").or(finished).first()).toBeVisible();
  await expect(finished).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "3 credits" })).toBeVisible();
  await expectAccessible();
  const pieces = mailroom.provider.pieces.filter(({ test }) => !test).slice(-3);
  expect(pieces.map(({ type }) => type)).toEqual(["postcard", "postcard", "postcard"]);
  await expect(page.getByRole("link", { name: "View piece" })).toHaveCount(3);
  const id = new URL(page.url()).pathname;
  const result = await (await page.request.get(`${id}/result.csv`)).text();
  expect(result).toContain("2,sent,,");
  expect(result).toContain("5,left_out,");
  await page.goto("/bulk");
  await expect(page.getByRole("row", { name: /^spring\.csv finished postcard 3 3 / })).toBeVisible();
});
