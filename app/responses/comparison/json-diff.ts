import { isVolatile } from "./volatile";

/** One place at which two JSON values were compared. */
export interface DiffRow {
  /** `data.items[3].status`; "" for the whole value. An item that moved is `[2 → 3]`. */
  path: string;
  kind: "same" | "changed" | "added" | "removed";
  /** Absent where there is nothing: `before` of what was added, `after` of what was removed. */
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
 * Compares two JSON values place by place. Objects by key, in the first one's order; lists by their items: those with
 * a shared `id`, else equal ones, are each other's; what is left between them is paired in order. Equal subtrees are one
 * row.
 */
export function diffJson(before: unknown, after: unknown): DiffRow[] {
  const rows: DiffRow[] = [];
  compare({ path: "", key: "", volatile: false, depth: 0 }, before, after, rows);
  return rows;
}

interface Place {
  path: string;
  /** The last name of the path; an index has its list's. */
  key: string;
  /** Whether it or anything above it is. */
  volatile: boolean;
  depth: number;
}

function compare(place: Place, before: unknown, after: unknown, rows: DiffRow[]): void {
  const { path, volatile, depth } = place;
  if (isEqual(before, after)) rows.push({ path, kind: "same", before, after, volatile });
  else if (depth < DEPTH_LIMIT && Array.isArray(before) && Array.isArray(after)) {
    compareLists(place, before, after, rows);
  } else if (depth < DEPTH_LIMIT && isObject(before) && isObject(after)) {
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
    const at = goInto(place, key);
    if (Object.hasOwn(after, key)) compare(at, value, after[key], rows);
    else rows.push({ path: at.path, kind: "removed", before: value, volatile: at.volatile });
  }
  for (const [key, value] of Object.entries(after)) {
    if (Object.hasOwn(before, key)) continue;
    const at = goInto(place, key);
    rows.push({ path: at.path, kind: "added", after: value, volatile: at.volatile });
  }
}

function goInto(place: Place, key: string): Place {
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

/** Which item of one list is which of the other. */
function pairItems(before: readonly unknown[], after: readonly unknown[]): Pair[] {
  const aligned = before.length <= ALIGNED_ITEMS && after.length <= ALIGNED_ITEMS;
  const { left, right, byId } = identify(before, after);
  const anchors = aligned ? findAnchors(left, right) : [];
  // An item with another id is another item; without ids, what stands at the same place was probably changed.
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

/** What tells the items of both lists apart: their `id`s where the lists share some, else their whole content. */
function identify(
  before: readonly unknown[],
  after: readonly unknown[],
): { left: string[]; right: string[]; byId: boolean } {
  const known = new Set(before.map(readId).filter((id) => id !== null));
  const byId = after.map(readId).some((id) => id !== null && known.has(id));
  const name = (item: unknown) => {
    const id = byId ? readId(item) : null;
    return id === null ? writeCanonical(item, 0) : `id ${id}`;
  };
  return { left: before.map(name), right: after.map(name), byId };
}

function readId(item: unknown): string | null {
  if (!isObject(item)) return null;
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
  return Object.is(a, b) || (typeof a === typeof b && writeCanonical(a, 0) === writeCanonical(b, 0));
}

/** JSON text that does not depend on the order of keys. */
function writeCanonical(value: unknown, depth: number): string {
  if (typeof value !== "object" || value === null || depth > DEPTH_LIMIT) {
    return JSON.stringify(value) ?? "undefined";
  }
  if (Array.isArray(value)) return `[${value.map((item) => writeCanonical(item, depth + 1)).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${writeCanonical(item, depth + 1)}`).join(",")}}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
