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

function findCountryRule(code: string): CountryRule | undefined {
  return Object.hasOwn(COUNTRIES, code) ? COUNTRIES[code] : undefined;
}

/** Formats an address as printed, with the place as its country writes it, and the country in capitals unless it is `home`. */
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
      // Canada Post requires two spaces before the postcode.
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

/** Lines of an address that can be delivered: GOV.UK Notify's rule for letters. */
const LINES = { fewest: 3, most: 7 };
const LINE_FIELDS = ["firstname", "lastname", "company", "address1", "address2", "city", "state"] as const;
/** GOV.UK Notify refuses lines that begin so: sorting machines take them for something else. */
const BAD_START = /^[[\]()@\\/",=~<>]/;
const NO_FIXED_ABODE = /\b(no fixed (abode|address)|nfa)\b/i;
/** Arial has Latin, Greek and Cyrillic letters; the provider's other typefaces have fewer. */
const PRINTABLE =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}\p{N}\p{P}\p{Z}\p{Sc}\p{Sm}\t\n\r´`^¨¸°©®™§¶~]*$/u;

interface AddressFault {
  code: string;
  /** With `ruins` mail cannot arrive. */
  tone: "ruins" | "warn";
  field: keyof PreviewRecipient;
  text: string;
}

/** Lists the faults of a typed address. Another rule reports an empty one. */
export function listAddressFaults(recipient: PreviewRecipient, home: "US" | "GB"): AddressFault[] {
  const faults = [...LINE_FIELDS.map((field) => findLineFault(recipient, field)), findSignFault(recipient)];
  if (recipient.address1 && recipient.city) {
    faults.push(findPostcodeFault(recipient, home), findLineCountFault(recipient, home));
  }
  return faults.filter((fault) => fault !== null);
}

function findLineFault(recipient: PreviewRecipient, field: keyof PreviewRecipient): AddressFault | null {
  const line = (recipient[field] ?? "").trim();
  if (NO_FIXED_ABODE.test(line)) {
    const text = `Mail cannot be delivered to "${line}".`;
    return { code: "no_fixed_abode", tone: "ruins", field, text };
  }
  if (!BAD_START.test(line)) return null;
  const text = `The address line "${line}" begins with ${line.charAt(0)}: sorting machines may misread it.`;
  return { code: "bad_line_start", tone: "warn", field, text };
}

function findSignFault(recipient: PreviewRecipient): AddressFault | null {
  const unprintable = listUnprintable(Object.values(recipient).join(" "));
  if (unprintable.length === 0) return null;
  const text = `The address has characters that the typeface may lack: ${unprintable.join(" ")}`;
  return { code: "address_unprintable", tone: "warn", field: "address1", text };
}

function findPostcodeFault(recipient: PreviewRecipient, home: "US" | "GB"): AddressFault | null {
  const country = (recipient.country ?? "").trim().toUpperCase() || home;
  const postcode = (recipient.postcode ?? "").trim();
  const example = findPostcodeExample(country, postcode);
  if (example === null) return null;
  const [tone, text]: [AddressFault["tone"], string] =
    postcode === ""
      ? ["ruins", `The postcode is missing (example: ${example}).`]
      : ["warn", formatBadPostcode(postcode, country, example)];
  return { code: "postcode_form", tone, field: "postcode", text };
}

function findLineCountFault(recipient: PreviewRecipient, home: "US" | "GB"): AddressFault | null {
  const lines = formatAddress(recipient, home).length;
  if (lines >= LINES.fewest && lines <= LINES.most) return null;
  const text = `The address has ${lines} lines; mail needs ${LINES.fewest} to ${LINES.most}.`;
  return { code: "address_lines", tone: "ruins", field: "address1", text };
}

/** Finds an example of a country's postcodes if this is none of them; null if it is, or no form is known. */
export function findPostcodeExample(country: string, postcode: string): string | null {
  const rule = findCountryRule(country);
  return rule && !rule.postcode.test(postcode.toUpperCase().replace(/[\s-]/g, "")) ? rule.example : null;
}

export function formatBadPostcode(postcode: string, country: string, example: string): string {
  const place = country === "GB" ? "UK" : country;
  return `"${postcode.slice(0, 20)}" is not a valid ${place} postcode (example: ${example}).`;
}

/** Lists the characters of a text that a postcard's typefaces may lack, each once. */
export function listUnprintable(text: string): string[] {
  const signs = new Set(text.match(/\P{M}\p{M}*/gu) ?? []);
  return [...signs].filter((sign) => !PRINTABLE.test(sign) || /\p{Cc}/u.test(sign.replace(/[\t\n\r]/g, "")));
}
