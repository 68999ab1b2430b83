import type { AddressVerdict } from "~/pieces/address-note";
import { type Draft, isRecipientField, RECIPIENT_PREFIX } from "./draft";

export interface ListedRecipient {
  /** Any other detail that the provider gives, for placeholders. */
  [detail: string]: string;
  id: string;
  firstname: string;
  lastname: string;
  company: string;
  address1: string;
  city: string;
  state: string;
  postcode: string;
  country: string;
}

/** A list of the account, or why it could not be loaded. */
export type LoadedList<Row> = { state: "loaded"; rows: Row[] } | { state: "failed"; reason: string };

const NONE: never[] = [];

/** Returns the rows of a list; none while it is not loaded. */
export function listRows<Row>(loaded: LoadedList<Row> | null): readonly Row[] {
  return loaded?.state === "loaded" ? loaded.rows : NONE;
}

/** "Jane Smith", the company if there is no name, else the ID. */
export function formatPerson({ firstname, lastname, company, id }: ListedRecipient): string {
  return [firstname, lastname].filter(Boolean).join(" ") || company || `ID ${id}`;
}

/** "Jane Smith, Harbour Books, Portland" */
export function formatRecipient(recipient: ListedRecipient): string {
  const name = [recipient.firstname, recipient.lastname].filter(Boolean).join(" ");
  return [name, recipient.company, recipient.city].filter(Boolean).join(", ");
}

/** "Jane Smith, Harbour Books, Portland, 14 Mill Lane, 97205, ID 1002": tells two people of one name apart. */
export function formatRecipientRow(recipient: ListedRecipient): string {
  const { address1, postcode, id } = recipient;
  return [formatRecipient(recipient), address1, postcode, `ID ${id}`].filter(Boolean).join(", ");
}

/** True when a text can be a recipient's ID. Anything else that is typed is a name to look up. */
export function isRecipientId(text: string): boolean {
  return /^\d+$/.test(text.trim());
}

/** Recipients that have every word in name, company, city, postcode or ID; accents and case are ignored. */
export function searchRecipients(words: string, listed: readonly ListedRecipient[]): ListedRecipient[] {
  const wanted = fold(words)
    .split(/[\s,]+/)
    .filter(Boolean);
  return listed.filter((recipient) => {
    const { firstname, lastname, company, city, postcode, id } = recipient;
    const text = fold([firstname, lastname, company, city, postcode, id].join(" "));
    return wanted.every((word) => text.includes(word));
  });
}

/** Recipients of exactly this name, alone or with company and city as the list shows it. */
export function findByName(name: string, listed: readonly ListedRecipient[]): ListedRecipient[] {
  const wanted = fold(name);
  if (wanted === "") return [];
  return listed.filter((recipient) => {
    const person = `${recipient.firstname} ${recipient.lastname}`;
    const names = [person, recipient.company, formatRecipient(recipient), formatRecipientRow(recipient)];
    return names.some((known) => fold(known) === wanted);
  });
}

/** Resolves the ID of the one recipient that was typed by name; else the text as it is. */
export function resolveRecipient(text: string, listed: readonly ListedRecipient[]): string {
  if (isRecipientId(text)) return text;
  const [only, ...others] = findByName(text, listed);
  return only && others.length === 0 ? only.id : text;
}

/** Letters without accents and case, single spaces. */
function fold(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim();
}

/** Form values by field name; a checked box is "true", a file its base64. */
export type Values = Readonly<Record<string, string>>;

/** A saved recipient by its ID, or a new one by its details. */
export type RecipientChoice = "saved" | "new";

/** The form value of the switch between the two. It is not sent. */
export const RECIPIENT_CHOICE = "send_to";

/** Finds the chosen half of the switch; without a choice it is the new recipient as soon as any of its details is filled in. */
export function findRecipientChoice(values: Values): RecipientChoice {
  const chosen = values[RECIPIENT_CHOICE];
  if (chosen === "saved" || chosen === "new") return chosen;
  return Object.keys(values).some((name) => isDetail(name) && values[name]?.trim()) ? "new" : "saved";
}

/** Drops the values of the recipient that is not chosen: its fields are hidden and must not be sent. */
export function keepChosenRecipient<Kept extends Values>(values: Kept): Kept {
  const saved = findRecipientChoice(values) === "saved";
  const kept = Object.entries(values).filter(
    ([name]) => name !== RECIPIENT_CHOICE && !(saved ? isDetail(name) : name === "recipient"),
  );
  return Object.fromEntries(kept) as Kept;
}

function isDetail(name: string): boolean {
  return name.startsWith(RECIPIENT_PREFIX);
}

export function removeRecipient(draft: Draft): Draft {
  const { [RECIPIENT_CHOICE]: _, ...values } = draft.values;
  const kept = Object.entries(values).map(([name, value]) => [name, isRecipientField(name) ? "" : value]);
  return { ...draft, values: Object.fromEntries(kept), fallbackRecipient: false };
}

/** Finds the details of the chosen recipient, which fill the placeholders of a text; null when only the provider knows them. */
export function findDetails(values: Values, listed: readonly ListedRecipient[]): Values | null {
  if (findRecipientChoice(values) === "new") {
    const details = Object.entries(values).filter(([name]) => isDetail(name));
    return Object.fromEntries(details.map(([name, value]) => [name.slice(RECIPIENT_PREFIX.length), value]));
  }
  const id = (values.recipient ?? "").trim();
  return listed.find((recipient) => recipient.id === id) ?? null;
}

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

export function parseAddress(values: Values): Address {
  const entries = ADDRESS_PARTS.map((part) => [part, tidy(values[addressFieldName(part)] ?? "")]);
  return Object.fromEntries(entries) as Address;
}

export function addressFieldName(part: AddressPart): string {
  return RECIPIENT_PREFIX + part;
}

export function isSameAddress(one: Address, other: Address): boolean {
  return ADDRESS_PARTS.every((part) => one[part] === other[part]);
}

/** Trims a line and joins runs of spaces. */
export function tidy(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

export interface AddressCheck {
  address: Address;
  verdict: AddressVerdict;
  /** Why the address could not be checked; else null. */
  reason: string | null;
  corrections: Partial<Address>;
  /** False when a test server on this machine answered instead of the provider. */
  real: boolean;
}

/** Returns the check with its corrections accepted, which makes the address valid. */
export function takeCorrections(check: AddressCheck): AddressCheck {
  return { ...check, address: { ...check.address, ...check.corrections }, verdict: "valid", corrections: {} };
}
