import { parseDetails } from "~/outside/mail-provider/recipient-fields";
import { parseJson, parseRecord } from "~/platform/json-value";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import type { ListedRecipient, LoadedList } from "../draft/recipients";

/** Why the recipients could not be loaded. */
export const LOAD_FAILURES = {
  noUser: "No user selected",
  fetch: "Failed to fetch recipients",
  parse: "Failed to parse recipients response",
  format: "Invalid response format from recipients API",
};

/** Why a list could not be loaded: no user to act for, no answer, no JSON, or JSON that is no list. */
type ListFailure = "noUser" | "fetch" | "parse" | "format";

/** A list of the account that a mail form chooses from. */
export interface ListSource<Row> {
  path: string;
  failures: Record<ListFailure, string>;
  /** Parses a row of the provider; null for one that is not offered. */
  parseRow: (row: Record<string, unknown>) => Row | null;
}

/** Parses the proxy's answer: an array in `data`, or as JSON in `text`. */
export function parseList<Row>(
  { failures, parseRow }: ListSource<Row>,
  response: ProxyResponse | null,
): LoadedList<Row> {
  const fail = (failure: ListFailure) => ({ state: "failed" as const, reason: failures[failure] });
  if (response === null) return fail("fetch");
  if (response.error !== null) return fail(isUnreadable(response) ? "parse" : "fetch");
  const listed = Array.isArray(response.data) ? response.data : parseArray(response.text ?? "");
  if (listed === undefined) return fail("parse");
  if (listed === null) return fail("format");
  const rows = listed.map((row) => parseRow(parseRecord(row))).filter((row) => row !== null);
  return { state: "loaded", rows };
}

/** True when the provider's answer was a success but no JSON, which the proxy reports as an error. */
function isUnreadable({ status, text }: ProxyResponse): boolean {
  const done = status !== null && status >= 200 && status <= 299;
  return done && text !== null && parseArray(text) === undefined;
}

/** Null for JSON that is not a list, undefined for invalid JSON. */
function parseArray(text: string): unknown[] | null | undefined {
  const value = parseJson(text);
  return value === undefined || Array.isArray(value) ? value : null;
}

/** The provider's list of recipients. */
export const RECIPIENTS: ListSource<ListedRecipient> = {
  path: "recipients/list",
  failures: LOAD_FAILURES,
  parseRow: (row) => {
    const blank = { id: "", firstname: "", lastname: "", company: "", address1: "" };
    const recipient = { ...blank, city: "", state: "", postcode: "", country: "", ...parseDetails(row) };
    return recipient.id === "" ? null : recipient;
  },
};

/** Why the templates could not be loaded. */
export const TEMPLATE_FAILURES = {
  noUser: "no user is selected",
  fetch: "the provider did not answer the request",
  parse: "the provider's answer is not JSON",
  format: "the provider's answer is not a list",
};

/** A template of the account, as the provider lists it. */
export interface ListedTemplate {
  id: string;
  name: string;
  /** The provider's spelling: `4X6`, `US-LETTER`; "" when it names none. */
  size: string;
  pages: string;
  /** URL of a picture; null when there is none that a page may show. */
  picture: string | null;
}

/** The provider's list of templates. Hidden ones are not offered. */
export const TEMPLATES: ListSource<ListedTemplate> = {
  path: "templates/list",
  failures: TEMPLATE_FAILURES,
  parseRow: (row) => {
    const picture = getText(row, "image");
    const template = {
      id: getText(row, "id"),
      name: getText(row, "template_name") || getText(row, "name"),
      size: getText(row, "size"),
      pages: getText(row, "page_count"),
      picture: /^https?:\/\//i.test(picture) ? picture : null,
    };
    return template.id === "" || getText(row, "is_hidden") === "1" ? null : template;
  },
};

function getText(row: Record<string, unknown>, name: string): string {
  const value = row[name];
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}
