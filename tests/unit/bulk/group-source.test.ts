import { expect, test } from "vitest";
import { takeRecipients } from "~/bulk/import/import-group.server";
import type { ParsedRow } from "~/bulk/import/parse-list.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";

type Page = Outcome<Record<string, string>[]>;

async function take(...pages: Page[]) {
  let columns: string[] = [];
  const rows: ParsedRow[] = [];
  const source = (async function* () {
    yield* pages;
  })();
  for await (const batch of takeRecipients(source, 4)) {
    if (!batch.ok) return { failed: batch, columns, rows, cell: () => undefined };
    columns = batch.value.columns;
    rows.push(...batch.value.rows);
  }
  const cell = (row: number, column: string) => rows[row]?.cells[columns.indexOf(column)];
  return { failed: null, columns, rows, cell };
}

test("recipients are rows with their ID, all their address lines and the account's fields", async () => {
  const ana = { id: "7", account_id: "1", firstname: "Ana", address2: "Flat 2", address3: "Rear", code: "A" };
  const ben = { id: "8", firstname: "Ben", blacklist: "1" };
  const cleo = { id: "9", firstname: "Cleo" };
  const { failed, rows, columns, cell } = await take(succeed([ana, ben, cleo]), succeed([{ id: "10" }]));
  expect(failed).toBeNull();
  expect(rows.map(({ number, leftOut }) => [number, leftOut])).toEqual([
    [2, null],
    [3, "The provider has this recipient as not to be mailed."],
    [4, null],
    [5, null],
  ]);
  expect([cell(0, "Recipient ID"), cell(0, "Address line 2"), cell(0, "code")]).toEqual([
    "7",
    "Flat 2, Rear",
    "A",
  ]);
  expect(cell(3, "Recipient ID")).toBe("10");
  expect(columns).not.toContain("account_id");
});

test("a page that fails ends the import, and so does a group without recipients", async () => {
  const failed = fail("rate_limited", "Later.");
  expect((await take(succeed([{ id: "7" }]), failed)).failed).toEqual(failed);
  expect((await take()).failed).toEqual(fail("bad_input", "The group has no recipients."));
});
