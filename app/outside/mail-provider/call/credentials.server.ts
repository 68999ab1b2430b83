/** Credentials other than ours never reach the provider. */

import { fail, type Outcome, succeed } from "~/platform/outcome";
import { formatTooDeep } from "../messages";

const CREDENTIAL_NAMES = new Set([
  "apikey",
  "xapikey",
  "apitoken",
  "accesstoken",
  "authtoken",
  "bearertoken",
  "authorization",
]);

/**
 * True when the provider could read a credential under this name. PHP turns dots, spaces and stray brackets
 * of a field's name into underscores, so only letters and digits count, for the whole name and for each
 * bracketed part.
 */
export function isCredentialName(name: string): boolean {
  return [name, ...name.split(/[[\]]/)].some((part) =>
    CREDENTIAL_NAMES.has(
      part
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[^a-z0-9]/g, ""),
    ),
  );
}

/** Deeper than any request, with its wrapping, may be. */
const DEPTH_LIMIT = 100;

/**
 * The value without credentials: nested ones and those inside JSON text are dropped too. Fails with `bad_input` when it,
 * or a JSON text in it, is nested deeper than 100 levels: what cannot be searched is not let through.
 */
export function dropCredentials(value: unknown): Outcome<unknown> {
  try {
    return succeed(drop(value, 0));
  } catch (error) {
    if (error instanceof TooDeep) return fail("bad_input", formatTooDeep(DEPTH_LIMIT));
    throw error;
  }
}

class TooDeep extends Error {}

function drop(value: unknown, depth: number): unknown {
  if (typeof value === "string") return dropFromText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === DEPTH_LIMIT) throw new TooDeep();
  if (Array.isArray(value)) return value.map((item) => drop(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isCredentialName(name))
      .map(([name, inner]) => [name, drop(inner, depth + 1)]),
  );
}

/** JSON text is left as it was written unless a credential has to go. */
function dropFromText(text: string): string {
  if (!/^\s*[[{"]/.test(text)) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw new TooDeep();
  }
  // Escapes double with each level of text inside text, so this recursion is short.
  const kept = JSON.stringify(drop(value, 0));
  return kept === JSON.stringify(value) ? text : kept;
}
