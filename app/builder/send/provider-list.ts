import { parseDetails } from "~/outside/mail-provider/request-fields";
import { parseJson, parseRecord } from "~/platform/json-value";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import type { ListedRecipient, LoadedList } from "../draft/recipients";
import type { ProviderTemplate } from "../forms/form-context";
import { type Ask, postToProxy } from "./use-send";

/** A list of the account that a mail form chooses from. */
interface ListSource<Row> {
  path: string;
  /** Why it could not be loaded: no user to act for, no answer, no JSON, or JSON that is no list. */
  failures: Record<"noUser" | "fetch" | "parse" | "format", string>;
  /** Parses a row of the provider; null for one that is not offered. */
  parseRow: (row: Record<string, unknown>) => Row | null;
}

export const LOAD_FAILURES = {
  noUser: "No user selected",
  fetch: "Failed to fetch recipients",
  parse: "Failed to parse recipients response",
  format: "Invalid response format from recipients API",
};

export const RECIPIENTS: ListSource<ListedRecipient> = {
  path: "recipients/list",
  failures: LOAD_FAILURES,
  parseRow: (row) => {
    const blank = { id: "", firstname: "", lastname: "", company: "", address1: "" };
    const recipient = { ...blank, city: "", state: "", postcode: "", country: "", ...parseDetails(row) };
    return recipient.id === "" ? null : recipient;
  },
};

export const TEMPLATE_FAILURES = {
  noUser: "no user is selected",
  fetch: "the provider did not answer the request",
  parse: "the provider's answer is not JSON",
  format: "the provider's answer is not a list",
};

/** The provider's list of templates. Hidden ones are not offered. */
export const TEMPLATES: ListSource<ProviderTemplate> = {
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

export function loadRecipients(baseUrl: string, userId: string | null, ask?: Ask) {
  return loadList(RECIPIENTS, baseUrl, userId, ask);
}

export function loadTemplates(baseUrl: string, userId: string | null, ask?: Ask) {
  return loadList(TEMPLATES, baseUrl, userId, ask);
}

async function loadList<Row>(
  source: ListSource<Row>,
  baseUrl: string,
  userId: string | null,
  ask: Ask = (call) => postToProxy(call, source.failures.fetch),
): Promise<LoadedList<Row>> {
  if (userId === null) return { state: "failed", reason: source.failures.noUser };
  const answer = await ask({
    path: source.path,
    method: "GET",
    auth: { strategy: "env" },
    flags: { appendJson: true },
    save: false,
    baseUrl,
    user_id: userId,
  });
  return parseList(source, answer.kind === "answered" ? answer.response : null);
}

/** Parses the proxy's answer: an array in `data`, or as JSON in `text`. */
export function parseList<Row>(
  { failures, parseRow }: ListSource<Row>,
  response: ProxyResponse | null,
): LoadedList<Row> {
  const fail = (failure: keyof typeof failures) => ({ state: "failed" as const, reason: failures[failure] });
  if (response === null) return fail("fetch");
  const { status, data, error } = response;
  const parsed = Array.isArray(data) ? data : parseJson(response.text ?? "");
  // The proxy reports a success that is no JSON as an error.
  const isUnreadable = status !== null && status >= 200 && status <= 299 && response.text !== null;
  if (error !== null) return fail(isUnreadable && parsed === undefined ? "parse" : "fetch");
  if (parsed === undefined) return fail("parse");
  if (!Array.isArray(parsed)) return fail("format");
  const rows = parsed.map((row) => parseRow(parseRecord(row))).filter((row) => row !== null);
  return { state: "loaded", rows };
}
