/** The options of select fields. */

export const POSTCARD_SIZES = ["4x6", "6x9", "6x11"] as const;
export const MAILING_SIZES = [...POSTCARD_SIZES, "6x4"] as const;

export const FONTS = [
  "Arial",
  "Helvetica",
  "Times",
  "Times New Roman",
  "Courier",
  "Courier New",
  "Verdana",
  "Georgia",
  "Comic Sans MS",
] as const;

/** ISO 3166-1 alpha-2. */
export const COUNTRIES = ["US", "GB", "CA", "AU"] as const;
export const LETTER_COUNTRIES = [...COUNTRIES, "FR", "DE", "IT", "ES", "NL", "BE"] as const;
export const POSTCARD_COUNTRIES = [...LETTER_COUNTRIES, "CH", "AT", "SE", "DK", "NO"] as const;

/** English names of the countries of the mail forms. Not by `Intl`, whose first use takes a browser 30 ms. */
export const COUNTRY_NAMES: Readonly<Record<string, string>> = {
  US: "United States",
  GB: "United Kingdom",
  CA: "Canada",
  AU: "Australia",
  FR: "France",
  DE: "Germany",
  IT: "Italy",
  ES: "Spain",
  NL: "Netherlands",
  BE: "Belgium",
  CH: "Switzerland",
  AT: "Austria",
  SE: "Sweden",
  DK: "Denmark",
  NO: "Norway",
};
