/** Request fields as the provider reads them, whatever encoding carried them. */

/** A file part of a multipart body. */
export class UploadedFile {
  constructor(
    readonly filename: string,
    readonly contentType: string,
    readonly bytes: Buffer,
  ) {}
}

export type FieldValue = string | number | boolean | null | UploadedFile | FieldValue[] | Fields;

export interface Fields {
  [name: string]: FieldValue;
}

type Leaf = string | UploadedFile;
type Branch = Map<string, Branch | Leaf>;

/** PHP's max_input_nesting_level: deeper fields are dropped. */
const MAX_DEPTH = 64;

/**
 * Turns `recipient[firstname]=A`, `pages[0]=B`, `files[]=C` into nested objects and arrays, the way PHP
 * does: the last of two equal names wins, numbered keys from 0 become an array.
 */
export function expandBrackets(pairs: Iterable<readonly [string, Leaf]>): Fields {
  const root: Branch = new Map();
  for (const [name, value] of pairs) {
    const keys = splitName(name);
    if (keys.length <= MAX_DEPTH) insert(root, keys, value);
  }
  return Object.fromEntries([...root].map(([key, node]) => [key, toValue(node)]));
}

function splitName(name: string): string[] {
  const open = name.indexOf("[");
  if (open <= 0 || !/^(?:\[[^[\]]*\])+$/.test(name.slice(open))) return [name];
  return [name.slice(0, open), ...name.slice(open + 1, -1).split("][")];
}

function insert(root: Branch, keys: string[], value: Leaf): void {
  let branch = root;
  keys.forEach((written, position) => {
    const key = written === "" && position > 0 ? String(branch.size) : written;
    if (position === keys.length - 1) {
      branch.set(key, value);
      return;
    }
    const found = branch.get(key);
    const next: Branch = found instanceof Map ? found : new Map();
    branch.set(key, next);
    branch = next;
  });
}

function toValue(node: Branch | Leaf): FieldValue {
  if (!(node instanceof Map)) return node;
  const keys = [...node.keys()];
  if (keys.every((key, index) => key === String(index))) return [...node.values()].map(toValue);
  return Object.fromEntries([...node].map(([key, child]) => [key, toValue(child)]));
}

/** A plain value as text; "" for what is absent, null, a file or nested. */
export function readText(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === "object" || value === undefined ? "" : String(value);
}

/** The first of several names that carries text, for documented aliases such as `zipcode`. */
export function readFirstText(fields: Fields, ...names: string[]): string {
  return names.map((name) => readText(fields, name)).find((text) => text !== "") ?? "";
}

/**
 * A boolean as the documentation's examples write it. How the live provider reads the text `false` is not
 * known; here it is false, as is everything that is not one of the affirmative spellings.
 */
export function readFlag(fields: Fields, name: string, whenAbsent: boolean): boolean {
  const text = readText(fields, name).toLowerCase();
  return text === "" ? whenAbsent : ["true", "1", "yes", "on"].includes(text);
}

/** A nested object; null for every other kind of value. */
export function findObject(fields: Fields, name: string): Fields | null {
  const value = fields[name];
  if (typeof value !== "object" || value === null) return null;
  return Array.isArray(value) || value instanceof UploadedFile ? null : value;
}
