import { parseJson } from "~/platform/json-value";

export interface Merged {
  text: string;
  /** Names without a value, each once, in the order of the text, where they stay in braces. */
  unknown: string[];
  /** Only where the filled text would be too long: how many characters it would have. `text` is then unfilled. */
  tooLong?: number;
}

/** Characters of a text with its variables filled in: as many as a letter may have. */
export const MAX_MERGED_CHARS = 200_000;

/** `{company|you}` has a default. The provider writes `{firstname}` in texts and `{{firstname}}` in its designer, so people type both. */
const VARIABLE = /\{\{ *([A-Za-z_][\w-]*) *(?:\|([^{}\n]*))?\}\}|\{([A-Za-z_][\w-]*)(?:\|([^{}\n]*))?\}/g;
const NAME = /^[A-Za-z_][\w-]*$/;

/**
 * Fills `{name}` and `{{name}}` from the recipient's details, else from the variables. An empty value counts as none, so that no one
 * prints "Dear ,". The length is known before the filled text is made: a long value may come many times.
 * @param recipient null when only an ID is known
 * @param variables input of {@link parseVariables}
 */
export function fillVariables(
  text: string,
  recipient: Readonly<Record<string, unknown>> | null,
  variables: unknown,
): Merged {
  const defined = parseVariables(variables);
  const values = new Map<string, string>();
  let chars = text.length;
  const unknown = new Set<string>();
  for (const match of text.matchAll(VARIABLE)) {
    const { name, fallback } = readVariable(match);
    const value = values.get(name) ?? (findDetail(recipient, name) || defined.get(name) || "");
    values.set(name, value);
    const printed = value || fallback;
    if (printed === "") unknown.add(name);
    else chars += printed.length - match[0].length;
  }
  // The length of the unfilled text is checked by its user.
  if (chars > Math.max(MAX_MERGED_CHARS, text.length)) return { text, unknown: [...unknown], tooLong: chars };
  return {
    text: text.replace(VARIABLE, (...match) => {
      const { name, fallback } = readVariable(match);
      return values.get(name) || fallback || match[0];
    }),
    unknown: [...unknown],
  };
}

export function addDefaults(text: string, defaults: ReadonlyMap<string, string>): string {
  return text.replace(VARIABLE, (...match) => {
    const { name, fallback } = readVariable(match);
    const added = fallback === "" && defaults.get(name);
    return added ? `{${name}|${added}}` : match[0];
  });
}

/** Lists the names in braces in a text, each once, in its order. */
export function listVariables(text: string): string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map((match) => readVariable(match).name))];
}

/** @param match of {@link VARIABLE} */
function readVariable(match: readonly string[]): { name: string; fallback: string } {
  const [, double, doubleDefault, single, singleDefault] = match;
  return { name: double ?? single ?? "", fallback: (doubleDefault ?? singleDefault ?? "").trim() };
}

/** Parses the strings, numbers and booleans of an object or of its JSON text; empty for anything else. */
export function parseVariables(variables: unknown): Map<string, string> {
  const parsed = typeof variables === "string" ? parseJson(variables) : variables;
  if (typeof parsed !== "object" || parsed === null) return new Map();
  return new Map(
    Object.entries(parsed).flatMap(([name, value]) => {
      const text = formatValue(value);
      return NAME.test(name) && text !== null ? [[name, text]] : [];
    }),
  );
}

function findDetail(recipient: Readonly<Record<string, unknown>> | null, name: string): string {
  return recipient && Object.hasOwn(recipient, name) ? (formatValue(recipient[name]) ?? "").trim() : "";
}

function formatValue(value: unknown): string | null {
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : null;
}

export const LISTED_NAMES = 20;

/** "{firstname}, {city}", and how many more where there are many. */
export function formatVariables(names: readonly string[]): string {
  const listed = names
    .slice(0, LISTED_NAMES)
    .map((name) => `{${name}}`)
    .join(", ");
  return names.length > LISTED_NAMES ? `${listed} and ${names.length - LISTED_NAMES} more` : listed;
}

export function formatNoValue(names: readonly string[]): string {
  return names.length === 1
    ? `${formatVariables(names)} has no value. Give it one or remove it to send.`
    : `${formatVariables(names)} have no value. Give them one or remove them to send.`;
}
