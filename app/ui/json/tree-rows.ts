import {
  type ExactBranch,
  type ExactJson,
  isBranch,
  listMembers,
  writeExact,
  writeScalar,
} from "./exact-json";

/** A line of the tree. */
export interface TreeRow {
  /** Null for the root. */
  parent: TreeRow | null;
  key: string | number | null;
  /** Index in the parent, where names may repeat. */
  index: number;
  value: ExactJson;
  depth: number;
  /** Undefined for a value without children. */
  open?: boolean;
}

/** Open branches: all down to a level, except those in `changed`. */
export interface Openness {
  level: number;
  changed: ReadonlyMap<ExactBranch, boolean>;
}

function isOpen(value: ExactBranch, depth: number, { level, changed }: Openness): boolean {
  return changed.get(value) ?? depth < level;
}

/** Lists the children of a branch. */
export function listChildren(row: TreeRow): TreeRow[] {
  const { value } = row;
  if (!isBranch(value)) return [];
  return listMembers(value).map(([key, child], index) => ({
    parent: row,
    key,
    index,
    value: child,
    depth: row.depth + 1,
  }));
}

export function toRoot(value: ExactJson): TreeRow {
  return { parent: null, key: null, index: 0, value, depth: 0 };
}

/** Lists the visible lines, without recursion, because the nesting may be deeper than the stack. */
export function listRows(root: TreeRow, openness: Openness): TreeRow[] {
  const rows: TreeRow[] = [];
  const waiting = [root];
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    if (isBranch(row.value)) row.open = isOpen(row.value, row.depth, openness);
    rows.push(row);
    if (!row.open) continue;
    const children = listChildren(row);
    for (let at = children.length - 1; at >= 0; at--) waiting.push(children[at] as TreeRow);
  }
  return rows;
}

/** Limit of found lines. */
export const MOST_FOUND = 10_000;

/** Finds the lines whose name or value has the words, also in closed branches, in the order of the tree. */
export function findRows(root: TreeRow, words: string): TreeRow[] {
  const wanted = words.toLowerCase();
  const found: TreeRow[] = [];
  const waiting = [root];
  for (let row = waiting.pop(); row && found.length < MOST_FOUND; row = waiting.pop()) {
    const { key, value } = row;
    const named = typeof key === "string" && key.toLowerCase().includes(wanted);
    if (named || (!isBranch(value) && writeScalar(value).toLowerCase().includes(wanted))) found.push(row);
    const children = listChildren(row);
    for (let at = children.length - 1; at >= 0; at--) waiting.push(children[at] as TreeRow);
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

/**
 * Writes the JSONPath of a line: `$.data[0].city`.
 * @param roots paths of the root's children when it is the result of a filter
 */
export function writePath(row: TreeRow, roots: readonly string[] | null): string {
  const steps: string[] = [];
  for (let next = row; next.parent && next.key !== null; next = next.parent) {
    if (roots && next.depth === 1) {
      steps.push(roots[Number(next.key)] ?? "$");
      return steps.reverse().join("");
    }
    steps.push(writeStep(next.key));
  }
  return `$${steps.reverse().join("")}`;
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
