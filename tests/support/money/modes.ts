import type { Behaviour } from "../../emulators/mail-provider/faults/behaviour";
import type { Random } from "../random";

/** What the provider may begin to do, at any time, otherwise than its reference says, without another outcome of mail and money. */
export const LATER_MODES = {
  tagsKept: [null, 1, 3],
  tagCharsKept: [null, 50],
  tagsReversed: [false, true],
  listDelayMs: [0, 60_000],
  resetHeader: ["seconds", "epoch-seconds", "epoch-ms"],
} as const satisfies { [Name in keyof Behaviour]?: readonly Behaviour[Name][] };

/** The same, and how it remembers keys, which it does in one way for as long as pieces are open. */
const MODES = {
  idempotency: ["request", "key", "all-accounts"],
  ...LATER_MODES,
} as const satisfies { [Name in keyof Behaviour]?: readonly Behaviour[Name][] };

/** One of each, by chance. */
export function drawModes(random: Random): Partial<Behaviour> {
  return Object.fromEntries(
    Object.entries(MODES).map(([name, values]) => [name, values[Math.floor(random() * values.length)]]),
  );
}
