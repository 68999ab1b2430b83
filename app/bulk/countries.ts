/** Country names that `Intl` does not give in English. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  uk: "GB",
  england: "GB",
  scotland: "GB",
  wales: "GB",
  "great britain": "GB",
  usa: "US",
  "united states of america": "US",
  america: "US",
  deutschland: "DE",
  österreich: "AT",
  schweiz: "CH",
  suisse: "CH",
  españa: "ES",
  italia: "IT",
  nederland: "NL",
  "the netherlands": "NL",
  belgique: "BE",
  sverige: "SE",
  danmark: "DK",
  norge: "NO",
};

const names = new Intl.DisplayNames("en", { type: "region" });

/** Formats a country code as its English name; other text is unchanged. */
export function formatCountry(code: string): string {
  return /^[A-Z]{2}$/i.test(code) ? (names.of(code.toUpperCase()) ?? code) : code;
}

/** Parses a cell to one of these ISO codes; null when it is none. */
export function parseCountry(text: string, codes: readonly string[]): string | null {
  const written = text.trim();
  const upper = written.toUpperCase();
  if (codes.includes(upper)) return upper;
  const lower = written.toLowerCase();
  const other = OTHER_NAMES[lower];
  if (other && codes.includes(other)) return other;
  return codes.find((code) => formatCountry(code).toLowerCase() === lower) ?? null;
}
