import type { ProxyResponse } from "~/sending/proxy-types";
import { addFallbackRecipient, type Draft, removeFallbackRecipient } from "../draft";
import { LOAD_FAILURES } from "./messages";

/** A recipient of the loaded list. */
export interface ListedRecipient {
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

export type LoadedRecipients =
  | { state: "loaded"; recipients: ListedRecipient[] }
  | { state: "failed"; reason: string };

/** The call that loads them. */
export const RECIPIENTS_CALL = {
  path: "recipients/list",
  method: "GET",
  auth: { strategy: "env" },
  flags: { appendJson: true },
  save: false,
} as const;

/** Used when no recipient could be loaded. Only in test mode: a stranger must never get real mail. */
export const FALLBACK_RECIPIENT = "1001";

/** The draft after a list was loaded: with the fallback recipient if the list is empty, else without it. */
export function alignFallbackRecipient(draft: Draft, some: boolean): Draft {
  return some ? removeFallbackRecipient(draft) : addFallbackRecipient(draft, FALLBACK_RECIPIENT);
}

/** Whether there is a recipient to choose. */
export function hasRecipients(loaded: LoadedRecipients): boolean {
  return loaded.state === "loaded" && loaded.recipients.length > 0;
}

/** Parses the proxy's answer: the list is an array in `data`, or as JSON in `text`. */
export function parseRecipients(response: ProxyResponse | null): LoadedRecipients {
  if (response === null) return { state: "failed", reason: LOAD_FAILURES.fetch };
  if (response.error !== null) {
    return { state: "failed", reason: isUnreadable(response) ? LOAD_FAILURES.parse : LOAD_FAILURES.fetch };
  }
  const listed = Array.isArray(response.data) ? response.data : parseArray(response.text ?? "");
  if (listed === undefined) return { state: "failed", reason: LOAD_FAILURES.parse };
  if (listed === null) return { state: "failed", reason: LOAD_FAILURES.format };
  return { state: "loaded", recipients: listed.map(toRecipient).filter(({ id }) => id !== "") };
}

/** "Jane Smith, Harbour Books, Portland" */
export function formatRecipient(recipient: ListedRecipient): string {
  const name = [recipient.firstname, recipient.lastname].filter(Boolean).join(" ");
  return [name, recipient.company, recipient.city].filter(Boolean).join(", ");
}

/** Whether the provider's answer was a success but no JSON, which the proxy reports as an error. */
function isUnreadable({ status, text }: ProxyResponse): boolean {
  const done = status !== null && status >= 200 && status <= 299;
  return done && text !== null && parseArray(text) === undefined;
}

/** Null for JSON that is no list, undefined for a text that is no JSON. */
function parseArray(text: string): unknown[] | null | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return undefined;
  }
}

function toRecipient(row: unknown): ListedRecipient {
  const fields = (typeof row === "object" && row !== null ? row : {}) as Record<string, unknown>;
  const getField = (name: string) => {
    const value = fields[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  return {
    id: getField("id"),
    firstname: getField("firstname"),
    lastname: getField("lastname"),
    company: getField("company"),
    address1: getField("address1"),
    city: getField("city"),
    state: getField("county") || getField("state"),
    postcode: getField("postcode"),
    country: getField("country"),
  };
}
