/**
 * The country of a base URL's account, by its label, letter case aside: it decides paper, currency and the country of an
 * address that names none. Every label but `US` means Great Britain.
 */
export function findHome({ label }: { label: string }): "US" | "GB" {
  return label.toUpperCase() === "US" ? "US" : "GB";
}
