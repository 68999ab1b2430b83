/** "1 credit", "2 credits". */
export function formatCredits(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "credit" : "credits"}`;
}
