/** "$9.99" */
export function formatPrice({ amountCents, currency }: { amountCents: number; currency: string }): string {
  return formatMoney(amountCents, currency);
}

/** An amount in the smallest unit of its currency, as people write it: "$9.99", "¥1,200". */
export function formatMoney(minorUnits: number, currency: string, moreDigits = 0): string {
  const digits = countDigits(currency);
  return findFormat(currency, digits, digits + moreDigits).format(minorUnits / 10 ** digits);
}

/** A price of the provider's in whole units, "$0.99"; without a currency where none is configured. */
export function formatCost(amount: number, currency: string | null, moreDigits = 0): string {
  if (currency !== null) return formatMoney(amount * 10 ** countDigits(currency), currency, moreDigits);
  return amount.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 + moreDigits });
}

/** The same for files: "9.99". */
export function writeMoney(minorUnits: number, currency: string): string {
  const digits = countDigits(currency);
  return (minorUnits / 10 ** digits).toFixed(digits);
}

/** How many digits of a currency stand behind the point: two for dollars, none for yen. */
export function countDigits(currency: string): number {
  return findFormat(currency).resolvedOptions().maximumFractionDigits ?? 2;
}

/** Making one takes longer than writing a row of a table. There are as many as currencies. */
const formats = new Map<string, Intl.NumberFormat>();

function findFormat(
  currency: string,
  minimumFractionDigits?: number,
  maximumFractionDigits?: number,
): Intl.NumberFormat {
  const key = `${currency} ${minimumFractionDigits} ${maximumFractionDigits}`;
  const known = formats.get(key);
  if (known) return known;
  const digits = { minimumFractionDigits, maximumFractionDigits };
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency, ...digits });
  formats.set(key, format);
  return format;
}
