import type { Page } from "playwright/test";
import { formatUnknownPreset } from "~/builder/messages";
import { CATEGORIES } from "~/catalogue/categories";
import { PRESETS } from "~/catalogue/presets";
import type { Preset } from "~/catalogue/types";
import { planPages, writePdf } from "../../support/files/sample-pdfs";
import { FIRST_OF_SHAPE, MAIL_NEEDS, makeSample, type PresetSample } from "../../support/preset-samples";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";

const FILE = Buffer.from(writePdf(planPages(1)));

/** Fills what the preset needs, and one file where it takes one. */
async function fill(page: Page, preset: Preset, { filled, fileField }: PresetSample): Promise<void> {
  const control = (name: string) => page.locator(`[name="field.${name}"]`);
  if (fileField) {
    await control(fileField).setInputFiles({
      name: "sample.pdf",
      mimeType: "application/pdf",
      buffer: FILE,
    });
    await expect(page.getByText("sample.pdf").or(control(fileField)).first()).toBeVisible();
  }
  for (const [name, value] of filled) {
    const field = preset.formFields?.find((one) => one.name === name);
    if (field?.type === "select") await control(name).selectOption(value);
    else await control(name).fill(value);
  }
}

const asText = (value: unknown): unknown =>
  typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, child]) => [key, asText(child)]))
    : String(value);

for (const category of CATEGORIES) {
  const presets = PRESETS.filter(
    ({ id, categoryId }) => categoryId === category.id && FIRST_OF_SHAPE.has(id),
  );
  if (presets.length === 0) continue;
  test(`presets of ${category.label} arrive as the catalogue says`, async ({ page, mailroom }) => {
    await signIn(page);
    for (const preset of presets) {
      await test.step(preset.id, async () => {
        const sample = makeSample(preset, FILE.toString("base64"));
        await page.goto(`/?preset=${preset.id}`);
        await fill(page, preset, sample);
        // A mail form loads the recipients to choose from by itself.
        const isOwn = (path: string) => preset.id in MAIL_NEEDS && path === "recipients/list";
        const calls = () =>
          mailroom.provider.received.filter(({ path }) => path === preset.path || !isOwn(path));
        const before = calls().length;
        await page.getByRole("button", { name: /^Send( test)?$/ }).click();
        await expect(page.getByRole("link", { name: "Raw" })).toBeVisible();

        expect(calls().length).toBe(before + 1);
        const arrived = calls()[before];
        expect(arrived).toMatchObject({ method: preset.method, path: sample.path, prefix: "/v1" });
        expect(arrived?.query.toSorted()).toEqual(sample.query);
        if (sample.body === null) {
          expect(arrived?.rawText).toBe("");
          return;
        }
        const form = preset.headers?.["content-type"]?.includes("urlencoded") ?? false;
        expect(arrived?.contentType).toContain(
          form ? "application/x-www-form-urlencoded" : "application/json",
        );
        if (form) expect(arrived?.body).toEqual(asText(sample.body));
        else expect(JSON.parse(arrived?.rawText || "{}")).toEqual(sample.body);
      });
    }
  });
}

test.describe("a preset that does not exist", () => {
  test.use({ expectedErrors: /status of 404/ });

  test("is said not to exist", async ({ page }) => {
    const answer = await page.goto("/?preset=postcards.shred");
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole("alert")).toHaveText(
      formatUnknownPreset("postcards.shred", "List recipients"),
    );
  });
});
