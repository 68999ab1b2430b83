import { parseInlineRecipient } from "~/outside/mail-provider/request-fields";
import { hasWords } from "~/platform/database/search-sql.server";
import { sha256 } from "~/platform/hash.server";
import { isRecord } from "~/platform/json-value";
import { splitWords } from "~/platform/search-words";
import { Prisma } from "../../prisma/client/client";
import {
  type Addressee,
  formatName,
  formatPlace,
  MAX_NAME_CHARS,
  parseAddressee,
  selectText,
} from "./addressee.server";

/** The rule that decides which stored data belongs to a person, for erasure, export and repeated erasures. */

/** Exact links to a person, without clear personal data, so that an erasure can be stored and repeated. */
export interface Links {
  /** Rows of `mail_recipients`. */
  rows: string[];
  /** Recipients of the provider, by {@link formatAccount}. */
  accounts: string[];
  /** Keys of inline addresses. */
  keys: string[];
  /** E-mails by {@link hashEmail}. */
  emails: string[];
  /** Matches of an earlier erasure. */
  known: string[];
}

/** {@link Links} and, while the person is still stored, their names and e-mails. */
export interface Identity extends Links {
  names: string[];
  mails: string[];
}

/** The link of a match to the person. Only `exact` acts at once; a person confirms the others. */
export type Link = "exact" | "name" | "email" | "address";

export interface Match<Data = unknown> {
  /** Identifies the row, and the object within it, without personal data. */
  id: string;
  link: Link;
  name: string | null;
  address: string | null;
  at: Date;
  userId: string;
  page: string | null;
  /** True while it is needed to send mail, so that it cannot be erased yet. */
  isOpen: boolean;
  data: Data;
}

interface Place {
  /** The account of the value. */
  baseUrl: string | null;
  /** True when its objects are recipients, whose `id` is a recipient's. */
  isRecipient: boolean;
  /** Objects of an earlier erasure. */
  known?: ReadonlySet<string>;
}

export type FoundObject = { id: string; link: Link; fields: Record<string, unknown> };

const ERASED_OBJECT = { erased: true };
const NAME_FIELDS = ["full_name", "name", "company"];
const ADDRESS_FIELDS = ["address1", "address2", "address3", "city", "town", "postcode", "zipcode"];

export function formatAccount(baseUrl: string, recipientId: string): string {
  return `${baseUrl} ${recipientId}`;
}

/** Parses the provider's ID of {@link formatAccount}. */
export function recipientIdOf(account: string): string {
  return account.slice(account.lastIndexOf(" ") + 1);
}

/** Returns the exact link to an addressee: address key, or account and ID; null without one. */
export function linkAddressee({ recipientId, key }: Pick<Addressee, "recipientId" | "key">, baseUrl: string) {
  return recipientId === null ? key : formatAccount(baseUrl, recipientId);
}

/** Sorts the words of a name, so that names with equal words are equal. */
function toNameWords(name: string): string {
  return splitWords(name).sort().join(" ");
}

/** Hashes an e-mail with its name, so that people who share an e-mail stay apart. */
export function hashEmail(email: string, name: string): string {
  return hash([email.trim().toLowerCase(), toNameWords(name)]);
}

/** Compares a recipient's details with a person. @param account of the provider's recipient, if known */
export function matchDetails(
  details: Record<string, unknown>,
  identity: Identity,
  account: string | null = null,
): Link | null {
  if (account !== null && identity.accounts.includes(account)) return "exact";
  // A name without an address has a key too, but many people share it.
  const { key } = parseAddressee({ recipient: details });
  if (key !== null && identity.keys.includes(key) && selectText(details, ...ADDRESS_FIELDS) !== "") {
    return "exact";
  }
  const names = [formatName(details) ?? "", ...NAME_FIELDS.map((field) => selectText(details, field))].filter(
    (name) => name !== "",
  );
  const email = selectText(details, "email").toLowerCase();
  if (email !== "") {
    const named = names.length > 0 ? names : [""];
    if (named.some((name) => identity.emails.includes(hashEmail(email, name)))) return "exact";
    if (identity.mails.includes(email)) return "email";
  }
  const words = new Set(identity.names.map(toNameWords).filter(Boolean));
  return names.some((name) => words.has(toNameWords(name))) ? "name" : null;
}

/** Finds the objects in a JSON value that are about a person. */
export function findObjects(value: unknown, identity: Identity, place: Place): FoundObject[] {
  if (Array.isArray(value)) return value.flatMap((item) => findObjects(item, identity, place));
  if (!isRecord(value)) return [];
  const isKnown = place.known !== undefined && place.known.size > 0 && place.known.has(hash(value));
  const link = isKnown ? "exact" : matchObject(value, identity, place);
  if (link === "exact") return [{ id: hash(value), link, fields: value }];
  const inner = Object.values(value).flatMap((item) => findObjects(item, identity, place));
  return link === null ? inner : [{ id: hash(value), link, fields: value }, ...inner];
}

