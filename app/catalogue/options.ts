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
/** In points. */
export const FONT_SIZES = ["8", "9", "10", "11", "12", "13", "14", "16", "18", "20"] as const;
export const FONT_COLOURS = [
  "black",
  "white",
  "red",
  "blue",
  "green",
  "gray",
  "navy",
  "maroon",
  "#000000",
  "#333333",
  "#666666",
] as const;
export const PADDINGS = ["0", "5", "10", "15", "20"] as const;

const MAIL_ADDONS = ["FIRST_CLASS", "PRIORITY", "CERTIFIED", "RETURN_RECEIPT"] as const;
export const POSTCARD_ADDONS = ["STANDARD", ...MAIL_ADDONS] as const;
export const LETTER_ADDONS = [...MAIL_ADDONS, "REGISTERED"] as const;

export const PAPER_TYPES = ["standard", "premium", "letterhead"] as const;
export const ENVELOPE_TYPES = ["standard", "window", "premium", "security"] as const;

export const TITLES = ["Mr", "Mrs", "Ms", "Miss", "Dr", "Prof", "Sir", "Lady", "Lord"] as const;

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

export const MAIL_STATUSES = [
  "draft",
  "queued",
  "sent",
  "delivered",
  "cancelled",
  "returned",
  "failed",
] as const;
export const EVENT_TYPES = ["sent", "delivered", "returned", "failed"] as const;
