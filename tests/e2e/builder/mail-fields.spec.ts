import type { Page } from "playwright/test";
import { renderLetterPdf } from "~/print/letter/letter-pdf.server";
import { planPages, writePdf } from "../../support/files/sample-pdfs";
import { makeJpeg, makePng } from "../../support/files/sample-pictures";
import { expect, type RunningConsole, sendRequest, test } from "../fixtures";
import { signIn } from "../sign-in";
import { chooseNewRecipient, unfold } from "./open-form";

/**
 * Every field of both mail forms, from what a person does in it to the bytes at the provider, with and without
 * JavaScript. `arrives` is the field's JSON text in the request's body; null is a field that is left out.
 */
interface Row {
  field: string;
  /** A file is attached, `true` and `false` tick a box, a list ticks some of several, `null` leaves the field as it opens. */
  given: string | boolean | Buffer | string[] | null;
  arrives: string | null;
}

const FRONT = Buffer.from(makePng(1_872, 1_272));
const BACK = Buffer.from(makeJpeg(1_872, 1_272));
const SIGNATURE = Buffer.from(makePng(768, 118));
const LETTER = Buffer.from(writePdf(planPages(2)));
const MESSAGE = 'Dear {firstname},\n\n"Grüße" & <b>naïve</b> café ☕\\ 100 %';
/** As it is printed for recipient 1001. */
const FILLED = MESSAGE.replace("{firstname}", "Amelia");
const text = (field: string, given: string): Row => ({ field, given, arrives: JSON.stringify(given) });
const file = (field: string, given: Buffer): Row => ({
  field,
  given,
  arrives: JSON.stringify(given.toString("base64")),
});

const NEW_RECIPIENT = {
  title: "Dr",
  company: 'Harbour "Books" & Co',
  firstname: "Zoë",
  lastname: "O’Brien-Škoda",
  address1: "14 Mill Lane",
  address2: "Flat 2/b",
  city: "Łódź",
  state: "OR",
  postcode: "97205-1234",
  email: "zoe+mail@example.com",
  phone: "+1 (503) 555-0100",
  country: "US",
};
const NOBODY: Row = { field: "recipient", given: null, arrives: JSON.stringify(NEW_RECIPIENT) };
const DETAILS = Object.entries(NEW_RECIPIENT).map(
  ([name, given]): Row => ({ field: `recipient_${name}`, given, arrives: null }),
);

const POSTCARDS: [sections: string, rows: Row[]][] = [
  [
    "every section, an existing recipient",
    [
      { field: "test", given: null, arrives: "true" },
      text("size", "6x9"),
      text("template", "21001"),
      file("front", FRONT),
      file("back", BACK),
      { field: "message", given: MESSAGE, arrives: JSON.stringify(FILLED) },
      file("signature", SIGNATURE),
      text("recipient", "1001"),
      { field: "clearzone", given: "", arrives: null },
      { field: "post_unverified", given: null, arrives: "true" },
      { field: "addons", given: ["STANDARD", "FIRST_CLASS"], arrives: '"STANDARD,FIRST_CLASS"' },
      text("tags", "spring, Angebot ☀,a=b&c"),
      text("campaign_id", "261"),
      text("variables", '{"offer": "10 %",\n "who": "Zoë"}'),
    ],
  ],
  [
    "a new recipient, Message Styling, three-state fields the other way round",
    [
      text("template", "21001"),
      { field: "size", given: null, arrives: '"4x6"' },
      NOBODY,
      ...DETAILS,
      text("font", "Comic Sans MS"),
      text("font_size", "18"),
      text("font_colour", "#333333"),
      text("padding", "0"),
      { field: "clearzone", given: null, arrives: "true" },
      { field: "post_unverified", given: "false", arrives: "false" },
    ],
  ],
];

const LETTERS: [sections: string, rows: Row[]][] = [
  [
    "Content by file, a new recipient, Processing & Delivery",
    [
      file("file", LETTER),
      NOBODY,
      ...DETAILS,
      // The provider prints what it finds here, so nothing is sent for "1 where nothing is said".
      { field: "pages", given: null, arrives: null },
      { field: "duplex", given: null, arrives: "true" },
      { field: "colour", given: null, arrives: null },
      { field: "post_unverified", given: "", arrives: null },
      { field: "addons", given: ["REGISTERED"], arrives: '"REGISTERED"' },
    ],
  ],
  [
    "Content by text, Tracking & Variables",
    [
      { field: "content", given: MESSAGE, arrives: null },
      text("recipient", "1001"),
      { field: "post_unverified", given: null, arrives: "true" },
      text("tags", "billing,Übersicht"),
      text("variables", '{"invoice": "2026-0114"}'),
    ],
  ],
];

test.beforeEach(async ({ page }) => signIn(page));

for (const [form, tables] of [
  ["postcards", POSTCARDS],
  ["letters", LETTERS],
] as const) {
  for (const [sections, rows] of tables) {
    test(`${form}: ${sections}`, async ({ page, mailroom }) => {
      await page.goto(`/?preset=${form}.create`);
      await unfold(page);
      if (rows.some(({ field }) => field.startsWith("recipient_"))) await chooseNewRecipient(page);
      for (const row of rows) await give(page, row);
      const sent = await send(page, mailroom, `${form}/create`);
      for (const { field, arrives } of rows) {
        if (arrives === null) expect.soft(sent, field).not.toContain(`${JSON.stringify(field)}:`);
        else expect.soft(sent, field).toContain(`${JSON.stringify(field)}:${arrives}`);
      }
      const made = await makeFile(rows);
      if (made) expect(JSON.parse(sent).file).toBe(made);
    });
  }
}

/** The PDF that a letter's text becomes, as base64. */
async function makeFile(rows: readonly Row[]): Promise<string | null> {
  const content = rows.find(({ field }) => field === "content")?.given;
  if (typeof content !== "string") return null;
  const made = await renderLetterPdf(FILLED, { pageSize: "US-LETTER" });
  return made.ok ? Buffer.from(made.value.pdf).toString("base64") : null;
}

async function give(page: Page, { field, given }: Row): Promise<void> {
  const control = page.locator(`[name="field.${field}"]`);
  if (given === null) return;
  if (Array.isArray(given)) {
    for (const option of given) await control.and(page.locator(`[value="${option}"]`)).check();
    return;
  }
  if (typeof given === "boolean") return control.setChecked(given);
  if (typeof given !== "string") {
    const kind = given === LETTER ? "application/pdf" : given === BACK ? "image/jpeg" : "image/png";
    return control.setInputFiles({ name: `${field}.bin`, mimeType: kind, buffer: given });
  }
  const select = (await control.evaluate((element) => element.tagName)) === "SELECT";
  await (select ? control.selectOption(given) : control.fill(given));
}

/** Sends the form; answers the body that the provider received, as text. */
async function send(page: Page, { provider }: RunningConsole, path: string): Promise<string> {
  await expect(page.getByRole("status").filter({ hasText: "Reading" })).toHaveCount(0);
  const before = provider.received.length;
  await sendRequest(page);
  const sent = provider.received.slice(before).findLast((request) => request.path === path);
  return sent?.rawText ?? "";
}
