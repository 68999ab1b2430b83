import { parseJson, parseRecord } from "~/platform/json-value";
import type { ForeignAnswer } from "./page-fetch";

const CHECK_INTERNET = "Network error: Please check your internet connection and try again.";
export const NETWORK_ERROR = "Network error: Please check your connection and try again.";

export const SERVICE_UNAVAILABLE = "Service temporarily unavailable. Please try again in a few moments.";
export const FETCH_FAILED = "Failed to fetch data";
const BY_STATUS: Record<number, string> = {
  404: "API endpoint not found. Please refresh the page and try again.",
  503: SERVICE_UNAVAILABLE,
};
const MAX_CHARS = 200;

/** Explains a failed fetch; `answer` is null when the server was not reached. */
export function formatFetchFailure(answer: ForeignAnswer | null): string {
  if (answer === null) return CHECK_INTERNET;
  if (answer.status < 400) return FETCH_FAILED;
  return BY_STATUS[answer.status] ?? formatHttpFailure(answer);
}

/** Returns the `error` field of an answer, or 'HTTP {status}: {text}', with the title of an HTML page. */
export function formatHttpFailure({ status, text }: ForeignAnswer): string {
  const { error } = parseRecord(parseJson(text));
  if (typeof error === "string" && error !== "") return error;
  return `HTTP ${status}: ${toLine(text)}`.replace(/: $/, "");
}

function toLine(text: string): string {
  const [, title] = /<title[^>]*>([^<]*)<\/title>/i.exec(text) ?? [];
  const line = (title ?? text.replace(/<[^>]*>/g, " ")).replace(/\s+/g, " ").trim();
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}...` : line;
}
