/** How long something took, in ms: half of the times were shorter than `median`, 99 of 100 than `p99`. */
export interface Timing {
  median: number;
  p99: number;
}

/** Does something so many times, one after the other, and times each; a tenth more at first is not counted. */
export async function measure(samples: number, work: (round: number) => Promise<unknown>): Promise<Timing> {
  const times: number[] = [];
  for (let round = -Math.ceil(samples / 10); round < samples; round++) {
    const startedAt = performance.now();
    await work(round + samples);
    if (round >= 0) times.push(performance.now() - startedAt);
  }
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
