/** One answer of the API, before it is written to the socket. */
export interface ApiReply {
  status: number;
  body: unknown;
}

interface ErrorFields {
  type?: "invalid_request_error" | "idempotency_error" | "api_error";
  code?: string;
  message: string;
}

/** A refusal in the API's single error shape. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly fields: ErrorFields,
  ) {
    super(fields.message);
  }
}

export function refuse(status: number, { type = "invalid_request_error", ...fields }: ErrorFields): ApiReply {
  return { status, body: { error: { ...fields, type } } };
}
