import type { Page } from "playwright/test";
import { PREVIEW } from "~/print/messages";
import { expect, openReady, test } from "../fixtures";
import { signIn } from "../sign-in";

/** Typing beside the preview, on a machine four times as slow. */
const SLOWDOWN = 4;
/** At most: one round that is quick enough will do. */
const ROUNDS = 8;
const TEXT = "The quick brown fox jumps over the lazy dog.";
/** What a person does not notice. */
const LIMIT_MS = 50;

interface Delays {
  /** Until a key was dealt with, in ms: the median and the 95th of a hundred. */
  input: { median: number; most: number };
  /** Until the page was drawn after it. */
  paint: { median: number; most: number };
}

/** Notes for each key how long it waited, and how long until the page was drawn again. */
async function watchKeys(page: Page): Promise<void> {
  await page.evaluate(() => {
    const noted: { input: number; paint: number }[] = [];
    Object.assign(window, { noted });
    const onKey = (event: KeyboardEvent) => {
      const input = performance.now() - event.timeStamp;
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => noted.push({ input, paint: performance.now() - event.timeStamp });
        port2.postMessage(null);
      });
    };
    window.addEventListener("keydown", onKey, true);
  });
}

async function typeOnce(page: Page, field: string): Promise<Delays> {
  const control = page.locator(`[name="field.${field}"]`);
  await page.evaluate(() => {
    (window as unknown as { noted: object[] }).noted.length = 0;
  });
  await control.pressSequentially(TEXT, { delay: 30 });
  const noted = () =>
    page.evaluate(() => (window as unknown as { noted: { input: number; paint: number }[] }).noted);
  await expect.poll(async () => (await noted()).length).toBe(TEXT.length);
  const keys = await noted();
  const read = (name: "input" | "paint") => {
    const sorted = keys.map((key) => key[name]).sort((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
    return { median: at(0.5), most: at(0.95) };
  };
  return { input: read("input"), paint: read("paint") };
}

/** The quickest of several rounds, because others use this machine too. */
function pickBest(rounds: Delays[]): Delays {
  const least = (name: "input" | "paint", of: "median" | "most") =>
    Math.min(...rounds.map((round) => round[name][of]));
  const read = (name: "input" | "paint") => ({ median: least(name, "median"), most: least(name, "most") });
  return { input: read("input"), paint: read("paint") };
}

/**
 * How much slower, in what a person notices: from 1 on it is felt. Where the machine is so busy that all takes longer
 * than that, the measure is how long it takes without the preview.
 */
function measureLoss(shown: number, hidden: number): number {
  return (shown - hidden) / Math.max(LIMIT_MS, hidden);
}

for (const [form, field] of [
  ["postcards", "message"],
  ["letters", "content"],
] as const) {
  test(`typing in ${form} is as quick with the preview as without it`, async ({ page, context }) => {
    test.slow();
    await signIn(page);
    await openReady(page, `/?preset=${form}.create`);
    await watchKeys(page);
    const slow = await context.newCDPSession(page);
    await slow.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    const rounds: Record<"shown" | "hidden", Delays[]> = { shown: [], hidden: [] };
    let input = 1;
    let paint = 1;
    for (let round = 0; round < ROUNDS && (input >= 1 || paint >= 1); round++) {
      rounds.shown.push(await typeOnce(page, field));
      await page.getByRole("button", { name: PREVIEW.hide }).click();
      await expect(page.getByRole("region", { name: "Drawing" })).toHaveCount(0);
      rounds.hidden.push(await typeOnce(page, field));
      await page.getByRole("button", { name: PREVIEW.show }).click();
      await expect(page.getByRole("region", { name: "Drawing" })).toBeVisible();
      const shown = pickBest(rounds.shown);
      const hidden = pickBest(rounds.hidden);
      input = measureLoss(shown.input.most, hidden.input.most);
      paint = measureLoss(shown.paint.median, hidden.paint.median);
    }
    test.info().annotations.push({ type: "delays", description: JSON.stringify(rounds) });
    expect(input).toBeLessThan(1);
    expect(paint).toBeLessThan(1);
  });
}
