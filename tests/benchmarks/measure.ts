/** How long something took, in ms: half of the times were shorter than `median`, 99 of 100 than `p99`. */
export interface Timing {
  median: number;
  p99: number;
}

/**
 * Does some things so many times, one after the other in each round, and times each; a tenth more at first is not counted.
 * Null for what is null.
 */
export async function takeTimes(
  rounds: number,
  works: readonly (((round: number) => Promise<unknown>) | null)[],
): Promise<(Timing | null)[]> {
  const times = works.map(() => [] as number[]);
  for (let round = -Math.ceil(rounds / 10); round < rounds; round++) {
    for (const [n, work] of works.entries()) {
      if (!work) continue;
      const startedAt = performance.now();
      await work(round + rounds);
      if (round >= 0) times[n]?.push(performance.now() - startedAt);
    }
  }
  return times.map((taken) => (taken.length > 0 ? toTiming(taken) : null));
}

function toTiming(times: number[]): Timing {
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { median: at(0.5), p99: at(0.99) };
}

/** "0.31 / 1.20", ms. */
export function writeTiming({ median, p99 }: Timing): string {
  return `${median.toFixed(2)} / ${p99.toFixed(2)}`;
}

/** Columns as wide as their widest cell, the first to the left, the others to the right. */
export function writeTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("   ");
  return rows.map(line).join("\n");
}
