import { expect, type Page } from "playwright/test";
import { JANE } from "../builder/fill-postcard";

/** A piece that was sent. */
export interface Mailed {
  /** ID of the send and of its mail item. */
  id: string;
  /** The provider's ID; NaN while there is no answer. */
  mailId: number;
}

let count = 0;

/** Sends a letter or postcard to Jane `lastName`, as a script does; `test` sends a sample. */
export async function mail(
  page: Page,
  type: "letter" | "postcard",
  lastName: string,
  { test = false } = {},
): Promise<Mailed> {
  const answer = await page.request.post("/api/stannp", {
    data: {
      path: `${type}s/create`,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: {
        test,
        ...(type === "postcard" ? { size: "4x6" } : {}),
        template: "21001",
        recipient: { ...JANE, lastname: lastName },
      },
      idempotency_key: `${lastName}-${Date.now()}-${count++}`,
    },
  });
  const { send_id: id, data } = await answer.json();
  return { id, mailId: Number(data?.id) };
}

/** The row of a table with this text, or of a piece with this mail ID. */
export function rowOf(page: Page, text: string | number) {
  return page.getByRole("row").filter({ hasText: new RegExp(String(text)) });
}

/** Opens the menu of a piece. */
export async function openMenu(page: Page, text: string | number) {
  const row = rowOf(page, text);
  // A menu closes when its list is reloaded, and has to be opened again.
  await expect(async () => {
    if ((await row.locator("details[open]").count()) === 0) await row.locator("summary").click();
    await expect(row.locator("details[open] .menu-entry").first()).toBeVisible({ timeout: 1_000 });
  }).toPass();
  return row;
}

/** Opens the confirmation of a piece's cancel or a recipient's deletion. */
export async function askIn(page: Page, text: string | number, link: "Cancel" | "Delete") {
  await expect(async () => {
    const row = link === "Cancel" ? await openMenu(page, text) : rowOf(page, text);
    await row.getByRole("link", { name: link, exact: true }).click({ timeout: 2_000 });
  }).toPass();
  return page.getByRole("form", { name: new RegExp(`^${link}`) });
}
