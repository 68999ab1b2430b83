import type { FormField, Preset } from "~/catalogue/types";

/** Input for the form of a preset and the request that must result, computed independently of the product. */
export interface PresetSample {
  /** Values by field, when one differs from the form's initial value. */
  filled: Map<string, string>;
  /** The field that takes the file, if there is one. */
  fileField: string | null;
  path: string;
  /** Sorted. */
  query: [name: string, value: string][];
  /** Null for a call without a body. */
  body: Record<string, unknown> | null;
}

/** Fields that the mail forms need in addition to their required ones. */
const MAIL_NEEDS: Record<string, Record<string, string>> = {
  "postcards.create": { recipient: "1001" },
  "letters.create": { recipient: "1001" },
};

/** @param file the content of the preset's first file field, as base64 */
export function makeSample(preset: Preset, file: string): PresetSample {
  const filled = new Map<string, string>();
  const values = new Map<string, string | boolean | number>();
  const inPath = [...preset.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  let fileField: string | null = null;
  for (const field of preset.formFields ?? []) {
    if (field.type === "file") {
      if (fileField !== null) continue;
      fileField = field.name;
      values.set(field.name, file);
      continue;
    }
    let value = MAIL_NEEDS[preset.id]?.[field.name] ?? findStart(preset, field);
    if (value === "" && (field.required || inPath.includes(field.name))) value = chooseValue(field);
    if (value !== findStart(preset, field)) filled.set(field.name, value);
    if (value !== "") values.set(field.name, toSent(field, value));
  }
  const rest = new Map([...values].filter(([name]) => !inPath.includes(name)));
  const sends = preset.method === "GET" || preset.method === "DELETE" ? "query" : "body";
  const given = Object.entries(preset.query ?? {}).filter(([name]) => !values.has(name));
  const asked = [...rest].map(([name, value]): [string, string] => [name, String(value)]);
  const fixed = Object.entries(preset.body ?? {}).filter(
    ([name]) => !preset.formFields?.some((field) => field.name === name),
  );
  return {
    filled,
    fileField,
    path: preset.path.replace(/\{(\w+)\}/g, (_, name: string) => String(values.get(name))),
    query: (sends === "query" ? [...asked, ...given] : given).toSorted(),
    body: sends === "query" ? null : { ...Object.fromEntries(fixed), ...groupRecipient(rest) },
  };
}

/** The form's initial value. */
function findStart(preset: Preset, field: FormField): string {
  const given = preset.query?.[field.name] ?? preset.body?.[field.name];
  if (given !== undefined && given !== null) return given === false ? "" : String(given);
  return field.required ? (field.placeholder ?? "") : "";
}

/** Chooses a value for a required field that is empty. */
function chooseValue(field: FormField): string {
  if (field.type === "select") return field.options?.[0] ?? "";
  return field.type === "number" ? "7" : "16799908";
}

function toSent(field: FormField, value: string): string | boolean | number {
  if (field.type === "boolean" || field.type === "choice") return true;
  return field.type === "number" ? Number(value) : value;
}

function groupRecipient(values: Map<string, string | boolean | number>): Record<string, unknown> {
  const prefix = "recipient_";
  const plain = [...values].filter(([name]) => !name.startsWith(prefix));
  const recipient = [...values]
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), value]);
  return {
    ...Object.fromEntries(plain),
    ...(recipient.length ? { recipient: Object.fromEntries(recipient) } : {}),
  };
}
