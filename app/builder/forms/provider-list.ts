import { parseDetails } from "~/outside/mail-provider/recipient-fields";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import type { ListedRecipient, LoadedRecipients } from "../draft/recipients";

/** Why the recipients could not be loaded. */
export const LOAD_FAILURES = {
  noUser: "No user selected",
  fetch: "Failed to fetch recipients",
  parse: "Failed to parse recipients response",
  format: "Invalid response format from recipients API",
};

/** A list of the account that a mail form chooses from: its path and parser. */
export interface ListSource<Loaded> {
  path: string;
  parse: (response: ProxyResponse | null) => Loaded;
  /** The placeholder of the list until a user is chosen to act for. */
  withoutUser: Loaded;
}

/** Why a list could not be read: no answer, no JSON, or JSON that is no list. */
export type ListFailure = "fetch" | "parse" | "format";

/** Parses the rows of the proxy's answer: an array in `data`, or as JSON in `text`. */
export function parseRows(response: ProxyResponse | null): Record<string, unknown>[] | ListFailure {
  if (response === null) return "fetch";
  if (response.error !== null) return isUnreadable(response) ? "parse" : "fetch";
  const listed = Array.isArray(response.data) ? response.data : parseArray(response.text ?? "");
  if (listed === undefined) return "parse";
  if (listed === null) return "format";
  return listed.map((row) => (typeof row === "object" && row !== null ? row : {}) as Record<string, unknown>);
}

/** True when the provider's answer was a success but no JSON, which the proxy reports as an error. */
function isUnreadable({ status, text }: ProxyResponse): boolean {
  const done = status !== null && status >= 200 && status <= 299;
  return done && text !== null && parseArray(text) === undefined;
}

/** Null for JSON that is not a list, undefined for invalid JSON. */
function parseArray(text: string): unknown[] | null | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return undefined;
  }
}

/** The provider's list of recipients. */
export const RECIPIENTS: ListSource<LoadedRecipients> = {
  path: "recipients/list",
  parse: parseRecipients,
  withoutUser: { state: "failed", reason: LOAD_FAILURES.noUser },
};

/** Parses the proxy's answer. */
export function parseRecipients(response: ProxyResponse | null): LoadedRecipients {
  const rows = parseRows(response);
  if (!Array.isArray(rows)) return { state: "failed", reason: LOAD_FAILURES[rows] };
  return { state: "loaded", recipients: rows.map(toRecipient).filter(({ id }) => id !== "") };
}

function toRecipient(row: Record<string, unknown>): ListedRecipient {
  const blank = { id: "", firstname: "", lastname: "", company: "", address1: "" };
  return { ...blank, city: "", state: "", postcode: "", country: "", ...parseDetails(row) };
}
