import type { Failure, FailureCode, Outcome } from "../outcome";

/** The HTTP status of every failure (design §2): exhaustive, so a new code cannot be forgotten. */
const STATUS: Record<FailureCode, number> = {
  bad_input: 400,
  signed_out: 401,
  insufficient_credits: 402,
  forbidden: 403,
  not_found: 404,
  in_progress: 409,
  too_large: 413,
  unsupported_media_type: 415,
  key_reused: 422,
  rate_limited: 429,
  provider_refused: 409,
  provider_unreachable: 502,
  not_configured: 503,
  database_unavailable: 503,
  provider_timeout: 504,
};

/** The HTTP status that tells of a failure. */
export function statusOf(failure: Failure): number {
  return STATUS[failure.code];
}

/** A JSON answer of a resource route. Never cached: it is one viewer's. */
export function replyJson(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return replyJsonText(JSON.stringify(body), status, headers);
}

/** The same for text that is JSON already, so that a provider's body is not serialised twice. */
export function replyJsonText(text: string, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(text, {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", ...headers },
  });
}

/** A failure as `/api/*` says it: `{ success: false, error, details? }` (spec §7). */
export function replyFailure(failure: Failure): Response {
  return replyJson(
    {
      success: false,
      error: failure.message,
      ...(failure.details === undefined ? {} : { details: failure.details }),
    },
    statusOf(failure),
  );
}

/** A PDF to be looked at; that it is nothing else than its type says (nosniff) is said of every answer. */
export function replyPdf(bytes: Uint8Array<ArrayBuffer>): Response {
  return new Response(bytes, {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": "inline",
      "Cache-Control": "no-store",
    },
  });
}

/** A file to be kept, or why there is none. */
export function replyFile(file: Outcome<ReadableStream>, mediaType: string, name: string): Response {
  if (!file.ok) return replyFailure(file.failure);
  return new Response(file.value, {
    headers: {
      "Content-Type": `${mediaType}; charset=utf-8`,
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    },
  });
}

/** A failure where a file was asked for: the sentence alone. */
export function replyPlainFailure(failure: Failure): Response {
  return new Response(`${failure.message}\n`, {
    status: statusOf(failure),
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}
