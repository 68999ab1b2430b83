import { findMemberText } from "~/platform/json-text";
import { isRecord, parseJson } from "~/platform/json-value";
import { formatNonJson } from "./non-json";

/** Statuses that mean that the provider did nothing. */
export const REFUSING_STATUSES: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 413, 415, 422]);

/** A provider's body, parsed once. */
export interface ProviderBody {
  /** Masked. */
  text: string;
  /** Undefined when the body is not JSON. */
  parsed: unknown;
  /** JSON text of the caller's `data`: a slice of `text`, never serialised again. */
  dataText: string;
}

const BINARY_TYPE = /^(?:image\/|application\/(?:pdf|zip|octet-stream))/i;

/** Parses a masked body. `dataText` is the `data` of its `{success, data}` envelope, else all of it. */
export function parseProviderBody(text: string): ProviderBody {
  const parsed = parseJson(text);
  if (parsed === undefined) return { text, parsed, dataText: "null" };
  const enveloped = isRecord(parsed) && Object.hasOwn(parsed, "success");
  return { text, parsed, dataText: (enveloped ? findMemberText(text, "data") : null) ?? text };
}

/**
 * True when the provider did what the call requested: 2xx without `success: false`, or the 409 that repeats an earlier
 * success.
 */
export function isSuccess(status: number, body: ProviderBody, contentType: string | undefined): boolean {
  const success = isRecord(body.parsed) ? body.parsed.success : undefined;
  if (status === 409) return success === true;
  if (status < 200 || status > 299 || success === false) return false;
  return body.parsed !== undefined || status === 204 || BINARY_TYPE.test(contentType ?? "");
}

export function formatRefusalReason(status: number, body: ProviderBody): string {
  if (status >= 300 && status < 400) {
    return `The provider answered with a redirect (${status}), which is not followed.`;
  }
  if (isRecord(body.parsed)) {
    const { error, message } = body.parsed;
    for (const text of [error, message]) {
      if (typeof text === "string" && text.trim() !== "") return text;
      if (isRecord(text)) return JSON.stringify(text);
    }
  }
  if (body.parsed === undefined && (body.text.trim() !== "" || status === 200))
    return formatNonJson(body.text);
  return `Request failed with status ${status}`;
}

type Headers = Readonly<Record<string, string>>;

const DEFAULT_WAIT_SECONDS = 60;
/** Longer waits are a mistake, because the provider counts by the minute. */
const MAX_WAIT_SECONDS = 300;
/** Larger numbers are times: the clock has passed this number of seconds in 2001, and 31 years are no wait. */
export const FIRST_EPOCH_SECONDS = 1_000_000_000;
export const FIRST_EPOCH_MS = FIRST_EPOCH_SECONDS * 1_000;

/**
 * Parses the seconds, 1 to 300, until the provider's rate limit is reset, from `X-RateLimit-Reset`, else from `Retry-After`.
 * Either may be a number of seconds or a time (seconds or ms since 1970, `Retry-After` also a date). Null when neither can be
 * read. Names of headers are in lower case.
 */
export function parseResetSeconds(headers: Headers, now = Date.now()): number | null {
  const seconds = parseWait(headers["x-ratelimit-reset"], now) ?? parseWait(headers["retry-after"], now);
  // "0" means that the current second is nearly over.
  return seconds === null ? null : Math.min(Math.max(1, seconds), MAX_WAIT_SECONDS);
}

/** Parses the wait as {@link parseResetSeconds} does; a minute when unknown. */
export function parseWaitSeconds(headers: Headers, now = Date.now()): number {
  return parseResetSeconds(headers, now) ?? DEFAULT_WAIT_SECONDS;
}

/** Parses the remaining calls of the current minute; null when unknown. */
export function parseCallsLeft(headers: Headers): number | null {
  const calls = Number.parseInt(headers["x-ratelimit-remaining"] ?? "", 10);
  return Number.isNaN(calls) ? null : calls;
}

function parseWait(text: string | undefined, now: number): number | null {
  const value = text?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) {
    const number = Number(value);
    if (number < FIRST_EPOCH_SECONDS) return Math.ceil(number);
    return toSeconds((number < FIRST_EPOCH_MS ? number * 1_000 : number) - now);
  }
  const date = /^[A-Za-z]{3},/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : toSeconds(date - now);
}

function toSeconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}

const SPACED = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/;

/**
 * Parses the provider's two spellings of a time, the one without a zone as UTC; null for any other and for years that the
 * database cannot store.
 */
export function parseProviderTime(value: unknown): Date | null {
  if (typeof value !== "string") return null;
  const text = value.trim();
  const [, day, time] = SPACED.exec(text) ?? [];
  if (!day && !/^\d{4}-\d{2}-\d{2}T/.test(text)) return null;
  const moment = new Date(day ? `${day}T${time}Z` : text);
  const year = moment.getUTCFullYear();
  return Number.isNaN(year) || year < 1970 || year > 9998 ? null : moment;
}
