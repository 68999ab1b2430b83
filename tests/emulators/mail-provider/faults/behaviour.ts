/** How the provider may differ from its reference, in ways that live accounts may show. Each can be changed at any time. */
export interface Behaviour {
  /**
   * What an idempotency key is compared with: the whole `request` (another one with it gets 422), the `key` alone
   * (another one gets the first answer), or the key alone in `all-accounts` of the provider.
   */
  idempotency: "request" | "key" | "all-accounts";
  /** So many tags of a piece are kept, from the front; null: all. */
  tagsKept: number | null;
  /** So many characters of a piece's tags are kept, from the front; null: all. */
  tagCharsKept: number | null;
  /** Tags come back in the reverse order. */
  tagsReversed: boolean;
  /** A new piece is listed by `reporting/list` so much later, in ms. */
  listDelayMs: number;
  /** How `X-RateLimit-Reset` spells the end of the current minute. */
  resetHeader: "seconds" | "epoch-seconds" | "epoch-ms" | "negative" | "absent";
  /** Nothing is answered, and nothing is done. */
  hangs: boolean;
}

/** As the reference says. */
export const DOCUMENTED: Readonly<Behaviour> = {
  idempotency: "request",
  tagsKept: null,
  tagCharsKept: null,
  tagsReversed: false,
  listDelayMs: 0,
  resetHeader: "seconds",
  hangs: false,
};

/** The tags that the provider keeps of those that a piece came with. */
export function keepTags(given: string, { tagsKept, tagCharsKept, tagsReversed }: Behaviour): string {
  if (tagsKept === null && tagCharsKept === null && !tagsReversed) return given;
  const tags = given.split(",").slice(0, tagsKept ?? undefined);
  return (tagsReversed ? tags.reverse() : tags).join(",").slice(0, tagCharsKept ?? undefined);
}

/** `X-RateLimit-Reset` for a minute that ends in `seconds`; null: the header is absent. */
export function spellReset(seconds: number, { resetHeader }: Behaviour, nowMs: number): string | null {
  switch (resetHeader) {
    case "seconds":
      return String(seconds);
    case "epoch-seconds":
      return String(Math.floor(nowMs / 1000) + seconds);
    case "epoch-ms":
      return String(nowMs + seconds * 1000);
    case "negative":
      return String(-Math.max(1, seconds));
    case "absent":
      return null;
  }
}
