import { fail, type Outcome, succeed } from "../outcome";

const KEYS_DIFFER =
  "The header Idempotency-Key and the field idempotency_key differ. Nothing was done. Send one of them, or the same twice.";

/**
 * Copies the key of the header `Idempotency-Key`, quoted or not, to the field `idempotency_key` of a JSON body. Fails with
 * `bad_input` when the body has another key.
 */
export function addIdempotencyKey(headers: Headers, body: unknown): Outcome<unknown> {
  const header = headers.get("Idempotency-Key")?.trim();
  if (!header || typeof body !== "object" || body === null || Array.isArray(body)) return succeed(body);
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  const { idempotency_key: given } = body as { idempotency_key?: unknown };
  if (given !== undefined && given !== null && given !== key) return fail("bad_input", KEYS_DIFFER);
  return succeed({ ...body, idempotency_key: key });
}
