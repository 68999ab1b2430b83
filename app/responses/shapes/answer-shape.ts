import { isRecord } from "~/platform/json-value";

/**
 * The shape of an answer: a sorted line for each place and type, like `data.pdf text`. It has names of fields but no
 * values; a name that looks like a value (an ID, a date, a sentence) is `*`.
 */
export type Shape = readonly string[];

/** A shape that a call has answered, with the number of answers. */
export interface SeenShape {
  lines: Shape;
  times: number;
}

const MOST_LINES = 500;
const MOST_DEPTH = 12;
const MOST_ENTRIES = 50;
const FIELD = /^[a-z_][a-z_-]{0,39}\d{0,2}$/i;
const ROOT = "answer";
/** Number of answers from which a field that all had is not optional. */
const ENOUGH = 10;

export function describeShape(answer: unknown): Shape {
  const lines = new Set<string>();
  const visit = (value: unknown, path: string, depth: number) => {
    if (lines.size >= MOST_LINES || depth > MOST_DEPTH) return;
    if (Array.isArray(value)) {
      lines.add(`${path} list`);
      for (const entry of value.slice(0, MOST_ENTRIES)) visit(entry, `${path}[]`, depth + 1);
    } else if (isRecord(value)) {
      lines.add(`${path} object`);
      for (const [name, inner] of Object.entries(value)) {
        visit(inner, `${path}.${FIELD.test(name) ? name : "*"}`, depth + 1);
      }
    } else
      lines.add(`${path} ${value === null ? "null" : typeof value === "string" ? "text" : typeof value}`);
  };
  visit(answer, ROOT, 0);
  return [...lines].sort();
}

/** True while a call has too few answers to tell what changed. */
export function isLearning(known: readonly SeenShape[]): boolean {
  return known.reduce((sum, { times }) => sum + times, 0) < ENOUGH;
}

/**
 * Lists the differences from all known shapes, the outermost place only: "`answer.data.id` is text, was number".
 * Fields that are sometimes absent or null, and entries of a list that was always empty, are no change.
 */
export function findChanges(known: readonly SeenShape[], shape: Shape): string[] {
  const types = groupTypes(known.flatMap(({ lines }) => lines));
  const now = groupTypes(shape);
  const changes: string[] = [];
  for (const [path, found] of now) {
    const parent = findParent(path);
    const before = types.get(path);
    if (before === undefined) {
      const wasFilled = path.endsWith("[]") ? false : types.has(parent);
      if (parent !== "" && wasFilled && !path.endsWith("*")) changes.push(`\`${path}\` is new`);
      continue;
    }
    const other = [...found].filter((type) => type !== "null" && !before.has(type));
    const past = [...before].filter((type) => type !== "null");
    if (other.length > 0 && past.length > 0) {
      changes.push(`\`${path}\` is ${other.join(" or ")}, was ${past.join(" or ")}`);
    }
  }
  for (const path of types.keys()) {
    const parent = findParent(path);
    if (now.has(path) || path.endsWith("[]") || !now.get(parent)?.has("object")) continue;
    const withParent = known.filter(({ lines }) => lines.includes(`${parent} object`));
    const always = withParent.every(({ lines }) => lines.some((line) => line.startsWith(`${path} `)));
    if (always && !isLearning(withParent)) changes.push(`\`${path}\` is gone`);
  }
  return changes.sort();
}

function groupTypes(lines: Shape): Map<string, Set<string>> {
  const types = new Map<string, Set<string>>();
  for (const line of lines) {
    const gap = line.lastIndexOf(" ");
    const path = line.slice(0, gap);
    types.set(path, (types.get(path) ?? new Set()).add(line.slice(gap + 1)));
  }
  return types;
}

/** Returns `a.b` of `a.b.c` and of `a.b[]`; empty for the answer itself. */
function findParent(path: string): string {
  return path.endsWith("[]") ? path.slice(0, -2) : path.slice(0, Math.max(path.lastIndexOf("."), 0));
}
