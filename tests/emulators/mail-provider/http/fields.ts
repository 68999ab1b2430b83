/** Request fields as the provider reads them, in any encoding. */

export type FieldValue = string | number | boolean | null | FieldValue[] | Fields;

export interface Fields {
  [name: string]: FieldValue;
}

type Branch = Map<string, Branch | string>;

/**
 * Turns `recipient[firstname]=A`, `pages[0]=B`, `files[]=C` into nested objects and arrays, the way PHP
 * does: the last of two equal names wins, numbered keys from 0 become an array.
 */
export function expandBrackets(pairs: Iterable<readonly [string, string]>): Fields {
  const root: Branch = new Map();
  for (const [name, value] of pairs) {
    insert(root, splitName(name), value);
  }
  return Object.fromEntries([...root].map(([key, node]) => [key, toValue(node)]));
}

function splitName(name: string): string[] {
  const open = name.indexOf("[");
  if (open <= 0 || !/^(?:\[[^[\]]*\])+$/.test(name.slice(open))) return [name];
  return [name.slice(0, open), ...name.slice(open + 1, -1).split("][")];
}

function insert(root: Branch, keys: string[], value: string): void {
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

function toValue(node: Branch | string): FieldValue {
  if (!(node instanceof Map)) return node;
  const keys = [...node.keys()];
  if (keys.every((key, index) => key === String(index))) return [...node.values()].map(toValue);
  return Object.fromEntries([...node].map(([key, child]) => [key, toValue(child)]));
}

/** A plain value as text; "" when it is absent, null or nested. */
export function readText(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === "object" || value === undefined ? "" : String(value);
}

/** The first non-empty value among several names, for documented aliases such as `zipcode`. */
export function readFirstText(fields: Fields, ...names: string[]): string {
  return names.map((name) => readText(fields, name)).find((text) => text !== "") ?? "";
}

/**
 * A boolean as the documentation's examples write it. How the live provider reads the text `false` is unknown; here
 * it is false, like everything else that is not an affirmative spelling.
 */
export function readFlag(fields: Fields, name: string, whenAbsent: boolean): boolean {
  const text = readText(fields, name).toLowerCase();
  return text === "" ? whenAbsent : ["true", "1", "yes", "on"].includes(text);
}

/** A nested object; null for every other kind of value. */
export function findObject(fields: Fields, name: string): Fields | null {
  const value = fields[name];
  return typeof value !== "object" || value === null || Array.isArray(value) ? null : value;
}