/** Compares one JSON object, not what it contains, with a person. Its recipient may be bracketed or an ID. */
export function matchObject(
  value: Record<string, unknown>,
  identity: Identity,
  { baseUrl, isRecipient }: Place,
): Link | null {
  const id = selectText(value, "recipient_id", "recipient", ...(isRecipient ? ["id"] : []));
  const bracketed = isRecord(value.recipient) ? {} : parseInlineRecipient(value);
  const account = baseUrl === null || id === "" ? null : formatAccount(baseUrl, id);
  return matchDetails({ ...value, ...bracketed }, identity, account);
}

/** Copies a JSON value and empties the objects with these IDs. */
export function emptyObjects(value: unknown, ids: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => emptyObjects(item, ids));
  if (!isRecord(value)) return value;
  if (ids.has(hash(value))) return ERASED_OBJECT;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, emptyObjects(item, ids)]));
}

/** Formats name and address of a recipient for the person page. */
export function toNameAndAddress(details: Record<string, unknown>): Pick<Match, "name" | "address"> {
  const lines = ["address1", "address2", "address3"].map((field) => selectText(details, field));
  const address = [...lines, formatPlace(details) ?? "", selectText(details, "country")].filter(Boolean);
  return {
    name: formatName(details) ?? (selectText(details, "name") || null),
    address: address.join(", ") || null,
  };
}

/** Returns the words of street and postcode, equal for people at one address; null without either. */
export function toAddressWords(details: Record<string, unknown>): string | null {
  const [street, postcode] = [selectText(details, "address1"), selectText(details, "postcode", "zipcode")];
  return street === "" || postcode === "" ? null : splitWords(`${street} ${postcode}`).join(" ");
}

/**
 * Builds a condition for texts in lower case that may hold the person, so that few rows are read; {@link matchDetails}
 * decides. True for every text when the person's name is unknown.
 */
export function mayHold(identity: Identity, text: Prisma.Sql): Prisma.Sql {
  if (!isNamed(identity)) return Prisma.sql`true`;
  const has = (part: string) => Prisma.sql`${text} LIKE ${`%${part.replace(/[\\%_]/g, "\\$&")}%`}`;
  const conditions = [
    ...identity.names.map(listFragments).filter((words) => words.length > 0),
    ...listMarks(identity).map((part) => [[part.toLowerCase()]]),
  ].map((words) =>
    Prisma.join(
      words.map((spellings) => Prisma.sql`(${Prisma.join(spellings.map(has), " OR ")})`),
      " AND ",
    ),
  );
  return conditions.length === 0 ? Prisma.sql`false` : Prisma.sql`(${Prisma.join(conditions, " OR ")})`;
}

/** Builds {@link mayHold} for a column of `writeSearchText`, by its trigram index. True for a text not yet written. */
export function mayBeFound(identity: Identity, column: Prisma.Sql): Prisma.Sql {
  if (!isNamed(identity)) return Prisma.sql`true`;
  const conditions = [...identity.names, ...identity.mails]
    .map((text) => splitWords(text.slice(0, MAX_NAME_CHARS)))
    .filter(({ length }) => length > 0)
    .map((words) => Prisma.sql`(${hasWords(column, words)})`);
  return Prisma.sql`(${Prisma.join([...conditions, Prisma.sql`${column} IS NULL`], " OR ")})`;
}

/** True when the person's name or e-mail is known, so that a text can be searched for them. */
export function isNamed({ names, mails }: Identity): boolean {
  return names.length > 0 || mails.length > 0;
}

/** Lists e-mails and the provider's IDs. */
function listMarks({ mails, accounts }: Identity): string[] {
  return [...mails, ...accounts.map(recipientIdOf)];
}

/** Writes a text search for the whole words of a name, an e-mail or an ID; null without any. */
export function writePersonQuery(identity: Identity): string | null {
  const alternatives = [...identity.names, ...listMarks(identity)]
    .map(splitWords)
    .filter(({ length }) => length > 0);
  const queries = alternatives.map((words) => `(${words.map((word) => `'${word}'`).join(" & ")})`);
  return queries.length === 0 ? null : queries.join(" | ");
}

/** Lists the fragments of each word that all its spellings share: accents may be missing, or escaped as in JSON. */
function listFragments(name: string): string[][] {
  return name
    .toLowerCase()
    .split(/\s+/)
    .flatMap((word) => {
      const [longest] = (word.match(/[a-z0-9]+/g) ?? []).sort((a, b) => b.length - a.length);
      if (longest !== undefined) return [[longest]];
      return splitWords(word).length > 0 ? [[word, escapeUnicode(word)]] : [];
    });
}

function escapeUnicode(word: string): string {
  return word.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function hash(value: unknown): string {
  return sha256(JSON.stringify(value));
}
