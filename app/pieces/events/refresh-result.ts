/** What came of asking the provider where pieces stand. */

/** What was found out about one item. */
export interface RefreshedItem {
  id: string;
  /** The provider's word now; the last known one where it could not be asked. */
  status: string;
  /** Whether it is further than before. */
  changed: boolean;
  /** Credits that came back, because the provider had cancelled it. */
  refunded: number;
  /** Why the provider could not be asked, or did not say; null when it did. */
  problem: string | null;
}

export interface RefreshResult {
  items: RefreshedItem[];
  /** Ids that were not asked for, to be asked later. */
  left: string[];
  /** When: the provider's rate limit is nearly used up; null when nothing is left, or when they may be asked at once. */
  retryAfterSeconds: number | null;
  /** All of it in words. */
  message: string;
}

/** What `POST /api/mail/refresh` answers when it could ask. */
export interface WireRefresh {
  items: RefreshedItem[];
  left: string[];
  retry_after_seconds: number | null;
}

/** "11 items looked at, 1 changed." and what else came of it; `left` were not asked for. */
export function tellRefresh(
  items: readonly RefreshedItem[],
  left: number,
  retryAfterSeconds: number | null,
): string {
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;
  const refunded = items.reduce((sum, item) => sum + item.refunded, 0);
  const problems = items.filter(({ problem }) => problem !== null);
  const sentences = [
    `${count(items.length, "item")} looked at, ${items.filter(({ changed }) => changed).length} changed.`,
    ...(refunded > 0 ? [`The provider had cancelled mail: ${count(refunded, "credit")} refunded.`] : []),
    ...(problems.length > 0
      ? [`${problems.length} could not be asked for: ${problems[0]?.problem?.replace(/\.?$/, ".")}`]
      : []),
    ...(left > 0
      ? [
          retryAfterSeconds === null
            ? `${left} left: refresh again to go on.`
            : `${left} left, because the provider's rate limit is nearly used up: go on in ${retryAfterSeconds} s.`,
        ]
      : []),
  ];
  return sentences.join(" ");
}
