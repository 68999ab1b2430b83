import { isRecord } from "~/platform/json-value";
import { isVolatile } from "./volatile";

/** One place at which two JSON values were compared. */
export interface DiffRow {
  /** `data.items[3].status`; "" for the whole value. An item that moved is `[2 → 3]`. */
  path: string;
  kind: "same" | "changed" | "added" | "removed";
  /** `before` is absent when added, `after` when removed. */
  before?: unknown;
  after?: unknown;
  /** Ids, times and the like, which differ in every answer. */
  volatile: boolean;
}

/** Deeper than this, values are compared as text. */
const DEPTH_LIMIT = 64;
/** Lists are aligned item by item up to this many on each side; beyond, by index. */
const ALIGNED_ITEMS = 400;

/**
 * Compares two JSON values place by place. Objects are compared by key, in the order of the first one. Items of lists
 * are matched by a shared `id`, else by equality; the items left between them are paired in order. An equal subtree
 * is one row.
 */
export function diffJson(before: unknown, after: unknown): DiffRow[] {
  const rows: DiffRow[] = [];
  compare({ path: "", key: "", volatile: false, depth: 0 }, before, after, rows);
  return rows;
}

interface Place {
  path: string;
  /** The last key of the path; for an item that of its list. */
  key: string;
  /** Whether its key or any key above it is volatile. */
  volatile: boolean;
  depth: number;
}

function compare(place: Place, before: unknown, after: unknown, rows: DiffRow[]): void {
  const { path, volatile, depth } = place;
  if (isEqual(before, after)) rows.push({ path, kind: "same", before, after, volatile });
  else if (depth < DEPTH_LIMIT && Array.isArray(before) && Array.isArray(after)) {
    compareLists(place, before, after, rows);
  } else if (depth < DEPTH_LIMIT && isRecord(before) && isRecord(after)) {
    compareObjects(place, before, after, rows);
  } else rows.push({ path, kind: "changed", before, after, volatile });
}

function compareObjects(
  place: Place,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  rows: DiffRow[],
): void {
  for (const [key, value] of Object.entries(before)) {
    const at = toMember(place, key);
    if (Object.hasOwn(after, key)) compare(at, value, after[key], rows);
    else rows.push({ path: at.path, kind: "removed", before: value, volatile: at.volatile });
  }
  for (const [key, value] of Object.entries(after)) {
    if (Object.hasOwn(before, key)) continue;
    const at = toMember(place, key);
    rows.push({ path: at.path, kind: "added", after: value, volatile: at.volatile });
  }
}

function toMember(place: Place, key: string): Place {
  const plain = /^[\w-]+$/.test(key);
  const step = plain ? `${place.path === "" ? "" : "."}${key}` : `[${JSON.stringify(key)}]`;
  return {
    path: place.path + step,
    key,
    volatile: place.volatile || isVolatile(key),
    depth: place.depth + 1,
  };
}

function compareLists(
  place: Place,
  before: readonly unknown[],
  after: readonly unknown[],
  rows: DiffRow[],
): void {
  const { path, key, volatile, depth } = place;
  for (const [left, right] of pairItems(before, after)) {
    if (right === null) {
      rows.push({ path: `${path}[${left}]`, kind: "removed", before: before[left ?? 0], volatile });
    } else if (left === null) {
      rows.push({ path: `${path}[${right}]`, kind: "added", after: after[right], volatile });
    } else {
      const index = left === right ? String(left) : `${left} → ${right}`;
      compare(
        { path: `${path}[${index}]`, key, volatile, depth: depth + 1 },
        before[left],
        after[right],
        rows,
      );
    }
  }
}

type Pair = [left: number, right: number] | [left: number, right: null] | [left: null, right: number];

/** Matches the items of two lists. */
function pairItems(before: readonly unknown[], after: readonly unknown[]): Pair[] {
  const aligned = before.length <= ALIGNED_ITEMS && after.length <= ALIGNED_ITEMS;
  const { left, right, byId } = nameItems(before, after);
  const anchors = aligned ? findAnchors(left, right) : [];
  // Items with different IDs are different items. Without IDs, items at the same place were probably changed.
  const pairsGaps = !aligned || !byId;
  const pairs: Pair[] = [];
  let [atLeft, atRight] = [0, 0];
  for (const [anchorLeft, anchorRight] of [...anchors, [left.length, right.length] as const]) {
    while (pairsGaps && atLeft < anchorLeft && atRight < anchorRight) pairs.push([atLeft++, atRight++]);
    while (atLeft < anchorLeft) pairs.push([atLeft++, null]);
    while (atRight < anchorRight) pairs.push([null, atRight++]);
    if (anchorLeft < left.length) pairs.push([atLeft++, atRight++]);
  }
  return pairs;
}

/** Names for the items of both lists: their `id` if the lists share some, else their whole content. */
function nameItems(
  before: readonly unknown[],
  after: readonly unknown[],
): { left: string[]; right: string[]; byId: boolean } {
  const known = new Set(before.map(findId).filter((id) => id !== null));
  const byId = after.map(findId).some((id) => id !== null && known.has(id));
  const name = (item: unknown) => {
    const id = byId ? findId(item) : null;
    return id === null ? formatCanonical(item, 0) : `id ${id}`;
  };
  return { left: before.map(name), right: after.map(name), byId };
}

function findId(item: unknown): string | null {
  if (!isRecord(item)) return null;
  const { id } = item;
  return typeof id === "string" || typeof id === "number" ? String(id) : null;
}

/** The longest common subsequence of two lists of names, as index pairs. */
function findAnchors(left: readonly string[], right: readonly string[]): [number, number][] {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        left[i] === right[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const anchors: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    if (left[i] === right[j]) anchors.push([i++, j++]);
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i++;
    else j++;
  }
  return anchors;
}

function isEqual(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || (typeof a === typeof b && formatCanonical(a, 0) === formatCanonical(b, 0));
}

/** JSON text that does not depend on the order of keys. */
function formatCanonical(value: unknown, depth: number): string {
  if (typeof value !== "object" || value === null || depth > DEPTH_LIMIT) {
    return JSON.stringify(value) ?? "undefined";
  }
  if (Array.isArray(value)) return `[${value.map((item) => formatCanonical(item, depth + 1)).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${formatCanonical(item, depth + 1)}`).join(",")}}`;
}
