/** "$9.99" */
export function formatPrice({ amountCents, currency }: { amountCents: number; currency: string }): string {
  return formatMoney(amountCents, currency);
}

/** An amount in the smallest unit of its currency, as people write it: "$9.99", "¥1,200". */
export function formatMoney(minorUnits: number, currency: string, moreDigits = 0): string {
  const digits = countDigits(currency);
  return (minorUnits / 10 ** digits).toLocaleString("en-US", {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits + moreDigits,
  });
}

/** The same for files: "9.99". */
export function writeMoney(minorUnits: number, currency: string): string {
  const digits = countDigits(currency);
  return (minorUnits / 10 ** digits).toFixed(digits);
}

/** How many digits of a currency stand behind the point: two for dollars, none for yen. */
export function countDigits(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
  }).resolvedOptions();
  return maximumFractionDigits ?? 2;
}
