import { parseRecord } from "~/platform/json-value";

/** Parts of a postal address, each with the names that a request may use. */
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
export const ADDRESS_NAMES: readonly string[] = ADDRESS_PARTS.flat();

/** Parses the details of a recipient within a piece, nested or in bracketed names; empty without any. */
export function parseInlineRecipient(fields: Record<string, unknown>): Record<string, unknown> {
  const nested = parseRecord(fields.recipient);
  if (Object.keys(nested).length > 0) return nested;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const [, part] = /^recipient\[(\w+)\]$/.exec(name) ?? [];
      return part ? [[part, value]] : [];
    }),
  );
}

/** Names of the same detail, the provider's own first. */
const SPELLINGS = [
  ["county", "state"],
  ["city", "town"],
  ["postcode", "zipcode"],
  ["phone_number", "phone"],
] as const;

/** Converts a recipient of the provider to texts, also under the other names that a request may use. */
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

/** True when a `test` value means a test. Everything else is live. */
export function isTestValue(value: unknown): boolean {
  if (typeof value === "string") return ["true", "1", "yes", "on"].includes(value.trim().toLowerCase());
  return value === true || value === 1;
}
