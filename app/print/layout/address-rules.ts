import { findCountryRule, formatAddress } from "./address-lines";
import type { FindingCode } from "./finding";
import type { PreviewRecipient } from "./preview-content";

/** A fault of an address. `ruins`: it cannot arrive. */
export interface AddressFault {
  code: FindingCode;
  tone: "ruins" | "warn";
  /** The recipient's field, without its prefix. */
  field: keyof PreviewRecipient;
  text: string;
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

/** Lists the faults of an address as typed. An empty one has none: it is missing, and another rule says so. */
export function listAddressFaults(recipient: PreviewRecipient, home: "US" | "GB"): AddressFault[] {
  const faults: AddressFault[] = [];
  const country = (recipient.country ?? "").trim().toUpperCase() || home;
  const postcode = (recipient.postcode ?? "").trim();
  const likePostcode = findPostcodeExample(country, postcode);
  const lines = formatAddress(recipient, home);
  const isComplete = Boolean(recipient.address1 && recipient.city);
  for (const field of LINE_FIELDS) {
    const text = (recipient[field] ?? "").trim();
    if (NO_FIXED_ABODE.test(text)) {
      faults.push({
        code: "no_fixed_abode",
        tone: "ruins",
        field,
        text: `"${text}" is no address that mail can reach.`,
      });
    } else if (BAD_START.test(text)) {
      faults.push({
        code: "bad_line_start",
        tone: "warn",
        field,
        text: `The address line "${text}" begins with ${text.charAt(0)}: sorting machines may misread it.`,
      });
    }
  }
  const unprintable = listUnprintable(Object.values(recipient).join(" "));
  if (unprintable.length > 0) {
    const text = `The address has characters that the typeface may lack: ${unprintable.join(" ")}`;
    faults.push({ code: "address_unprintable", tone: "warn", field: "address1", text });
  }
  if (isComplete && likePostcode !== null) {
    const text =
      postcode === ""
        ? `The postcode is missing (example: ${likePostcode}).`
        : formatBadPostcode(postcode, country, likePostcode);
    faults.push({ code: "postcode_form", tone: postcode === "" ? "ruins" : "warn", field: "postcode", text });
  }
  if (isComplete && (lines.length < LINES.fewest || lines.length > LINES.most)) {
    const text = `The address has ${lines.length} lines; mail needs ${LINES.fewest} to ${LINES.most}.`;
    faults.push({ code: "address_lines", tone: "ruins", field: "address1", text });
  }
  return faults;
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
