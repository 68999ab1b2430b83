/** "$9.99" */
export function formatPrice({ amountCents, currency }: { amountCents: number; currency: string }): string {
  return (amountCents / 100).toLocaleString("en-US", { style: "currency", currency });
}
