import { formatCount, formatInteger } from "~/platform/format-integer";

/** "1 credit", "2 credits". */
export function formatCredits(count: number): string {
  return formatCount(count, "credit");
}

/** ", of which 1 is reserved" after a balance; "" when nothing is reserved. */
export function formatHeldPart(held: number): string {
  return held === 0 ? "" : `, of which ${formatInteger(held)} ${held === 1 ? "is" : "are"} reserved`;
}
