import type { AddressVerdict } from "~/pieces/address-note";

/** The parts of a new recipient that the provider checks, named as in the recipient. */
export const ADDRESS_PARTS = [
  "company",
  "address1",
  "address2",
  "city",
  "state",
  "postcode",
  "country",
] as const;
export type AddressPart = (typeof ADDRESS_PARTS)[number];
/** Missing parts are "". */
export type Address = Record<AddressPart, string>;

/** Longer lines in the provider's answer are ignored: no address has them. */
const MAX_LINE_CHARS = 200;
const COUNTRY_CODES = new Map([
  ["us", "US"],
  ["usa", "US"],
  ["united states", "US"],
  ["gb", "GB"],
  ["uk", "GB"],
  ["united kingdom", "GB"],
]);

/** Parses the address in a mail form's values. */
export function parseAddress(values: Readonly<Record<string, string>>): Address {
  const entries = ADDRESS_PARTS.map((part) => [part, tidy(values[addressFieldName(part)] ?? "")]);
  return Object.fromEntries(entries) as Address;
}

/** Returns the form field of a part. */
export function addressFieldName(part: AddressPart): string {
  return `recipient_${part}`;
}

export function isSameAddress(one: Address, other: Address): boolean {
  return ADDRESS_PARTS.every((part) => one[part] === other[part]);
}

export function isBlank(address: Address): boolean {
  return ADDRESS_PARTS.every((part) => address[part] === "");
}

/** Finds the ISO code of a country that the provider checks (US and UK), else null. */
export function findCheckedCountry(text: string): string | null {
  return COUNTRY_CODES.get(text.toLowerCase()) ?? null;
}

/**
 * The parts that an answer of `addresses/validate` corrects. The provider returns a US state in `county`. Differences
 * in case are ignored. A part that the answer leaves empty is kept, except an `address2` that moved into the first line.
 */
export function findCorrections(address: Address, answer: Record<string, unknown>): Partial<Address> {
  const getLine = (...names: string[]) => names.map((name) => parseLine(answer[name])).find(Boolean) ?? "";
  const written: Partial<Address> = {
    address1: getLine("address1"),
    address2: [getLine("address2"), getLine("address3")].filter(Boolean).join(", "),
    city: getLine("city"),
    state: getLine("county", "state"),
    postcode: getLine("postcode", "zipcode"),
    country: findCheckedCountry(getLine("country")) ?? "",
  };
  const corrections: Partial<Address> = {};
  for (const part of ADDRESS_PARTS) {
    const to = written[part];
    if (to && to.toLowerCase() !== address[part].toLowerCase()) corrections[part] = to;
  }
  const second = address.address2.toLowerCase();
  const moved = corrections.address1?.toLowerCase().includes(second);
  if (second !== "" && written.address2 === "" && moved) corrections.address2 = "";
  return corrections;
}

function parseLine(value: unknown): string {
  return typeof value === "string" && value.length <= MAX_LINE_CHARS ? tidy(value) : "";
}

function tidy(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The result of checking an address with the provider. */
export interface AddressCheck {
  /** The address that was checked. */
  address: Address;
  verdict: AddressVerdict;
  /** Why the address could not be checked; else null. */
  reason: string | null;
  /** The parts that the provider corrects. */
  corrections: Partial<Address>;
  /** False when a test server on this machine answered instead of the provider. */
  real: boolean;
}

/** Returns the check with its corrections accepted, which makes the address valid. */
export function takeCorrections(check: AddressCheck): AddressCheck {
  return { ...check, address: { ...check.address, ...check.corrections }, verdict: "valid", corrections: {} };
}
