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

/** The countries of the mail forms. Addresses in other countries keep the order of the fields. */
const LOCALITIES: Readonly<Record<string, Locality>> = {
  US: "city-state-postcode",
  CA: "city-state-postcode",
  AU: "city-state-postcode",
  GB: "postcode-last",
  FR: "postcode-city",
  DE: "postcode-city",
  IT: "postcode-city",
  ES: "postcode-city",
  NL: "postcode-city",
  BE: "postcode-city",
  CH: "postcode-city",
  AT: "postcode-city",
  SE: "postcode-city",
  DK: "postcode-city",
  NO: "postcode-city",
};

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
  const locality = Object.hasOwn(LOCALITIES, code) ? LOCALITIES[code] : undefined;
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
