import { z } from "zod";

/**
 * Schema of one line of text: trimmed, not empty, without control characters and lone surrogates.
 */
export function shortText(maxChars: number) {
  return z
    .string({ error: "is required" })
    .trim()
    .min(1, "is required")
    .max(maxChars, `has ${maxChars} characters at most`)
    .refine((text) => !/[\p{Cc}\p{Surrogate}]/u.test(text), "holds a character that cannot be kept");
}

/** Schema of a caller's idempotency key. */
export const idempotencyKey = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{10,200}$/, "has 10 to 200 letters, digits, dots, dashes, colons or underscores");
