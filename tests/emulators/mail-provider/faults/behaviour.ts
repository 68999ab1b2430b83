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
  /** The answer to a request that is repeated with its key: as `npm run verify-provider` names it. */
  replay: "409, the same answer" | "200, the same answer" | "200, another answer";
  /** The ID of a test. */
  sampleId: string;
  /** Answer of a list beyond its end: its first rows again, nothing, or a refusal. */
  listEnd: "empty" | "rows again" | "404";
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
  replay: "409, the same answer",
  sampleId: "0",
  listEnd: "empty",
  resetHeader: "seconds",
  hangs: false,
};

/** Facts of `npm run verify-provider -- --save FILE` that change what is here, by their ids. */
const SAVED: Readonly<Record<string, keyof Behaviour>> = {
  replay: "replay",
  "sample-id": "sampleId",
  "list-end": "listEnd",
  "reset-header": "resetHeader",
};

/** The behaviour that a real account showed. @param text of the saved file */
export function parseSavedBehaviour(text: string): Partial<Behaviour> {
  const saved: Record<string, string> = JSON.parse(text);
  return Object.fromEntries(
    Object.entries(SAVED).flatMap(([fact, name]) => (saved[fact] ? [[name, saved[fact]]] : [])),
  );
}

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
