import { readFile } from "node:fs/promises";
import type { Locator } from "playwright/test";
import { drawPdf } from "../../support/files/sample-pdfs";
import { listViolations } from "../accessibility";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";

test.beforeEach(async ({ page }) => signIn(page));

/** A picture of one blue pixel. */
const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test.describe("an answer", () => {
  test("is searched in folded lines, filtered by JSONPath and shown as a table", async ({
    page,
    mailroom,
  }) => {
    const rows = Array.from({ length: 400 }, (_, id) => ({ id, to: { city: id % 2 ? "Leeds" : "York" } }));
    const body = JSON.stringify({
      success: true,
      data: [...rows, { id: 400, to: { city: "Ely" }, art: PICTURE }],
    });
    mailroom.provider.fail({ kind: "respond", path: "recipients/list", body });
    await page.goto("/?preset=recipients.list");
    await page.getByRole("button", { name: /^Send( test)?$/ }).click();
    const answer = page.getByRole("region", { name: "Answer", exact: true });
    const find = answer.getByLabel("Find in answer");
    await find.fill("ely");
    await expect(answer.getByText("1 found")).toBeVisible();
    await find.press("Enter");
    await expect(answer.getByText("1 of 1")).toBeVisible();
    await expect(answer.getByRole("treeitem", { selected: true })).toContainText("Ely");
    await expect(answer.getByText("$.data[400].to.city")).toBeVisible();
    await find.fill("leeds");
    await find.press("Enter");
    await answer.getByRole("button", { name: "Previous" }).click();
    await expect(answer.getByText("200 of 200")).toBeVisible();
    await expect(answer.getByText("$.data[399].to.city")).toBeVisible();
    expect(await listViolations(page)).toEqual([]);

    const filter = answer.getByLabel("Filter by JSONPath");
    await filter.fill("$.data[?@.to.city == 'Leeds' && @.id < 6]");
    await filter.press("Enter");
    await expect(answer.getByText("3 values")).toBeVisible();
    await answer.getByRole("button", { name: "Table" }).click();
    const table = answer.getByRole("table");
    await expect(answer.getByText("$.data[?@.to.city == 'Leeds' && @.id < 6], 3 rows")).toBeVisible();
    // The buttons act on the tree.
    await expect(answer.getByLabel("Open")).toHaveCount(0);
    await expect(table.getByRole("row")).toHaveCount(4);
    await table.getByRole("button", { name: "id" }).click();
    await table.getByRole("button", { name: "id" }).click();
    await expect(table.getByRole("row").nth(1)).toContainText("5");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      answer.getByRole("button", { name: "CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("answer.csv");
    await filter.fill("$..[");
    await filter.press("Enter");
    await expect(answer.getByText(/^Not filtered: /)).toBeVisible();

    await filter.fill("$.data[400].art");
    await filter.press("Enter");
    await expect(answer.getByText("1 value")).toBeVisible();
    await answer.getByRole("treeitem").last().click();
    await answer.getByRole("button", { name: "Show picture" }).click();
    await expect(answer.getByRole("img")).toBeVisible();
    expect(await listViolations(page)).toEqual([]);
  });

  test("of 4 MB is shown at once, opens on demand, and marks search results, also in the table", async ({
    page,
    mailroom,
  }) => {
    const rows = Array.from({ length: 3_000 }, (_, id) => ({
      id,
      note: "n".repeat(1_400),
      to: `person ${id}`,
    }));
    rows.push({ id: 3_000, note: `${"n".repeat(3_000)} needle`, to: "hay" });
    const body = JSON.stringify({ success: true, data: rows });
    mailroom.provider.fail({ kind: "respond", path: "recipients/list", body });
    await page.goto("/?preset=recipients.list");
    await page.getByRole("button", { name: /^Send( test)?$/ }).click();
    const answer = page.getByRole("region", { name: "Answer", exact: true });
    await expect(page.getByText("3,001 items")).toBeVisible();
    await page.getByLabel(/^Open/).selectOption("everything");
    await expect(page.getByRole("treeitem").first()).toBeVisible();
    await page.getByRole("tree").press("End");
    await expect(page.getByRole("treeitem", { selected: true })).toContainText("hay");
    // The number of elements freezes a page, not the size of the text.
    expect(await page.locator("#answer-body *").count()).toBeLessThan(3_000);

    const find = answer.getByLabel("Find in answer");
    await find.fill("needle");
    await find.press("Enter");
    const line = answer.getByRole("treeitem", { selected: true });
    await expect(line.locator("mark")).toHaveText("needle");
    await expect(line).toBeInViewport();
    await answer.getByRole("button", { name: "Table" }).click();
    await find.fill("person 2999");
    await find.press("Enter");
    const cell = answer.locator('td[aria-current="true"]');
    await expect(cell.locator("mark")).toHaveText("person 2999");
    await expect(cell).toBeInViewport();
    await find.fill("needle");
    await find.press("Enter");
    await expect(cell.locator("mark")).toHaveText("needle");
    await page.getByRole("link", { name: "Raw" }).click();
    await expect(page.getByText(/^200,000 of 4,\d{3},\d{3} characters shown\./)).toBeVisible();
  });

  test("shows all pages of a PDF in it, and reports a picture that does not load", async ({
    page,
    mailroom,
  }) => {
    const pdf = Buffer.from(await drawPdf({}, 2)).toString("base64");
    const picture = "data:image/png;base64,iVBORw0KGgo=";
    const body = JSON.stringify({ success: true, data: { pdf, picture } });
    mailroom.provider.fail({ kind: "respond", path: "recipients/list", body });
    await page.goto("/?preset=recipients.list");
    await page.getByRole("button", { name: /^Send( test)?$/ }).click();
    const answer = page.getByRole("region", { name: "Answer", exact: true });
    await answer.getByRole("treeitem").filter({ hasText: /^pdf:/ }).click();
    await answer.getByRole("button", { name: "Show PDF" }).click();
    await expect(answer.getByRole("img")).toHaveCount(2);
    await answer
      .getByRole("treeitem")
      .filter({ hasText: /^picture:/ })
      .click();
    await answer.getByRole("button", { name: "Show picture" }).click();
    await expect(answer.getByText("The picture cannot be shown.")).toBeVisible();
  });

  for (const [size, padding] of [
    ["", 0],
    ["large ", 600_000],
  ] as const) {
    test(`that is a ${size}file is drawn, stored and downloaded byte for byte @plain`, async ({
      page,
      mailroom,
    }, { project }) => {
      const body = Buffer.concat([Buffer.from(await drawPdf({}, 2)), Buffer.alloc(padding, "%")]);
      const headers = { "Content-Type": "application/pdf" };
      mailroom.provider.fail({ kind: "respond", path: "recipients/list", headers, body });
      await page.goto("/?preset=recipients.list");
      await page.getByRole("button", { name: /^Send( test)?$/ }).click();
      await expectFile(page.locator("#answer-body"));
      await page.getByRole("link", { name: "Stored response", exact: true }).click();
      await page.waitForURL(/\/stored\//);
      await expectFile(page.getByRole("region", { name: "Response" }));

      async function expectFile(place: Locator) {
        const isDrawn = project.name !== "no-script";
        await expect(place.getByRole("img", { name: /^The answer/ })).toHaveCount(isDrawn ? 2 : 0);
        await expect(place.getByText("Loading the PDF")).toBeHidden();
        const shown = `binary, ${body.length.toLocaleString("en")} bytes`;
        await expect(place.getByText(shown).filter({ visible: true })).toHaveCount(1);
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("link", { name: "Download" }).click(),
        ]);
        expect(download.suggestedFilename()).toBe("response.pdf");
        expect((await readFile(await download.path())).equals(body)).toBe(true);
      }
    });
  }
});
