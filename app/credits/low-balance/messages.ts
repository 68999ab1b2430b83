/** The sentences about a low balance, shown on every page. */

/** @param name whose it is; null: the viewer's @param threshold credits that it fell below */
export function formatLowBalance(name: string | null, threshold: number): string {
  return `${name === null ? "Your" : `${name}'s`} balance fell below ${threshold} credits.`;
}
