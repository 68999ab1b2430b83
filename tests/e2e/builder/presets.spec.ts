import type { Page } from "playwright/test";
import { CATEGORIES } from "~/catalogue/categories";
import { PRESETS } from "~/catalogue/presets";
import type { FormField, Preset } from "~/catalogue/types";
import { planPages, writePdf } from "../../support/files/sample-pdfs";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";

const FILE = Buffer.from(writePdf(planPages(1)));
/** What the mail forms need beside their required fields. */
const MAIL_NEEDS: Record<string, Record<string, string>> = {
  "postcards.create": { recipient: "1001" },
  "letters.create": { recipient: "1001" },
};
const names = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);

/** What a person would put into a field that must be filled and is empty. */
function sampleValue(field: FormField): string {
  if (field.type === "select") return field.options?.[0] ?? "";
  return field.type === "number" ? "7" : "16799908";
}

/** What the form starts with, computed here independently of the product. */
function startValue(preset: Preset, field: FormField): string {
  const given = preset.query?.[field.name] ?? preset.body?.[field.name];
  if (given !== undefined && given !== null) return given === false ? "" : String(given);
  return field.required ? (field.placeholder ?? "") : "";
}

interface Filled {
  values: Map<string, string | boolean | number>;
  file: string | null;
}

/** Fills what the preset needs, and one file where it takes one; returns what must arrive. */
async function fill(page: Page, preset: Preset): Promise<Filled> {
  const values = new Map<string, string | boolean | number>();
  let file: string | null = null;
  for (const field of preset.formFields ?? []) {
    const control = page.locator(`[name="field.${field.name}"]`);
    if (field.type === "file") {
      if (file !== null) continue;
      await control.setInputFiles({ name: "sample.pdf", mimeType: "application/pdf", buffer: FILE });
      await expect(page.getByText("sample.pdf").or(control).first()).toBeVisible();
      file = field.name;
      values.set(field.name, FILE.toString("base64"));
      continue;
    }
    const needed = MAIL_NEEDS[preset.id]?.[field.name];
    if (needed) await control.fill(needed);
    let value = needed ?? startValue(preset, field);
    if (value === "" && (field.required || names(preset.path).includes(field.name))) {
      value = sampleValue(field);
      if (field.type === "select") await control.selectOption(value);
      else await control.fill(value);
    }
    if (value === "") continue;
    values.set(
      field.name,
      field.type === "boolean" || field.type === "choice"
        ? true
        : field.type === "number"
          ? Number(value)
          : value,
    );
  }
  return { values, file };
}

function group(values: Map<string, string | boolean | number>): Record<string, unknown> {
  const plain = [...values].filter(([name]) => !name.startsWith("recipient_"));
  const recipient = [...values]
    .filter(([name]) => name.startsWith("recipient_"))
    .map(([name, value]) => [name.slice("recipient_".length), value]);
  return {
    ...Object.fromEntries(plain),
    ...(recipient.length ? { recipient: Object.fromEntries(recipient) } : {}),
  };
}

const asText = (value: unknown): unknown =>
  typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, child]) => [key, asText(child)]))
    : String(value);

/** What a request is made of, whatever its fields are called. */
function describeShape({ method, path, headers, query, body, formFields }: Preset): string {
  const fields = new Set(formFields?.map(({ type, required }) => `${type} ${required ?? false}`));
  return JSON.stringify([
    method,
    headers?.["content-type"],
    names(path).length > 0,
    query !== undefined,
    body !== undefined,
    [...fields].sort(),
  ]);
}

/** Without JavaScript the server makes each request of what was posted, by one way for all: one preset of each shape. */
const FIRST_OF_SHAPE = new Set(
  new Map(PRESETS.toReversed().map((row) => [describeShape(row), row.id])).values(),
);

for (const category of CATEGORIES) {
  const presets = PRESETS.filter((row) => row.categoryId === category.id);
  const once = presets.some(({ id }) => FIRST_OF_SHAPE.has(id)) ? "" : " @once";
  test(`every preset of ${category.label} arrives as the catalogue says${once}`, async ({
    page,
    mailroom,
    javaScriptEnabled,
  }) => {
    await signIn(page);
    const shown = javaScriptEnabled === false ? presets.filter(({ id }) => FIRST_OF_SHAPE.has(id)) : presets;
    for (const preset of shown) {
      await test.step(preset.id, async () => {
        await page.goto(`/?preset=${preset.id}`);
        const { values } = await fill(page, preset);
        // A mail form loads the recipients to choose from by itself.
        const isOwn = (path: string) => preset.id in MAIL_NEEDS && path === "recipients/list";
        const calls = () =>
          mailroom.provider.received.filter(({ path }) => path === preset.path || !isOwn(path));
        const before = calls().length;
        await page.getByRole("button", { name: /^Send( test)?$/ }).click();
        await expect(page.getByRole("link", { name: "Raw" })).toBeVisible();

        expect(calls().length).toBe(before + 1);
        const arrived = calls()[before];
        const path = preset.path.replace(/\{(\w+)\}/g, (_, name: string) => String(values.get(name)));
        const rest = new Map([...values].filter(([name]) => !names(preset.path).includes(name)));
        const given = Object.entries(preset.query ?? {}).filter(([name]) => !values.has(name));
        expect(arrived).toMatchObject({ method: preset.method, path, prefix: "/v1" });

        if (preset.method === "GET") {
          const query = [...rest].map(([name, value]) => [name, String(value)]);
          expect(arrived?.query.toSorted()).toEqual([...query, ...given].toSorted());
          expect(arrived?.rawText).toBe("");
          return;
        }
        const fixed = Object.entries(preset.body ?? {}).filter(
          ([name]) => !preset.formFields?.some((field) => field.name === name),
        );
        const body = { ...Object.fromEntries(fixed), ...group(rest) };
        const form = preset.headers?.["content-type"]?.includes("urlencoded") ?? false;
        expect(arrived?.contentType).toContain(
          form ? "application/x-www-form-urlencoded" : "application/json",
        );
        if (form) expect(arrived?.body).toEqual(asText(body));
        else expect(JSON.parse(arrived?.rawText || "{}")).toEqual(body);
      });
    }
  });
}
