import { type FileRule, FRONT_BACK, LETTER_PDF, SIGNATURE } from "~/print/artwork/file-rules";
import type { CorpusFile } from "../../support/files/corpus-row";
import { FILE_CORPUS } from "../../support/files/file-corpus";
import { expect, openReady, test } from "../fixtures";
import { signIn } from "../sign-in";

const RULES = new Map<FileRule, [preset: string, field: string]>([
  [FRONT_BACK, ["postcards.create", "front"]],
  [SIGNATURE, ["postcards.create", "signature"]],
  [LETTER_PDF, ["letters.create", "file"]],
]);
/** One file for each thing that is said of files. */
function pickSample(): CorpusFile[] {
  const seen = new Map<string, CorpusFile>();
  for (const file of FILE_CORPUS) {
    const { expected } = file;
    const said = Array.isArray(expected) ? expected.join(". ").replace(/[\d.]+/g, "N") : expected.kind;
    const key = `${RULES.get(file.rule)?.[1]} ${said}`;
    if (!seen.has(key)) seen.set(key, file);
  }
  return [...seen.values()];
}

test("the forms give the same messages", async ({ page }) => {
  await signIn(page);
  for (const [rule, [preset, field]] of RULES) {
    await openReady(page, `/?preset=${preset}`);
    const control = page.locator(`[name="field.${field}"]`);
    const about = page.locator(`#field-${field}-error`);
    for (const { name, make, expected } of pickSample().filter((file) => file.rule === rule)) {
      await test.step(name, async () => {
        await control.setInputFiles({
          name: "picked.bin",
          mimeType: "text/plain",
          buffer: Buffer.from(await make()),
        });
        const attached = page.getByRole("button", { name: "Remove picked.bin" });
        if (Array.isArray(expected)) {
          await expect(about).toHaveText(`picked.bin: ${expected.join(". ")}`);
          await expect(attached).toHaveCount(0);
        } else {
          await expect(attached).toBeVisible();
          await expect(about).toHaveCount(0);
        }
      });
    }
  }
});
