import type { Page } from "playwright/test";
import { planPages, writePdf } from "../../support/files/sample-pdfs";
import { makeJpeg, makePng } from "../../support/files/sample-pictures";
import { expect, type RunningConsole, sendRequest, test } from "../fixtures";
import { signIn } from "../sign-in";
import { chooseNewRecipient, unfold } from "./open-form";

/**
 * Each kind of field of both mail forms, from a person's input to the bytes at the provider.
 * `unit/builder/preset-requests` covers every field. `arrives` is the field's JSON text in the request's body; null
 * is an absent field.
 */
interface Row {
  field: string;
  /** A buffer attaches a file, a list ticks some of several, `null` leaves the initial value. */
  input: string | Buffer | string[] | null;
  arrives: string | null;
}

const FRONT = Buffer.from(makePng(1_872, 1_272));
const BACK = Buffer.from(makeJpeg(1_872, 1_272));
const SIGNATURE = Buffer.from(makePng(768, 118));
const LETTER = Buffer.from(writePdf(planPages(2)));
const MESSAGE = 'Dear {firstname},\n\n"Grüße" & <b>naïve</b> café ☕\\ 100 %';
/** The text as printed for recipient 1001. */
const FILLED = MESSAGE.replace("{firstname}", "Amelia");
const text = (field: string, input: string): Row => ({ field, input, arrives: JSON.stringify(input) });
const file = (field: string, input: Buffer): Row => ({
  field,
  input,
  arrives: JSON.stringify(input.toString("base64")),
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
const DETAILS = Object.entries(NEW_RECIPIENT).map(
  ([name, input]): Row => ({ field: `recipient_${name}`, input, arrives: null }),
);

const FORMS: [form: string, rows: Row[]][] = [
  [
    "postcards",
    [
      { field: "test", input: null, arrives: "true" },
      text("size", "6x9"),
      text("template", "21001"),
      file("front", FRONT),
      file("back", BACK),
      { field: "message", input: MESSAGE, arrives: JSON.stringify(FILLED) },
      file("signature", SIGNATURE),
      text("recipient", "1001"),
      text("font", "Comic Sans MS"),
      text("font_size", "18"),
      text("font_colour", "#333333"),
      text("padding", "0"),
      { field: "clearzone", input: "", arrives: null },
      { field: "post_unverified", input: "false", arrives: "false" },
      { field: "addons", input: ["STANDARD", "FIRST_CLASS"], arrives: '"STANDARD,FIRST_CLASS"' },
      text("tags", "spring, Angebot ☀,a=b&c"),
      text("campaign_id", "261"),
      text("variables", '{"offer": "10 %",\n "who": "Zoë"}'),
    ],
  ],
  [
    "letters",
    [
      file("file", LETTER),
      { field: "recipient", input: null, arrives: JSON.stringify(NEW_RECIPIENT) },
      ...DETAILS,
      // The provider prints this field as text, so an empty one is left out.
      { field: "pages", input: null, arrives: null },
      { field: "duplex", input: null, arrives: "true" },
      { field: "colour", input: null, arrives: null },
      { field: "post_unverified", input: "", arrives: null },
      { field: "addons", input: ["REGISTERED"], arrives: '"REGISTERED"' },
    ],
  ],
];

test.beforeEach(async ({ page }) => signIn(page));

for (const [form, rows] of FORMS) {
  test(`every kind of field of ${form} reaches the provider`, async ({ page, mailroom }) => {
    await page.goto(`/?preset=${form}.create`);
    await unfold(page);
    if (rows.some(({ field }) => field.startsWith("recipient_"))) await chooseNewRecipient(page);
    for (const row of rows) await give(page, row);
    const sent = await send(page, mailroom, `${form}/create`);
    for (const { field, arrives } of rows) {
      if (arrives === null) expect.soft(sent, field).not.toContain(`${JSON.stringify(field)}:`);
      else expect.soft(sent, field).toContain(`${JSON.stringify(field)}:${arrives}`);
    }
  });
}

async function give(page: Page, { field, input }: Row): Promise<void> {
  const control = page.locator(`[name="field.${field}"]`);
  if (input === null) return;
  if (Array.isArray(input)) {
    for (const option of input) await control.and(page.locator(`[value="${option}"]`)).check();
    return;
  }
  if (typeof input !== "string") {
    const kind = input === LETTER ? "application/pdf" : input === BACK ? "image/jpeg" : "image/png";
    return control.setInputFiles({ name: `${field}.bin`, mimeType: kind, buffer: input });
  }
  const select = (await control.evaluate((element) => element.tagName)) === "SELECT";
  await (select ? control.selectOption(input) : control.fill(input));
}

/** Sends the form; returns the body that the provider received, as text. */
async function send(page: Page, { provider }: RunningConsole, path: string): Promise<string> {
  await expect(page.getByRole("status").filter({ hasText: "Reading" })).toHaveCount(0);
  const before = provider.received.length;
  await sendRequest(page);
  const sent = provider.received.slice(before).findLast((request) => request.path === path);
  return sent?.rawText ?? "";
}
