/** Deviations of the provider from its reference that live accounts may show. Each can be changed at any time. */
export interface Behaviour {
  /**
   * The scope of an idempotency key: the whole `request` (another one with the key gets 422), the `key` alone
   * (another one gets the first answer), or the key in `all-accounts` of the provider.
   */
  idempotency: "request" | "key" | "all-accounts";
  /** Number of tags that are kept, from the first; null: all. */
  tagsKept: number | null;
  /** Number of characters of a piece's tags that are kept, from the first; null: all. */
  tagCharsKept: number | null;
  /** Tags come back in the reverse order. */
  tagsReversed: boolean;
  /** Delay in ms after which `reporting/list` has a new piece. */
  listDelayMs: number;
  /** The answer to a request that is repeated with its key, in the words of `npm run verify-provider`. */
  replay: "409, the same answer" | "200, the same answer" | "200, another answer";
  /** The ID of a test. */
  sampleId: string;
  /** Answer for a page after the end of a list: its first rows again, nothing, or a refusal. */
  listEnd: "empty" | "rows again" | "404";
  /** Format of `X-RateLimit-Reset` for the end of the current minute. */
  resetHeader: "seconds" | "epoch-seconds" | "epoch-ms" | "negative" | "absent";
  /** Never answers and does nothing. */
  hangs: boolean;
}

/** The behaviour that the reference documents. */
export const DOCUMENTED: Readonly<Behaviour> = {
  idempotency: "request",
  tagsKept: null,
  tagCharsKept: null,
  tagsReversed: false,
  listDelayMs: 0,
  replay: "409, the same answer",
  sampleId: "0",
  listEnd: "empty",
  resetHeader: "seconds",
  hangs: false,
};

/** Facts of `npm run verify-provider -- --save FILE` that change the behaviour here, by their ids. */
const SAVED: Readonly<Record<string, keyof Behaviour>> = {
  replay: "replay",
  "sample-id": "sampleId",
  "list-end": "listEnd",
  "reset-header": "resetHeader",
};

/** Parses the recorded behaviour of a real account. @param text the saved file */
export function parseSavedBehaviour(text: string): Partial<Behaviour> {
  const saved: Record<string, string> = JSON.parse(text);
  return Object.fromEntries(
    Object.entries(SAVED).flatMap(([fact, name]) => (saved[fact] ? [[name, saved[fact]]] : [])),
  );
}

/** The tags that the provider keeps of a new piece's tags. */
export function keepTags(sent: string, { tagsKept, tagCharsKept, tagsReversed }: Behaviour): string {
  if (tagsKept === null && tagCharsKept === null && !tagsReversed) return sent;
  const tags = sent.split(",").slice(0, tagsKept ?? undefined);
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
