/** Text with its merge variables filled. */
export interface Merged {
  text: string;
  /** Names that nothing fills, each once, in the order of the text; they stand there in their braces. */
  unknown: string[];
}

/** A name as the provider writes it: `{firstname}` (provider-api.md §3.2). */
const VARIABLE = /\{([A-Za-z_][\w-]*)\}/g;
const NAME = /^[A-Za-z_][\w-]*$/;

/**
 * Fills `{name}` from the recipient's details, else from the variables. What is empty there counts as unknown, so
 * that "Dear ," does not slip through.
 * @param recipient null where only an ID is known
 * @param variables as {@link parseVariables} takes them
 */
export function fillVariables(
  text: string,
  recipient: Readonly<Record<string, unknown>> | null,
  variables: unknown,
): Merged {
  const values = parseVariables(variables);
  const unknown = new Set<string>();
  const filled = text.replace(VARIABLE, (whole, name: string) => {
    const value = readDetail(recipient, name) || values.get(name) || "";
    if (value === "") unknown.add(name);
    return value === "" ? whole : value;
  });
  return { text: filled, unknown: [...unknown] };
}

/** The texts, numbers and truth values of an object or of its JSON text; of anything else there are none. */
export function parseVariables(variables: unknown): Map<string, string> {
  const given = typeof variables === "string" ? parse(variables) : variables;
  if (typeof given !== "object" || given === null) return new Map();
  return new Map(
    Object.entries(given).flatMap(([name, value]) => {
      const text = writeValue(value);
      return NAME.test(name) && text !== null ? [[name, text]] : [];
    }),
  );
}

function readDetail(recipient: Readonly<Record<string, unknown>> | null, name: string): string {
  return recipient && Object.hasOwn(recipient, name) ? (writeValue(recipient[name]) ?? "").trim() : "";
}

function writeValue(value: unknown): string | null {
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : null;
}

/** Half-typed JSON gives nothing: the form says so itself, and the names stay visible. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
