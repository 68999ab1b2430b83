import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Page, test as plain } from "playwright/test";
import { build } from "vite";
import type { FileCheck } from "~/print/artwork/checked-file";
import { type FileRule, FRONT_BACK, LETTER_PDF, SIGNATURE } from "~/print/artwork/file-rules";
import { PROJECT } from "../../support/console/console-build";
import type { CorpusFile } from "../../support/files/corpus-row";
import { FILE_CORPUS } from "../../support/files/file-corpus";
import { expect, openReady, test } from "../fixtures";
import { signIn } from "../sign-in";

const RULES = new Map<FileRule, [preset: string, field: string]>([
  [FRONT_BACK, ["postcards.create", "front"]],
  [SIGNATURE, ["postcards.create", "signature"]],
  [LETTER_PDF, ["letters.create", "file"]],
]);
const PER_CALL = 50;

/** The checks as a browser runs them: a script that leaves `checks` behind. */
async function bundleChecks(): Promise<string> {
  const built = await build({
    configFile: false,
    root: PROJECT,
    logLevel: "error",
    resolve: { alias: { "~": `${PROJECT}app` } },
    build: {
      write: false,
      lib: { entry: `${PROJECT}app/print/artwork/check-file.ts`, formats: ["iife"], name: "checks" },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (!output || !("output" in output)) throw new Error("Nothing was built");
  return output.output[0].code;
}

interface Checked {
  check: FileCheck;
  bytes: number;
  /** Of at most ten runs the quickest, because others use this machine too. */
  ms: number;
}

/** Gives the browser the files by their places in the corpus. */
async function serveCorpus(): Promise<{ origin: string; close: () => void }> {
  const server = createServer(async ({ url = "/" }, answer) => {
    const bytes = await FILE_CORPUS[Number(url.slice(1))]?.make();
    answer.end(url === "/" || !bytes ? "" : bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** Has the browser check files of the corpus from one place to another, and time that. */
async function checkInBrowser(page: Page, from: number, to: number, limit: number): Promise<Checked[]> {
  const rules = FILE_CORPUS.slice(from, to).map(({ rule }) => rule);
  return page.evaluate(
    async ({ from, rules, limit }) => {
      const { checks } = window as unknown as {
        checks: { checkFile: (bytes: Uint8Array, rule: FileRule) => FileCheck };
      };
      const checked: Checked[] = [];
      for (const [at, rule] of rules.entries()) {
        const bytes = new Uint8Array(await (await fetch(`/${from + at}`)).arrayBuffer());
        let ms = Number.POSITIVE_INFINITY;
        let check: FileCheck | undefined;
        for (let round = 0; round < 10 && ms >= limit; round++) {
          const start = performance.now();
          check = checks.checkFile(bytes, rule);
          ms = Math.min(ms, performance.now() - start);
        }
        checked.push({ check: check as FileCheck, bytes: bytes.length, ms });
      }
      return checked;
    },
    { from, rules, limit },
  );
}

/** 250 ms where 25 MB are looked at in 25 ms; more where the machine is slower than that. */
function findLimit(page: Page): Promise<number> {
  return page.evaluate(() => {
    const bytes = new Uint8Array(25_000_000);
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round++) {
      const start = performance.now();
      let sum = 0;
      for (let at = 0; at < bytes.length; at++) sum = (sum + (bytes[at] as number)) | 0;
      least = Math.min(least, performance.now() - start + sum);
    }
    return Math.max(250, 10 * least);
  });
}

plain("every file of the corpus is checked alike in the browser, in time", async ({ page }) => {
  const corpus = await serveCorpus();
  await page.goto(corpus.origin);
  await page.evaluate(await bundleChecks());
  const limit = await findLimit(page);
  for (let from = 0; from < FILE_CORPUS.length; from += PER_CALL) {
    const checked = await checkInBrowser(page, from, from + PER_CALL, limit);
    for (const [at, { check, bytes, ms }] of checked.entries()) {
      const { name, expected: wanted } = FILE_CORPUS[from + at] as CorpusFile;
      const refused = Array.isArray(wanted);
      const expected = refused ? { ok: false, messages: wanted } : { ok: true, file: { ...wanted, bytes } };
      expect.soft(check, name).toEqual(expected);
      expect.soft(ms, name).toBeLessThan(limit);
    }
  }
  corpus.close();
});

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
