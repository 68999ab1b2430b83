/** The parts of a new recipient that the provider looks at, named as in a recipient (spec §3). */
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
/** What is not given is "". */
export type Address = Record<AddressPart, string>;

/** Longer than any line of an address: no such line is taken from an answer. */
const MAX_LINE_CHARS = 200;
const COUNTRY_CODES = new Map([
  ["us", "US"],
  ["usa", "US"],
  ["united states", "US"],
  ["gb", "GB"],
  ["uk", "GB"],
  ["united kingdom", "GB"],
]);

/** The address in a mail form's values. */
export function parseAddress(values: Readonly<Record<string, string>>): Address {
  const entries = ADDRESS_PARTS.map((part) => [part, tidy(values[addressFieldName(part)] ?? "")]);
  return Object.fromEntries(entries) as Address;
}

/** The form field of a part. */
export function addressFieldName(part: AddressPart): string {
  return `recipient_${part}`;
}

export function isSameAddress(one: Address, other: Address): boolean {
  return ADDRESS_PARTS.every((part) => one[part] === other[part]);
}

export function isBlank(address: Address): boolean {
  return ADDRESS_PARTS.every((part) => address[part] === "");
}

/** ISO code of a country that the provider checks, else null (provider-api.md §2.7). */
export function findCheckedCountry(text: string): string | null {
  return COUNTRY_CODES.get(text.toLowerCase()) ?? null;
}

/**
 * The parts that an answer of `addresses/validate` writes otherwise. It has a US state in `county`
 * (provider-api.md §2.7). Case alone is no difference, and an answer that leaves a part empty does not know better:
 * only an `address2` that went into the first line is taken away.
 */
export function findCorrections(address: Address, answer: Record<string, unknown>): Partial<Address> {
  const read = (...names: string[]) => names.map((name) => parseLine(answer[name])).find(Boolean) ?? "";
  const written: Partial<Address> = {
    address1: read("address1"),
    address2: [read("address2"), read("address3")].filter(Boolean).join(", "),
    city: read("city"),
    state: read("county", "state"),
    postcode: read("postcode", "zipcode"),
    country: findCheckedCountry(read("country")) ?? "",
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
