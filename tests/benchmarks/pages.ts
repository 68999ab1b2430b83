import { parseArgs } from "node:util";
import { findQuantile, printTable } from "./measure";
import { startFloor } from "./processes";
import { openPage, SLOW_PROCESSOR, startSeededConsole } from "./slow-browser";

const PAGES = ["/", "/?preset=postcards.create", "/stored", "/users", "/mail", "/profile"];

/** Milliseconds since the start of the navigation, and transferred kilobytes. */
interface Figures {
  largestPaint: number;
  /** Time until React has hydrated the page. */
  reacts: number;
  sentKb: number;
  /** Sum of layout shifts, as browsers score them. */
  shift: number;
}

/** Measures first visits on a slow line with a slow processor, in turns with a bare Remix app. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { rounds: { type: "string", default: "5" } } });
  const running = await startSeededConsole();
  const floor = await startFloor();
  try {
    const targets = [
      { name: "bare Remix", visited: { ...running, origin: floor.origin }, path: "/" },
      ...PAGES.map((path) => ({ name: path, visited: running, path })),
    ];
    const results = targets.map(() => [] as Figures[]);
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [n, { visited, path }] of targets.entries()) results[n]?.push(await visit(visited, path));
    }
    const medians = results.map(
      (figures) => (name: keyof Figures) => findQuantile(figures.map((each) => each[name])),
    );
    const [bare] = medians;
    printTable([
      ["", "largest paint", "times", "reacts", "times", "KB", "shift"],
      ...targets.map(({ name }, n) => {
        const median = medians[n] ?? (() => Number.NaN);
        const times = (figure: keyof Figures) => (median(figure) / (bare?.(figure) ?? 1)).toFixed(2);
        return [
          name,
          median("largestPaint").toFixed(0),
          times("largestPaint"),
          median("reacts").toFixed(0),
          times("reacts"),
          median("sentKb").toFixed(0),
          median("shift").toFixed(3),
        ];
      }),
    ]);
  } finally {
    await floor.stop();
    await running.close();
  }
}

async function visit(visited: Parameters<typeof openPage>[0], path: string): Promise<Figures> {
  const page = await openPage(visited, { slowLine: true, slowBy: SLOW_PROCESSOR });
  await page.goto(visited.origin + path);
  const figures = await page.evaluate(async () => {
    // In both apps React leaves a property on each element that it has hydrated.
    while (
      !Object.keys(document.querySelector("main") ?? {}).some((name) => name.startsWith("__reactFiber"))
    ) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const reacts = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const [largest = [], shifts = []] = await Promise.all(
      ["largest-contentful-paint", "layout-shift"].map(
        (type) =>
          new Promise<PerformanceEntry[]>((resolve) => {
            new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true });
            setTimeout(() => resolve([]), 300);
          }),
      ),
    );
    const loaded = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const [document_] = performance.getEntriesByType("navigation") as PerformanceResourceTiming[];
    const bytes = [document_, ...loaded].map((entry) => entry?.transferSize ?? 0);
    return {
      largestPaint: largest.at(-1)?.startTime ?? Number.NaN,
      reacts,
      sentKb: bytes.reduce((sum, size) => sum + size, 0) / 1_000,
      shift: shifts.reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0),
    };
  });
  await page.context().close();
  return figures;
}
