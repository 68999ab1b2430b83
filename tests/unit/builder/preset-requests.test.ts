import { expect, test } from "vitest";
import { openPreset } from "~/builder/draft/draft";
import { findPresetCall } from "~/builder/draft/presets.server";
import { buildRequest, listProblems } from "~/builder/draft/request";
import { PRESETS } from "~/catalogue/presets";
import type { FormField, Preset } from "~/catalogue/types";

const FILE = Buffer.from("%PDF-1.7").toString("base64");

test.each(PRESETS.map((preset) => [preset.id, preset] as const))(
  "the form of %s makes the request that the catalogue specifies",
  (_, preset) => {
    const { filled, fileField, ...expected } = makeSample(preset);
    const template = findPresetCall(preset, false);
    const draft = openPreset(template);
    Object.assign(draft.values, Object.fromEntries(filled));
    if (fileField) draft.values[fileField] = FILE;
    expect(listProblems(draft, template)).toEqual([]);
    const { method, path, query, body } = buildRequest(draft, template);
    expect({ method, path, query: Object.entries(query).toSorted(), body: body ?? null }).toEqual({
      method: preset.method,
      ...expected,
    });
  },
);

/** Fields that the mail forms need in addition to their required ones. */
const MAIL_NEEDS: Record<string, Record<string, string>> = {
  "postcards.create": { recipient: "1001" },
  "letters.create": { recipient: "1001" },
};

/**
 * Makes input for the form of a preset, where it differs from the form's initial values, and the request that must result, computed
 * independently of the product.
 */
function makeSample(preset: Preset) {
  const filled = new Map<string, string>();
  const values = new Map<string, string | boolean | number>();
  const inPath = [...preset.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  let fileField: string | null = null;
  for (const field of preset.fields) {
    if (field.type === "file") {
      if (fileField !== null) continue;
      fileField = field.name;
      values.set(field.name, FILE);
      continue;
    }
    let value = MAIL_NEEDS[preset.id]?.[field.name] ?? findStart(preset, field);
    if (value === "" && (field.required || inPath.includes(field.name))) value = chooseValue(field);
    if (value !== findStart(preset, field)) filled.set(field.name, value);
    if (value !== "") values.set(field.name, toSent(field, value));
  }
  const rest = new Map([...values].filter(([name]) => !inPath.includes(name)));
  const sends = preset.method === "GET" || preset.method === "DELETE" ? "query" : "body";
  const given = Object.entries(preset.query).filter(([name]) => !values.has(name));
  const asked = [...rest].map(([name, value]): [string, string] => [name, String(value)]);
  const fixed = Object.entries(preset.body).filter(
    ([name]) => !preset.fields.some((field) => field.name === name),
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
  const given = preset.query[field.name] ?? preset.body[field.name];
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
