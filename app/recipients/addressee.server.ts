import { ADDRESS_NAMES, ADDRESS_PARTS, parseInlineRecipient } from "~/outside/mail-provider/request-fields";
import { sha256 } from "~/platform/hash.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { writeSearchText } from "~/platform/search-words";

export interface Addressee {
  /** The provider's recipient, if the request names an id. */
  recipientId: string | null;
  /** Person, else company; null without a name. */
  name: string | null;
  email: string | null;
  /** "Portland 97205": city and postcode. */
  place: string | null;
  /** Equal for equal inline addresses, ignoring spaces and case; null for a recipient named by its id. */
  key: string | null;
  /** Search text of name, company, city, postcode and e-mail, or of the ID. */
  searchText: string;
}

const NO_ONE: Addressee = {
  recipientId: null,
  name: null,
  email: null,
  place: null,
  key: null,
  searchText: "",
};
/** Limit of each text of a recipient that is searched. */
export const MAX_NAME_CHARS = 200;
const MAX_ID_CHARS = 64;
const SEARCHED_FIELDS = [["company"], ["city", "town"], ["postcode", "zipcode"], ["email"]];
const IN_ADDRESS = new Set(ADDRESS_NAMES.map((name) => `[${name}]`));

/** Parses the recipient of a body: nested, with bracketed names, or an id. */
export function parseAddressee(body: unknown): Addressee {
  const fields = parseRecord(body);
  const { recipient } = fields;
  const id = typeof recipient === "number" || typeof recipient === "string" ? String(recipient).trim() : "";
  if (id !== "") {
    return {
      ...NO_ONE,
      recipientId: id.slice(0, MAX_ID_CHARS),
      searchText: writeSearchText([`recipient ${id}`]),
    };
  }
  const inline = parseInlineRecipient(fields);
  const name = formatName(inline);
  if (name === null) return NO_ONE;
  const address = ADDRESS_PARTS.map((names) => selectText(inline, ...names).toLowerCase());
  const key = sha256(JSON.stringify(address));
  const email = selectText(inline, "email") || null;
  return {
    recipientId: null,
    name,
    email,
    place: formatPlace(inline),
    key,
    searchText: writeRecipientText({ ...inline, name }),
  };
}

/** Parses the fields of a request body as it was sent, JSON or form. */
export function parseSentBody(body: string): Record<string, unknown> {
  const parsed = parseJson(body);
  return parsed === undefined ? Object.fromEntries(new URLSearchParams(body)) : parseRecord(parsed);
}

export function writeRecipientText(fields: Record<string, unknown>): string {
  return writeSearchText([
    selectText(fields, "name").slice(0, MAX_NAME_CHARS),
    ...SEARCHED_FIELDS.map((names) => selectText(fields, ...names).slice(0, MAX_NAME_CHARS)),
  ]);
}

/** Parses the recipient's other fields, which may be printed like merge data. Sorted; equal if nested, bracketed, number or text. */
export function parseMergeData(body: unknown): [name: string, value: string][] {
  const fields = parseRecord(body);
  const named = [
    ...Object.entries(parseRecord(fields.recipient)).map(([name, value]) => [`[${name}]`, value] as const),
    ...Object.entries(fields).flatMap(([name, value]) =>
      name.startsWith("recipient[") ? [[name.slice("recipient".length), value] as const] : [],
    ),
  ];
  return named
    .filter(([name]) => !IN_ADDRESS.has(name))
    .map(([name, value]): [string, string] => [name, writeValue(value)])
    .filter(([, value]) => value !== "")
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function writeValue(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "").trim();
}

/** Formats "Ana Lopez", else the company; null without either. */
export function formatName(fields: Record<string, unknown>): string | null {
  const person = [selectText(fields, "firstname"), selectText(fields, "lastname")].filter(Boolean).join(" ");
  return (person || selectText(fields, "full_name", "company")).slice(0, MAX_NAME_CHARS) || null;
}

/** Formats "Portland 97205"; null without city and postcode. */
export function formatPlace(fields: Record<string, unknown>): string | null {
  const parts = [selectText(fields, "city", "town"), selectText(fields, "postcode", "zipcode")];
  return parts.filter(Boolean).join(" ").slice(0, MAX_NAME_CHARS) || null;
}

/** Returns the first non-empty text of these fields, on one line. */
export function selectText(fields: Record<string, unknown>, ...names: string[]): string {
  for (const name of names) {
    const value = fields[name];
    const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
    const line = text
      .replace(/[\p{Cc}\p{Surrogate}]+/gu, " ")
      .replace(/\s+/g, " ")
      .trim();
    if (line !== "") return line;
  }
  return "";
}
