import { fail, type Outcome, succeed } from "~/platform/outcome";

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
 * True when the provider could read a credential under this name. PHP converts dots, spaces and single brackets in names to
 * underscores, so only letters and digits count, in the whole name and in each bracketed part.
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

/** Above the depth limit of a request. */
const DEPTH_LIMIT = 100;

/**
 * Drops credentials, so that only ours reach the provider, also nested and inside JSON text. Fails with `bad_input` when a
 * value cannot be searched because it is nested deeper than 100 levels.
 */
export function dropCredentials(value: unknown): Outcome<unknown> {
  try {
    return succeed(drop(value, 0));
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return fail("bad_input", `The request has values nested deeper than ${DEPTH_LIMIT} levels.`);
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

/** Keeps the spelling of JSON text unless it has a credential. */
function dropFromText(text: string): string {
  if (!/^\s*[[{"]/.test(text)) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw new TooDeep();
  }
  // Escapes double with each level of nested text, so this recursion is short.
  const kept = JSON.stringify(drop(value, 0));
  return kept === JSON.stringify(value) ? text : kept;
}
