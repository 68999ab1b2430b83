import { COUNTRY_NAMES } from "~/catalogue/options";
import type { PreviewRecipient } from "./preview-content";

/** Position of the postcode, by country. */
type Locality =
  /** `Portland OR 97205` */
  | "city-state-postcode"
  /** `10115 Berlin`; in Italy followed by the province */
  | "postcode-city"
  /** Postcode on its own line, no county: the Royal Mail format */
  | "postcode-last";

interface CountryRule {
  locality: Locality;
  /** The form of its postcodes, without spaces and hyphens. */
  postcode: RegExp;
  example: string;
}

const CANADIAN = /^[A-CEGHJ-NPR-TVXY]\d[A-CEGHJ-NPR-TV-Z]\d[A-CEGHJ-NPR-TV-Z]\d$/;
const BRITISH = /^(GIR0AA|[A-Z]{1,2}\d[A-Z\d]?\d[ABD-HJLNP-UW-Z]{2})$/;

/**
 * The countries of the mail forms. Addresses in other countries keep the order of the fields, and no postcode is demanded.
 * Sources: the Universal Postal Union's pages of each country (upu.int, addressing solutions).
 */
const COUNTRIES: Readonly<Record<string, CountryRule>> = {
  US: { locality: "city-state-postcode", postcode: /^\d{5}(\d{4})?$/, example: "97205" },
  CA: { locality: "city-state-postcode", postcode: CANADIAN, example: "K1A 0B1" },
  AU: { locality: "city-state-postcode", postcode: /^\d{4}$/, example: "2000" },
  GB: { locality: "postcode-last", postcode: BRITISH, example: "SW1A 1AA" },
  FR: { locality: "postcode-city", postcode: /^\d{5}$/, example: "75001" },
  DE: { locality: "postcode-city", postcode: /^\d{5}$/, example: "10115" },
  IT: { locality: "postcode-city", postcode: /^\d{5}$/, example: "00118" },
  ES: { locality: "postcode-city", postcode: /^\d{5}$/, example: "28001" },
  NL: { locality: "postcode-city", postcode: /^\d{4}[A-Z]{2}$/, example: "1012 AB" },
  BE: { locality: "postcode-city", postcode: /^\d{4}$/, example: "1000" },
  CH: { locality: "postcode-city", postcode: /^\d{4}$/, example: "8001" },
  AT: { locality: "postcode-city", postcode: /^\d{4}$/, example: "1010" },
  SE: { locality: "postcode-city", postcode: /^\d{5}$/, example: "111 20" },
  DK: { locality: "postcode-city", postcode: /^\d{4}$/, example: "1050" },
  NO: { locality: "postcode-city", postcode: /^\d{4}$/, example: "0150" },
};

/** Finds the rule of a country by its code; undefined for others. */
export function findCountryRule(code: string): CountryRule | undefined {
  return Object.hasOwn(COUNTRIES, code) ? COUNTRIES[code] : undefined;
}

/**
 * The lines of an address as printed: name, company, street lines, the place as its country writes it, and the country
 * in capitals unless it is `home`.
 */
export function formatAddress(recipient: PreviewRecipient, home: string): string[] {
  const code = (recipient.country ?? "").trim().toUpperCase();
  return [
    join(recipient.title, recipient.firstname, recipient.lastname),
    join(recipient.company),
    join(recipient.address1),
    join(recipient.address2),
    ...buildLocality(recipient, code === "" ? home : code),
    code === home ? "" : ((Object.hasOwn(COUNTRY_NAMES, code) && COUNTRY_NAMES[code]) || code).toUpperCase(),
  ].filter((line) => line !== "");
}

function buildLocality({ city, state, postcode }: PreviewRecipient, code: string): string[] {
  switch (findCountryRule(code)?.locality) {
    case "city-state-postcode":
      // Canada Post asks for two spaces before the postcode.
      return [[join(city, state), join(postcode)].filter(Boolean).join(code === "CA" ? "  " : " ")];
    case "postcode-city":
      return [join(postcode, city, code === "IT" ? state : "")];
    case "postcode-last":
      return [join(city), join(postcode).toUpperCase()];
    default:
      return [join(city, state), join(postcode)];
  }
}

function join(...parts: (string | undefined)[]): string {
  return parts
    .map((part) => (part ?? "").replace(/\s+/g, " ").trim())
    .filter((part) => part !== "")
    .join(" ");
}
