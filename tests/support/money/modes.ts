import type { Behaviour } from "../../emulators/mail-provider/faults/behaviour";
import type { Random } from "../random";

/**
 * Deviations from the provider's reference that may start at any time and do not change the outcome of mail and
 * money.
 */
export const LATER_MODES = {
  tagsKept: [null, 1, 3],
  tagCharsKept: [null, 50],
  tagsReversed: [false, true],
  listDelayMs: [0, 60_000],
  resetHeader: ["seconds", "epoch-seconds", "epoch-ms"],
} as const satisfies { [Name in keyof Behaviour]?: readonly Behaviour[Name][] };

/** The same deviations plus the scope of idempotency keys, which must stay the same while pieces are open. */
const MODES = {
  idempotency: ["request", "key", "all-accounts"],
  ...LATER_MODES,
} as const satisfies { [Name in keyof Behaviour]?: readonly Behaviour[Name][] };

/** Draws one of each at random. */
export function drawModes(random: Random): Partial<Behaviour> {
  return Object.fromEntries(
    Object.entries(MODES).map(([name, values]) => [name, values[Math.floor(random() * values.length)]]),
  );
}
