import { parseRecord } from "~/platform/json-value";

/** The parts of a postal address, each with the names by which a request may spell it. */
export const ADDRESS_PARTS: readonly (readonly string[])[] = [
  ["title"],
  ["firstname"],
  ["lastname"],
  ["company"],
  ["address1"],
  ["address2"],
  ["address3"],
  ["city", "town"],
  ["county", "state"],
  ["postcode", "zipcode"],
  ["country"],
];
/** All of these names. */
export const ADDRESS_NAMES: readonly string[] = ADDRESS_PARTS.flat();
/** The details of a recipient who is given with the piece, nested or in bracketed names; empty where there are none. */
export function parseInlineRecipient(fields: Record<string, unknown>): Record<string, unknown> {
  const nested = parseRecord(fields.recipient);
  return Object.keys(nested).length > 0 ? nested : parseBracketed(fields);
}

function parseBracketed(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const [, part] = /^recipient\[(\w+)\]$/.exec(name) ?? [];
      return part ? [[part, value]] : [];
    }),
  );
}

/** Names of one detail, the provider's own first. */
const SPELLINGS = [
  ["county", "state"],
  ["city", "town"],
  ["postcode", "zipcode"],
  ["phone_number", "phone"],
] as const;

/** The details of a recipient row of the provider as texts, also by the other names that a request may use. */
export function parseDetails(row: Readonly<Record<string, unknown>>): Record<string, string> {
  const details: Record<string, string> = {};
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === "string" || typeof value === "number") details[name] = String(value).trim();
  }
  for (const names of SPELLINGS) {
    const value = names.map((name) => details[name]).find(Boolean);
    if (value) for (const name of names) details[name] ||= value;
  }
  return details;
}
