/**
 * Finds the country of a base URL's account by its label in any case. It decides paper, currency and the default country of
 * addresses. Every label except `US` means Great Britain.
 */
export function findHome({ label }: { label: string }): "US" | "GB" {
  return label.toUpperCase() === "US" ? "US" : "GB";
}
