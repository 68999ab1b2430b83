import {
  type ExactBranch,
  type ExactJson,
  isBranch,
  listMembers,
  writeExact,
  writeScalar,
} from "./exact-json";

export interface TreeRow {
  /** Null for the root. */
  parent: TreeRow | null;
  /** Null for the root. For a value that a filter found, its JSONPath. */
  key: string | number | null;
  /** Index in the parent, where names may repeat. */
  index: number;
  value: ExactJson;
  depth: number;
  /** Undefined for a value without children. */
  open?: boolean;
  /** Set for the root of a filter's result: its JSONPath, and those of its children. */
  filter?: { path: string; found: readonly string[] };
}

/** Open branches: all down to a level, except those in `changed`. */
export type Openness = { level: number; changed: ReadonlyMap<ExactBranch, boolean> };

export function toRoot(value: ExactJson): TreeRow {
  return { parent: null, key: null, index: 0, value, depth: 0 };
}

export function listChildren(row: TreeRow): TreeRow[] {
  const { value, filter, depth } = row;
  if (!isBranch(value)) return [];
  return listMembers(value).map(([key, child], index) => ({
    parent: row,
    key: filter?.found[index] ?? key,
    index,
    value: child,
    depth: depth + 1,
  }));
}

/** Walks the lines in order, without recursion, because the nesting may be deeper than the stack. */
export function* walkRows(root: TreeRow, isOpen: (branch: ExactBranch, depth: number) => boolean) {
  const waiting = [{ ...root }];
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    if (isBranch(row.value)) row.open = isOpen(row.value, row.depth);
    yield row;
    if (row.open) for (const child of listChildren(row).reverse()) waiting.push(child);
  }
}

export function listRows(root: TreeRow, { level, changed }: Openness): TreeRow[] {
  return [...walkRows(root, (branch, depth) => changed.get(branch) ?? depth < level)];
}

export const MOST_FOUND = 10_000;

/** Finds the lines whose name or value has the words, also in closed branches, in the order of the tree. */
export function findRows(root: TreeRow, words: string): TreeRow[] {
  const wanted = words.toLowerCase();
  const found: TreeRow[] = [];
  for (const row of walkRows(root, () => true)) {
    const { key, value } = row;
    const named = typeof key === "string" && key.toLowerCase().includes(wanted);
    if (named || (!isBranch(value) && writeScalar(value).toLowerCase().includes(wanted))) found.push(row);
    if (found.length === MOST_FOUND) break;
  }
  return found;
}

/** True when two rows show the same place. */
export function isSameRow(a: TreeRow, b: TreeRow): boolean {
  return a.index === b.index && a.parent?.value === b.parent?.value;
}

/** Lists the branches above a line, nearest first. */
export function listAncestors(row: TreeRow): ExactBranch[] {
  const above: ExactBranch[] = [];
  for (let next = row.parent; next; next = next.parent) above.push(next.value as ExactBranch);
  return above;
}

/** Writes the JSONPath of a line: `$.data[0].city`. */
export function writePath(row: TreeRow): string {
  const steps: string[] = [];
  let at = row;
  for (; at.parent && !at.parent.filter; at = at.parent) steps.push(writeStep(at.key ?? ""));
  const start = at.parent ? at.key : (at.filter?.path ?? "$");
  return `${start}${steps.reverse().join("")}`;
}

function writeStep(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  if (/^[A-Za-z_]\w*$/.test(key)) return `.${key}`;
  return `['${JSON.stringify(key).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}']`;
}

/** Formats a value for copying: a text without quotes, any other as JSON over several lines. */
export function writeValue(value: ExactJson): string {
  return typeof value === "string" ? value : writeExact(value, "  ");
}
