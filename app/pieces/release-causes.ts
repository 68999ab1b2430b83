/** The reason why the credits of a piece were released; send/README.md explains them. */
export type ReleaseCause =
  | "refused"
  | "rate_limited"
  | "never_called"
  | "unreachable"
  | "sample"
  | "not_listed"
  | "given_up"
  | "decided";

interface ReleaseRule {
  /** The row of a list: `ready` is sent again with a new key, `refused` needs a person's retry. */
  row: "ready" | "refused";
  /** True when the provider certainly did nothing, so that the same request may be sent with the same key. */
  keyIsFree: boolean;
  /** The HTTP status of a repeat that is answered without the provider's own answer. */
  httpStatus: 200 | 502 | 503;
}

const FINAL = { row: "refused", keyIsFree: false, httpStatus: 200 } as const;

const RELEASE_RULES = {
  refused: FINAL,
  rate_limited: { row: "ready", keyIsFree: true, httpStatus: 200 },
  never_called: { row: "ready", keyIsFree: true, httpStatus: 503 },
  unreachable: { row: "ready", keyIsFree: true, httpStatus: 502 },
  sample: FINAL,
  not_listed: FINAL,
  given_up: FINAL,
  decided: FINAL,
} as const satisfies Record<ReleaseCause, ReleaseRule>;

/** Finds what follows from a release. Without a stored cause, only a person sends the piece again. */
export function findReleaseRule(cause: ReleaseCause | null): ReleaseRule {
  return cause === null ? FINAL : RELEASE_RULES[cause];
}

/** Causes that free the key. */
export const KEY_FREEING_CAUSES = (Object.keys(RELEASE_RULES) as ReleaseCause[]).filter(
  (cause) => RELEASE_RULES[cause].keyIsFree,
);
