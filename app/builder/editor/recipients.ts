import type { ProxyResponse } from "~/sending/proxy-types";
import { addFallbackRecipient, type Draft, removeFallbackRecipient } from "../draft";

/** A recipient of the loaded list (spec §3 Recipient (from a list)). */
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
  /** 'Could not load recipients: {reason}' (spec §8). */
  | { state: "failed"; reason: string };

/** The call that loads them (spec §7). */
export const RECIPIENTS_CALL = {
  path: "recipients/list",
  method: "GET",
  auth: { strategy: "env" },
  flags: { appendJson: true },
  save: false,
} as const;

/** Stands in where no recipient can be had, in test mode alone (design §5). */
export const FALLBACK_RECIPIENT = "1001";

const FETCH_FAILED = "Failed to fetch recipients";
const PARSE_FAILED = "Failed to parse recipients response";

/** The draft as a loaded list leaves it: with the stand-in where it brought nobody, else with nobody in its place. */
export function alignFallbackRecipient(draft: Draft, some: boolean): Draft {
  return some ? removeFallbackRecipient(draft) : addFallbackRecipient(draft, FALLBACK_RECIPIENT);
}

/** Whether there is somebody to choose. */
export function bringsRecipients(loaded: LoadedRecipients): boolean {
  return loaded.state === "loaded" && loaded.recipients.length > 0;
}

/** Reads the proxy's answer: the list is an array in `data` or in `text` (spec §7). */
export function parseRecipients(response: ProxyResponse | null): LoadedRecipients {
  if (response === null) return { state: "failed", reason: FETCH_FAILED };
  if (response.error !== null) {
    return { state: "failed", reason: isUnreadable(response) ? PARSE_FAILED : FETCH_FAILED };
  }
  const listed = Array.isArray(response.data) ? response.data : parseArray(response.text ?? "");
  if (listed === undefined) return { state: "failed", reason: PARSE_FAILED };
  if (listed === null) return { state: "failed", reason: "Invalid response format from recipients API" };
  return { state: "loaded", recipients: listed.map(toRecipient).filter(({ id }) => id !== "") };
}

/** "Jane Smith, Harbour Books, Portland" */
export function formatRecipient(recipient: ListedRecipient): string {
  const name = [recipient.firstname, recipient.lastname].filter(Boolean).join(" ");
  return [name, recipient.company, recipient.city].filter(Boolean).join(", ");
}

/** The provider said yes, in no JSON: the proxy has that for an error like any other. */
function isUnreadable({ status, text }: ProxyResponse): boolean {
  const done = status !== null && status >= 200 && status <= 299;
  return done && text !== null && parseArray(text) === undefined;
}

/** Null when it is JSON but no list, undefined when it is no JSON. */
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
  const read = (name: string) => {
    const value = fields[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  return {
    id: read("id"),
    firstname: read("firstname"),
    lastname: read("lastname"),
    company: read("company"),
    address1: read("address1"),
    city: read("city"),
    state: read("county") || read("state"),
    postcode: read("postcode"),
    country: read("country"),
  };
}
