import { currentRequestId, noteRequest } from "../log.server";
import { FAILURE_CODES, type Failure, type Outcome } from "../outcome";

/** Answer at an address without a route. */
export const NOTHING_HERE = "There is nothing here.";

/** Texts of replies that were made from one. */
const texts = new WeakMap<Response, string>();

/** Returns the status of a reply to this request, and notes for the audit log that a right was refused. */
export function statusOf(failure: Failure): number {
  if (failure.code === "forbidden" || failure.code === "missing_scope") noteRequest({ refused: true });
  return FAILURE_CODES[failure.code].status;
}

/** Creates a JSON reply. It is never cached, because it is made for one viewer. */
export function replyJson(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return replyJsonText(JSON.stringify(body), status, headers);
}

/** {@link replyJson} for JSON text, so that a provider's body is not serialised twice. */
export function replyJsonText(text: string, status = 200, headers: Record<string, string> = {}): Response {
  const reply = new Response(text, {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", ...headers },
  });
  texts.set(reply, text);
  return reply;
}

/** Finds the text of a JSON reply, which is faster than reading its stream. */
export function findText(reply: Response): string | undefined {
  return texts.get(reply);
}

/** Creates a JSON reply `{ success: false, error, code, request_id, details? }`. @param more further fields */
export function replyFailure(
  failure: Failure,
  headers: Record<string, string> = {},
  more: Record<string, unknown> = {},
): Response {
  noteRequest({ reason: formatReason(failure) });
  return replyJson(
    {
      success: false,
      error: failure.message,
      code: failure.code,
      request_id: currentRequestId() ?? null,
      ...(failure.details === undefined ? {} : { details: failure.details }),
      ...more,
    },
    statusOf(failure),
    { ...toRetryAfter(failure), ...headers },
  );
}

/** Returns the value of an outcome in a route. @throws Response the failure as JSON, for the error boundary */
export function requireValue<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw replyFailure(outcome.failure);
  return outcome.value;
}

/** Formats a failure without input for the log: its code, and the wrong fields or the missing scope. */
function formatReason({ code, message, details }: Failure): string {
  const fields = [...message.matchAll(/`([a-z_]{1,30}(?:\.[a-z_]{1,30}){0,4})`/g)].map(([, name]) => name);
  const names = code === "missing_scope" && details ? [details] : [...new Set(fields)].slice(0, 5);
  return names.length > 0 ? `${code}: ${names.join(", ")}` : code;
}

function toRetryAfter({ retryAfterSeconds }: Failure): Record<string, string> {
  return retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
}

export function replyPdf(bytes: Uint8Array<ArrayBuffer>): Response {
  return new Response(bytes, {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": "inline",
      "Cache-Control": "no-store",
    },
  });
}

/** Creates a reply with a text file to download, or with the failure as JSON. */
export function replyFile(file: Outcome<ReadableStream>, mediaType: string, name: string): Response {
  return file.ok
    ? replyDownload(file.value, `${mediaType}; charset=utf-8`, name)
    : replyFailure(file.failure);
}

export function replyDownload(body: BodyInit, type: string, name: string): Response {
  return new Response(body, {
    headers: {
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    },
  });
}

/** Creates a plain-text reply for a person who opened the address in a browser. */
export function replyPlainFailure(failure: Failure, headers: Record<string, string> = {}): Response {
  return new Response(`${failure.message}\n`, {
    status: statusOf(failure),
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      ...toRetryAfter(failure),
      ...headers,
    },
  });
}
