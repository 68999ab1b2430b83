/** "1 credit", "2 credits". */
export function formatCredits(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "credit" : "credits"}`;
}

/** ", of which 1 is reserved" after a balance; "" when nothing is reserved. */
export function formatHeldPart(held: number): string {
  return held === 0 ? "" : `, of which ${held.toLocaleString("en")} ${held === 1 ? "is" : "are"} reserved`;
}
