import { z } from "zod";

/**
 * One line of text that a person or a script writes: trimmed, not empty, without control characters (of which the
 * database cannot keep NUL) and halves of characters.
 */
export function shortText(maxChars: number) {
  return z
    .string({ error: "is required" })
    .trim()
    .min(1, "is required")
    .max(maxChars, `has ${maxChars} characters at most`)
    .refine((text) => !/[\p{Cc}\p{Surrogate}]/u.test(text), "holds a character that cannot be kept");
}

/** A caller's key: what is asked twice with it is done once. */
export const idempotencyKey = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{10,200}$/, "has 10 to 200 letters, digits, dots, dashes, colons or underscores");
