import { randomInt } from "node:crypto";
import type { Page } from "playwright/test";
import { SEND_TO_LIST } from "~/builder/page/builder";

/** Makes a list in the Builder; returns the address of its page, which is open. */
export async function makeList(
  page: Page,
  text: string,
  form: "postcards" | "letters" = "postcards",
): Promise<string> {
  await page.goto(`/?preset=${form}.create`);
  if (form === "postcards") await page.locator('[name="field.template"]').fill("21001");
  await page.locator(`[name="field.${form === "postcards" ? "message" : "content"}"]`).fill(text);
  await page.getByRole("button", { name: SEND_TO_LIST }).click();
  await page.waitForURL(/\/bulk\/[\w-]+/);
  return new URL(page.url()).pathname;
}

/** Imports rows of different people, to whom no other scenario sends, into the list whose page is open. */
export async function pasteRows(page: Page, rows: number): Promise<void> {
  const street = `Road ${randomInt(1_000_000)}`;
  const people = Array.from(
    { length: rows },
    (_, at) => `Ana\tRow-${at}\t${at + 1} ${street}\tPortland\t97205\tUS`,
  );
  const header = "First name\tLast name\tAddress\tCity\tZIP\tCountry";
  await page.getByLabel("Or rows from a spreadsheet").fill([header, ...people].join("\n"));
  await page.getByRole("button", { name: "Import", exact: true }).click();
}
