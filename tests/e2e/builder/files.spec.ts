import type { Page } from "playwright/test";
import { DROP_FILE } from "~/builder/forms/file-field";
import { formatManyFiles } from "~/builder/forms/use-file-choice";
import { SENT_WHEN_READ } from "~/builder/page/use-send-controls";
import { LARGE_FILES } from "../../support/files/file-corpus";
import { makeExif, makeJpeg, makeJpegPadding, makePng } from "../../support/files/sample-pictures";
import { expect, openReady, test } from "../fixtures";
import { signIn } from "../sign-in";

/** File fields of the mail forms. */
test.use({ expectedErrors: /status of 413/ });
test.beforeEach(async ({ page }) => signIn(page));

const picture = (name: string, buffer: Uint8Array, mimeType = "image/png") => ({
  name,
  mimeType,
  buffer: Buffer.from(buffer),
});
const SMALL = picture("small.png", makePng(1_872, 1_272));
const [, , [, makeLargePdf]] = LARGE_FILES as [unknown, unknown, (typeof LARGE_FILES)[0]];
const pdf = (name: string, bytes: number) => picture(name, makeLargePdf(bytes), "application/pdf");

test("an oversized form says what was too large, and going back restores it", async ({ page, mailroom }) => {
  const countCalls = () =>
    mailroom.provider.received.filter(({ path }) => path === "postcards/create").length;
  const before = countCalls();
  await page.goto("/?preset=postcards.create");
  const message = page.locator('[name="field.message"]');
  await message.fill("Still here");
  const posted = page.waitForResponse(
    (answer) => answer.request().method() === "POST" && answer.url().includes("?index"),
  );
  // JavaScript refuses such a file earlier, so the browser posts the form on its own.
  await page.locator("form#request").evaluate((form: HTMLFormElement) => {
    form.addEventListener("formdata", ({ formData }) =>
      formData.set("much", new Blob(["x".repeat(25_000_000)])),
    );
    form.submit();
  });
  expect((await posted).status()).toBe(413);
  await expect(page.getByRole("heading", { name: "The form is too large" })).toBeVisible();
  await expect(page.getByText("Something went wrong")).toHaveCount(0);
  await page.goBack();
  await expect(message).toHaveValue("Still here");
  expect(countCalls()).toBe(before);
});

