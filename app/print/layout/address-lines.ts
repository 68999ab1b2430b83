import type { PreviewRecipient } from "./preview-content";

/** Where a country writes the postcode. */
type Locality =
  /** `Portland OR 97205` */
  | "city-state-postcode"
  /** `10115 Berlin`; in Italy followed by the province */
  | "postcode-city"
  /** Postcode on its own line, no county: the Royal Mail format */
  | "postcode-last";

/** The countries of the mail forms. Addresses in other countries keep the order of the fields. */
const COUNTRIES: Readonly<Record<string, { name: string; locality: Locality }>> = {
  US: { name: "United States", locality: "city-state-postcode" },
  CA: { name: "Canada", locality: "city-state-postcode" },
  AU: { name: "Australia", locality: "city-state-postcode" },
  GB: { name: "United Kingdom", locality: "postcode-last" },
  FR: { name: "France", locality: "postcode-city" },
  DE: { name: "Germany", locality: "postcode-city" },
  IT: { name: "Italy", locality: "postcode-city" },
  ES: { name: "Spain", locality: "postcode-city" },
  NL: { name: "Netherlands", locality: "postcode-city" },
  BE: { name: "Belgium", locality: "postcode-city" },
  CH: { name: "Switzerland", locality: "postcode-city" },
  AT: { name: "Austria", locality: "postcode-city" },
  SE: { name: "Sweden", locality: "postcode-city" },
  DK: { name: "Denmark", locality: "postcode-city" },
  NO: { name: "Norway", locality: "postcode-city" },
};

/**
 * The lines of an address as printed: name, company, street lines, the place as its country writes it, and the country
 * in capitals unless it is `home`.
 */
export function formatAddress(recipient: PreviewRecipient, home: string): string[] {
  const code = (recipient.country ?? "").trim().toUpperCase();
  const country = Object.hasOwn(COUNTRIES, code) ? COUNTRIES[code] : undefined;
  return [
    join(recipient.title, recipient.firstname, recipient.lastname),
    join(recipient.company),
    join(recipient.address1),
    join(recipient.address2),
    ...buildLocality(recipient, code === "" ? home : code),
    code === home ? "" : (country?.name ?? code).toUpperCase(),
  ].filter((line) => line !== "");
}

function buildLocality({ city, state, postcode }: PreviewRecipient, code: string): string[] {
  const locality = Object.hasOwn(COUNTRIES, code) ? COUNTRIES[code]?.locality : undefined;
  switch (locality) {
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
