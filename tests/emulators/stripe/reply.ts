/** One answer of the API, before it is written to the socket. */
export interface ApiReply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

interface ErrorFields {
  type?: "invalid_request_error" | "idempotency_error" | "api_error";
  code?: string;
  param?: string;
  message: string;
}

/** A refusal in the API's one error shape. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly fields: ErrorFields,
  ) {
    super(fields.message);
  }
}

export function refuse(status: number, { type = "invalid_request_error", ...fields }: ErrorFields): ApiReply {
  const help = fields.code ? { doc_url: `https://stripe.com/docs/error-codes/${fields.code}` } : {};
  return { status, body: { error: { ...fields, ...help, type } } };
}

/** @throws ApiError 404 as the API says it */
export function requireFound<T>(found: T | undefined, kind: string, id: string, param: string): T {
  if (found !== undefined) return found;
  throw new ApiError(404, { code: "resource_missing", param, message: `No such ${kind}: '${id}'` });
}