test.describe("with JavaScript", () => {
  test.beforeEach(async ({ page }) => {
    await openReady(page, "/?preset=postcards.create");
  });

  /** A drop or paste of files. */
  async function carry(page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]) {
    const plain = files.map(({ name, mimeType, buffer }) => ({
      name,
      mimeType,
      base64: buffer.toString("base64"),
    }));
    return page.evaluateHandle((list) => {
      const transfer = new DataTransfer();
      for (const { name, mimeType, base64 } of list) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type: mimeType }));
      }
      return transfer;
    }, plain);
  }

  test("a file is dropped on its field, which shows itself as the target", async ({ page }) => {
    const field = page.locator('[name="field.front"]');
    const dataTransfer = await carry(page, [SMALL]);
    await field.dispatchEvent("dragenter", { dataTransfer });
    await field.dispatchEvent("dragover", { dataTransfer });
    await expect(page.getByText(DROP_FILE)).toBeVisible();
    await field.dispatchEvent("drop", { dataTransfer });
    await expect(page.getByText(DROP_FILE)).toBeHidden();
    await expect(page.getByRole("button", { name: "Remove small.png" })).toBeVisible();

    await field.dispatchEvent("drop", { dataTransfer: await carry(page, [SMALL, SMALL]) });
    await expect(page.getByText(formatManyFiles(2)).first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Remove small.png" })).toBeVisible();

    const html = picture("page.pdf", Buffer.from("<html>"), "application/pdf");
    await field.dispatchEvent("drop", { dataTransfer: await carry(page, [html]) });
    await expect(
      page.getByText("page.pdf: Invalid format. Allowed: jpeg, jpg, png, pdf").first(),
    ).toBeVisible();
    await expect(page.getByRole("button", { name: "Remove small.png" })).toHaveCount(0);

    // A file that misses its field does not replace the page.
    const isPrevented = (await carry(page, [SMALL])).evaluate((dataTransfer) => {
      const drop = { dataTransfer: dataTransfer as DataTransfer, bubbles: true, cancelable: true };
      return !document.body.dispatchEvent(new DragEvent("drop", drop));
    });
    expect(await isPrevented).toBe(true);
  });

  test("a picture is pasted with the focus on its field", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      await navigator.clipboard.write([
        new ClipboardItem({ "image/png": new Blob([bytes], { type: "image/png" }) }),
      ]);
    }, SMALL.buffer.toString("base64"));
    await page.keyboard.press("Control+v");
    await page.locator('[name="field.back"]').focus();
    await page.keyboard.press("Control+v");
    await expect(page.getByText("PNG, 1872 x 1272 px")).toHaveCount(1);
    await expect(page.getByText(/^PNG, 1872 x 1272 px/)).toBeVisible();
  });

  test("a large file shows its progress, and another choice or Cancel ends it", async ({ page }) => {
    // Holds a file that was read before its check, until the test's signal.
    await page.evaluate(() => {
      const page = window as unknown as { readOn: () => void };
      const read = Blob.prototype.arrayBuffer;
      Blob.prototype.arrayBuffer = async function (this: Blob) {
        if (this.size > 100_000) await new Promise<void>((resolve) => (page.readOn = resolve));
        return read.call(this);
      };
    });
    const readOn = () => page.evaluate(() => (window as unknown as { readOn: () => void }).readOn());
    const front = page.locator('[name="field.front"]');
    await front.setInputFiles(pdf("large.pdf", 10_000_000));
    const progress = page.getByRole("progressbar", { name: "Reading large.pdf" });
    await expect(progress).toHaveAttribute("value", "1");
    await page.locator('[name="field.message"]').fill("Still here");

    await front.setInputFiles(SMALL);
    await expect(page.getByRole("button", { name: "Remove small.png" })).toBeVisible();
    await expect(progress).toBeHidden();
    await readOn();

    await front.setInputFiles(pdf("other.pdf", 10_000_000));
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await readOn();
    await expect(page.getByRole("progressbar")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Remove small.png" })).toBeVisible();
    await expect(page.getByText("other.pdf")).toHaveCount(0);
  });

  test("a test that is sent while its file is read waits for it, and is not sent without it", async ({
    page,
    mailroom,
  }) => {
    const listSent = () => mailroom.provider.received.filter(({ path }) => path === "postcards/create");
    type Held = { held: Promise<void>; readOn: () => void };
    // Releases the files on the test's signal.
    await page.evaluate(() => {
      const page = window as unknown as Held;
      const read = Blob.prototype.arrayBuffer;
      Blob.prototype.arrayBuffer = async function (this: Blob) {
        await page.held;
        return read.call(this);
      };
    });
    const hold = () =>
      page.evaluate(() => {
        const page = window as unknown as Held;
        page.held = new Promise((resolve) => (page.readOn = resolve));
      });
    const readOn = () => page.evaluate(() => (window as unknown as Held).readOn());
    await hold();
    const before = listSent().length;
    const front = page.locator('[name="field.front"]');
    await page.locator('[name="field.recipient"]').fill("1001");
    await front.setInputFiles(SMALL);
    await page.getByRole("button", { name: "Send test", exact: true }).click();
    await expect(page.getByRole("button", { name: SENT_WHEN_READ })).toBeVisible();
    expect(listSent()).toHaveLength(before);
    await readOn();
    await expect(page.getByText("200 OK")).toBeVisible();
    expect(listSent()).toHaveLength(before + 1);
    expect(listSent().at(-1)?.body).toMatchObject({ front: SMALL.buffer.toString("base64") });

    await page.locator('[name="field.template"]').fill("21001");
    await hold();
    await front.setInputFiles(picture("empty.png", new Uint8Array()));
    await page.getByRole("button", { name: "Send test", exact: true }).click();
    await readOn();
    await expect(page.locator("#field-front-error")).toBeVisible();
    await expect(page.getByRole("button", { name: "Send test", exact: true })).toBeVisible();
    expect(listSent()).toHaveLength(before + 1);
  });

  test("a picture with an EXIF rotation is shown upright, small and large", async ({ page }) => {
    const preview = page.locator('img[src^="data:image"]');
    for (const padding of [0, 600_000]) {
      const bytes = makeJpeg(848, 1_248, { first: [makeExif(6, false), ...makeJpegPadding(padding)] });
      await page
        .locator('[name="field.front"]')
        .setInputFiles(picture(`${padding}.jpg`, bytes, "image/jpeg"));
      await expect(page.getByText("JPEG, 1248 x 848 px")).toBeVisible();
      await expect(page.getByRole("button", { name: `Remove ${padding}.jpg` })).toBeVisible();
      await expect
        .poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth / image.naturalHeight))
        .toBeCloseTo(1_248 / 848, 1);
    }
    await expect(page.locator('image[href^="data:image/jpeg"]')).toBeVisible();
  });

  test("a picture that the browser cannot decode is named where it would be drawn", async ({ page }) => {
    const damaged = makePng(1_872, 1_272);
    damaged.fill(7, 41, damaged.length - 16);
    await page.locator('[name="field.front"]').setInputFiles(picture("damaged.png", damaged));
    const drawing = page.getByRole("region", { name: "Drawing" });
    await expect(drawing.getByText("This image cannot be shown")).toBeVisible();
    await expect(drawing.getByText("damaged.png")).toBeVisible();
  });

  test("a large file is kept with the form during the payment", async ({ page }) => {
    const large = pdf("front.pdf", 2_000_000);
    await page.locator('[name="field.front"]').setInputFiles(large);
    await expect(page.getByRole("button", { name: "Remove front.pdf" })).toBeVisible();
    const posted = await page.locator("form#request").evaluate((form: HTMLFormElement) => {
      const data = new FormData(form);
      return [data.get("kept.front"), data.get("kept-name.front")];
    });
    expect(posted).toEqual([large.buffer.toString("base64"), "front.pdf"]);
  });
});
