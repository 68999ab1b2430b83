/** Text with its merge variables filled in. */
export interface Merged {
  text: string;
  /** Names without a value, each once, in the order of the text, where they stay in braces. */
  unknown: string[];
  /** Only where the filled text would be too long: how many characters it would have. `text` is then unfilled. */
  tooLong?: number;
}

/** Characters of a text with its variables filled in: as many as a letter may have. */
export const MAX_MERGED_CHARS = 200_000;

/** The provider writes `{firstname}` in texts and `{{firstname}}` in its designer, so people type both. */
const VARIABLE = /\{\{ *([A-Za-z_][\w-]*) *\}\}|\{([A-Za-z_][\w-]*)\}/g;
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
  const given = parseVariables(variables);
  const values = new Map<string, string>();
  let chars = text.length;
  for (const [whole, double, name = double ?? ""] of text.matchAll(VARIABLE)) {
    const value = values.get(name) ?? (findDetail(recipient, name) || given.get(name) || "");
    values.set(name, value);
    if (value !== "") chars += value.length - whole.length;
  }
  const unknown = [...values].filter(([, value]) => value === "").map(([name]) => name);
  // A text that is long by itself is judged where it is used.
  if (chars > Math.max(MAX_MERGED_CHARS, text.length)) return { text, unknown, tooLong: chars };
  return {
    text: text.replace(VARIABLE, (whole, double, single) => values.get(double ?? single) || whole),
    unknown,
  };
}

/** The names in braces in a text, each once, in its order. */
export function listVariables(text: string): string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map(([, double, single]) => double ?? single ?? ""))];
}

/** The strings, numbers and booleans of an object or of its JSON text; empty for anything else. */
export function parseVariables(variables: unknown): Map<string, string> {
  const given = typeof variables === "string" ? parseJson(variables) : variables;
  if (typeof given !== "object" || given === null) return new Map();
  return new Map(
    Object.entries(given).flatMap(([name, value]) => {
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

/** Null for invalid JSON, such as half-typed text. The form reports that itself. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
