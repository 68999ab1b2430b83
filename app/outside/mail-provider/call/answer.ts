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

/** True for 2xx without `success: false`, and for the 409 that repeats an earlier success. */
export function isSuccess(status: number, body: ProviderBody, contentType: string | undefined): boolean {
  const success = isRecord(body.parsed) ? body.parsed.success : undefined;
  if (status === 409) return success === true;
  if (status < 200 || status > 299 || success === false) return false;
  return body.parsed !== undefined || status === 204 || BINARY_TYPE.test(contentType ?? "");
}

/** Formats the reason of a failed call: the provider's own words, or what its answer is. */
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
