import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Page } from "playwright";
import { findQuantile, printTable } from "./measure";
import { openPage, type SeededConsole, SLOW_PROCESSOR, startSeededConsole } from "./slow-browser";

/** One click, and a selector that only the page after it has. */
interface Step {
  name: string;
  click: string | "back" | "forward";
  shows: string;
}

const TAB = (to: string) => `nav[aria-label="Tabs"] a[href="${to}"]`;
const PRESET = (id: string) => `a[href="/?preset=${id}"]`;

const STEPS: readonly Step[] = [
  { name: "to Stored Responses", click: TAB("/stored"), shows: `${TAB("/stored")}[aria-current]` },
  { name: "to User Credits", click: TAB("/users"), shows: `${TAB("/users")}[aria-current]` },
  { name: "to Mail Management", click: TAB("/mail"), shows: `${TAB("/mail")}[aria-current]` },
  { name: "a piece", click: 'main a[href^="/sends/"]', shows: `${TAB("/mail")}:not([aria-current])` },
  { name: "back to the list", click: "back", shows: `${TAB("/mail")}[aria-current="page"]` },
  { name: "forward", click: "forward", shows: `${TAB("/mail")}:not([aria-current])` },
  { name: "to API Builder", click: TAB("/"), shows: `${TAB("/")}[aria-current]` },
  { name: "a preset", click: PRESET("account.balance"), shows: 'input[name=path][value$="account/balance"]' },
  { name: "the postcard editor", click: PRESET("postcards.create"), shows: 'textarea[name="field.message"]' },
];

/** Time that a person's pointer rests on a link before the click. */
const HOVER_MS = 120;

/**
 * Measures the time from a click to the painted new page, warm: on this machine, with a slow processor, and on a
 * slow line.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { rounds: { type: "string", default: "7" } } });
  const running = await startSeededConsole();
  try {
    const columns = [
      await measure(running, { slowLine: false, slowBy: 1 }, Number(values.rounds)),
      await measure(running, { slowLine: false, slowBy: SLOW_PROCESSOR }, Number(values.rounds)),
      await measure(running, { slowLine: true, slowBy: 1 }, Number(values.rounds)),
    ];
    printTable([
      ["click to painted, ms", "as it is", `processor / ${SLOW_PROCESSOR}`, "slow line", "layout shift"],
      ...STEPS.map(({ name }, n) => [
        name,
        ...columns.map((column) => findQuantile(column[n]?.times ?? []).toFixed(0)),
        Math.max(...columns.flatMap((column) => column[n]?.shifts ?? [])).toFixed(3),
      ]),
    ]);
  } finally {
    await running.close();
  }
}

async function measure(
  running: SeededConsole,
  conditions: { slowLine: boolean; slowBy: number },
  rounds: number,
): Promise<{ times: number[]; shifts: number[] }[]> {
  const page = await openPage(running, conditions);
  await page.goto(running.origin);
  await page.waitForSelector("html[data-script=ready]");
  const results = STEPS.map(() => ({ times: [] as number[], shifts: [] as number[] }));
  for (let round = 0; round <= rounds; round++) {
    for (const [n, step] of STEPS.entries()) {
      const { ms, shift } = await take(page, step);
      // The first round loads the code.
      if (round > 0) results[n]?.times.push(ms);
      if (round > 0) results[n]?.shifts.push(shift);
    }
  }
  await page.context().close();
  return results;
}

async function take(page: Page, { click, shows }: Step): Promise<{ ms: number; shift: number }> {
  if (click !== "back" && click !== "forward") await page.locator(click).first().hover();
  await wait(HOVER_MS);
  return page.evaluate(
    async ({ click, shows }) => {
      const before = location.href;
      const startedAt = performance.now();
      if (click === "back" || click === "forward") history[click]();
      else document.querySelector<HTMLElement>(click)?.click();
      // The timeout after a frame's callback runs when that frame is painted.
      do await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      while (location.href === before || !document.querySelector(shows));
      const ms = performance.now() - startedAt;
      // A painted page must not shift.
      let shift = 0;
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          if (entry.startTime > startedAt + ms + 50) shift += (entry as unknown as { value: number }).value;
        }
      });
      observer.observe({ type: "layout-shift" });
      await new Promise((resolve) => setTimeout(resolve, 300));
      observer.disconnect();
      return { ms, shift };
    },
    { click, shows },
  );
}
