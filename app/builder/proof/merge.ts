import { type ProofRecipient, RECIPIENT_KEYS } from "./state";

/** Text with its merge variables filled. */
export interface Merged {
  text: string;
  /** Names that nothing fills, each once, in the order of the text; they stand there in their braces. */
  unknown: string[];
}

/** A name as the provider writes it: `{firstname}`. */
const VARIABLE = /\{([A-Za-z_][\w-]*)\}/g;

/**
 * Fills `{name}` from the recipient, else from the variables. What is empty there counts as unknown, so that
 * "Dear ," does not slip through.
 */
export function fillVariables(text: string, recipient: ProofRecipient | null, variables: string): Merged {
  const values = readVariables(variables);
  const unknown = new Set<string>();
  const filled = text.replace(VARIABLE, (whole, name: string) => {
    const value = readRecipientValue(recipient, name) || values.get(name) || "";
    if (value === "") unknown.add(name);
    return value === "" ? whole : value;
  });
  return { text: filled, unknown: [...unknown] };
}

function readRecipientValue(recipient: ProofRecipient | null, name: string): string {
  const key = RECIPIENT_KEYS.find((candidate) => candidate === name);
  return (key && recipient?.[key]) ?? "";
}

/** The object's texts, numbers and truth values; of anything but a JSON object there are none. */
function readVariables(json: string): Map<string, string> {
  const values = new Map<string, string>();
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed !== "object" || parsed === null) return values;
    for (const [name, value] of Object.entries(parsed)) {
      if (["string", "number", "boolean"].includes(typeof value)) values.set(name, String(value));
    }
  } catch {
    // Half-typed JSON: the form says so itself, and the names stay visible here.
  }
  return values;
}
