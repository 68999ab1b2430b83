import { type Fields, readFirstText } from "./http/fields";

/** Each documented address key with its accepted spellings. */
const SPELLINGS = {
  title: ["title"],
  firstname: ["firstname"],
  lastname: ["lastname"],
  company: ["company"],
  address1: ["address1"],
  address2: ["address2"],
  address3: ["address3"],
  city: ["city"],
  county: ["county", "state"],
  postcode: ["postcode", "zipcode"],
  country: ["country"],
} as const;

export type PostalAddress = Record<keyof typeof SPELLINGS, string>;

export const ADDRESS_KEYS = Object.keys(SPELLINGS) as (keyof PostalAddress)[];

/** Reads the address from a set of fields; absent parts are "", unknown spellings such as `town` are dropped. */
export function readAddress(fields: Fields): PostalAddress {
  const entries = ADDRESS_KEYS.map((key) => [key, readFirstText(fields, ...SPELLINGS[key])]);
  return Object.fromEntries(entries) as PostalAddress;
}

/** True when the post could deliver to it: it has a street line and a postcode. */
export function isDeliverable(address: PostalAddress): boolean {
  return address.address1.trim() !== "" && address.postcode.trim() !== "";
}
