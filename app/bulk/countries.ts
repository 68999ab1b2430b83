/** Names of countries that `Intl` does not give in English. */
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

/** The country's English name. */
export function formatCountry(code: string): string {
  return names.of(code) ?? code;
}

/** The ISO code that a cell means, among those mail can be sent to; null for any other text. */
export function parseCountry(text: string, codes: readonly string[]): string | null {
  const written = text.trim();
  const upper = written.toUpperCase();
  if (codes.includes(upper)) return upper;
  const lower = written.toLowerCase();
  const other = OTHER_NAMES[lower];
  if (other && codes.includes(other)) return other;
  return codes.find((code) => formatCountry(code).toLowerCase() === lower) ?? null;
}

/** Patterns of postcodes, for countries where they are certain. */
const POSTCODES: Readonly<Record<string, { pattern: RegExp; example: string }>> = {
  US: { pattern: /^\d{5}(-?\d{4})?$/, example: "97205" },
  GB: { pattern: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i, example: "SW1A 1AA" },
  CA: { pattern: /^[A-Z]\d[A-Z][ -]?\d[A-Z]\d$/i, example: "K1A 0B1" },
  AU: { pattern: /^\d{4}$/, example: "2000" },
  DE: { pattern: /^\d{5}$/, example: "10115" },
  FR: { pattern: /^\d{5}$/, example: "75001" },
  IT: { pattern: /^\d{5}$/, example: "00184" },
  ES: { pattern: /^\d{5}$/, example: "28001" },
};

/** An example of the postcodes of a country, where this is none of them; null where it is, or cannot be told. */
export function findPostcodeExample(country: string, postcode: string): string | null {
  const rule = POSTCODES[country];
  return rule && !rule.pattern.test(postcode.trim()) ? rule.example : null;
}
