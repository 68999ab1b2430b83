/** Formats an amount in the smallest unit of its currency: "$9.99", "¥1,200". */
export function formatMoney(minorUnits: number, currency: string, moreDigits = 0): string {
  const digits = countDigits(currency);
  return findFormat(currency, digits, digits + moreDigits).format(minorUnits / 10 ** digits);
}

/** Formats a price of the provider in whole units, "$0.99"; without a currency when none is configured. */
export function formatCost(amount: number, currency: string | null, moreDigits = 0): string {
  if (currency !== null) return formatMoney(amount * 10 ** countDigits(currency), currency, moreDigits);
  return amount.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 + moreDigits });
}

/** Formats an amount for files: "9.99". */
export function writeMoney(minorUnits: number, currency: string): string {
  const digits = countDigits(currency);
  return (minorUnits / 10 ** digits).toFixed(digits);
}

/** Counts the decimal digits of a currency: two for dollars, none for yen. */
export function countDigits(currency: string): number {
  return findFormat(currency).resolvedOptions().maximumFractionDigits ?? 2;
}

/** Caches formats by currency: making one takes longer than writing a row of a table. */
const formats = new Map<string, Intl.NumberFormat>();

function findFormat(currency: string, minimumFractionDigits?: number, maximumFractionDigits?: number) {
  const key = `${currency} ${minimumFractionDigits} ${maximumFractionDigits}`;
  const known = formats.get(key);
  if (known) return known;
  const digits = { minimumFractionDigits, maximumFractionDigits };
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency, ...digits });
  formats.set(key, format);
  return format;
}
