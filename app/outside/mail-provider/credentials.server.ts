/** Credentials other than ours never reach the provider. */

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
 * Whether the provider could read a credential under this name. PHP turns dots, spaces and stray brackets
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

/** The value without credentials: nested ones and those inside JSON text are dropped too. */
export function dropCredentials(value: unknown): unknown {
  if (typeof value === "string") return dropFromText(value);
  if (Array.isArray(value)) return value.map(dropCredentials);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isCredentialName(name))
      .map(([name, inner]) => [name, dropCredentials(inner)]),
  );
}

/** JSON text is left as it was written unless a credential has to go. */
function dropFromText(text: string): string {
  if (!/^\s*[[{"]/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    const kept = JSON.stringify(dropCredentials(value));
    return kept === JSON.stringify(value) ? text : kept;
  } catch {
    return text;
  }
}
