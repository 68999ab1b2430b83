/** `12,345`. The browser's own format would take 10 ms of each page's hydration to load. */
export function formatInteger(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "1 row", "1,204 rows". */
export function formatCount(count: number, noun: string): string {
  return `${formatInteger(count)} ${noun}${count === 1 ? "" : "s"}`;
}
