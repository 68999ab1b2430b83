import { isRecord } from "~/platform/json-value";

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

/** The first rows of a comparison. */
export interface Diff {
  /** In the order of the document. */
  rows: DiffRow[];
  /** How many rows are left out. */
  hidden: { different: number; same: number };
}

/** Deeper than this, values are compared as text. */
const DEPTH_LIMIT = 64;
/** Lists are aligned item by item up to this many on each side; beyond, by index. */
const ALIGNED_ITEMS = 400;
/** Pairs of items that all alignments of a comparison may look at; beyond, lists are compared by index. */
const ALIGNED_PAIRS = 4_000_000;
/** A path is shown with this many characters of each key, and with this many at its start and at its end. */
const SHOWN_KEY_CHARS = 100;
const SHOWN_PATH_CHARS = 200;

/**
 * Compares two JSON values place by place. Objects are compared by key, in the order of the first one. Items of lists
 * are matched by a shared `id`, else by equality; the items left between them are paired in order. An equal subtree
 * is one row.
 * @param most rows of each kind, different and same, that are listed; the others are only counted
 */
export function diffJson(before: unknown, after: unknown, most: number): Diff {
  const search = new Search(most);
  search.compare({ parent: null, step: null, key: "", volatile: false, depth: 0 }, before, after);
  return search.diff;
}

/** A place in the document. It knows its parent, because whole paths of many places would fill the memory. */
interface Place {
  parent: Place | null;
  /** A key, or the text of an index; null for the whole value. */
  step: { key: string } | { index: string } | null;
  /** The last key of the path; for an item that of its list. */
  key: string;
  /** True when its key or any key above it is volatile. */
  volatile: boolean;
  depth: number;
}

/** One comparison. Work and memory grow with the size of both values, not with the length of their paths. */
class Search {
  readonly diff: Diff = { rows: [], hidden: { different: 0, same: 0 } };
  private readonly contents = new ContentNumbers();
  private pairsLeft = ALIGNED_PAIRS;
  private readonly listed = { different: 0, same: 0 };

  constructor(private readonly most: number) {}

  compare(place: Place, before: unknown, after: unknown): void {
    const nests = place.depth < DEPTH_LIMIT;
    if (this.isEqual(before, after)) this.add("same", place, { before, after });
    else if (nests && Array.isArray(before) && Array.isArray(after)) {
      this.compareLists(place, before, after);
    } else if (nests && isRecord(before) && isRecord(after)) {
      this.compareObjects(place, before, after);
    } else this.add("changed", place, { before, after });
  }

  private compareObjects(
    place: Place,
    before: Record<string, unknown>,
    after: Record<string, unknown>,
  ): void {
    for (const [key, value] of Object.entries(before)) {
      const at = toMember(place, key);
      if (Object.hasOwn(after, key)) this.compare(at, value, after[key]);
      else this.add("removed", at, { before: value });
    }
    for (const [key, value] of Object.entries(after)) {
      if (!Object.hasOwn(before, key)) this.add("added", toMember(place, key), { after: value });
    }
  }

  private compareLists(place: Place, before: readonly unknown[], after: readonly unknown[]): void {
    for (const [left, right] of this.pairItems(before, after)) {
      if (right === null) this.add("removed", toItem(place, String(left)), { before: before[left] });
      else if (left === null) this.add("added", toItem(place, String(right)), { after: after[right] });
      else {
        const index = left === right ? String(left) : `${left} → ${right}`;
        this.compare(toItem(place, index), before[left], after[right]);
      }
    }
  }

  /** Matches the items of two lists. */
  private pairItems(before: readonly unknown[], after: readonly unknown[]): Pair[] {
    const cells = before.length * after.length;
    const aligned = Math.max(before.length, after.length) <= ALIGNED_ITEMS && cells <= this.pairsLeft;
    const byId = sharesIds(before, after);
    if (aligned) this.pairsLeft -= cells;
    const name = (item: unknown) => this.nameItem(item, byId);
    const anchors = aligned ? findAnchors(before.map(name), after.map(name)) : [];
    // Items with different IDs are different items. Without IDs, items at the same place were probably changed.
    return pairBetween(anchors, before.length, after.length, !aligned || !byId);
  }

  /** A name for an item of a list: its `id` if the lists share some, else the number of its content. */
  private nameItem(item: unknown, byId: boolean): string | number {
    const id = byId ? findId(item) : null;
    return id === null ? this.contents.find(item) : `id ${id}`;
  }

  private isEqual(a: unknown, b: unknown): boolean {
    return Object.is(a, b) || (typeof a === typeof b && this.contents.find(a) === this.contents.find(b));
  }

  private add(kind: DiffRow["kind"], place: Place, values: Pick<DiffRow, "before" | "after">): void {
    const group = kind === "same" ? "same" : "different";
    if (this.listed[group] === this.most) this.diff.hidden[group]++;
    else {
      this.listed[group]++;
      this.diff.rows.push({ path: formatPath(place), kind, ...values, volatile: place.volatile });
    }
  }
}

/** Numbers for the contents of values: two values have the same one exactly when they are equal. */
class ContentNumbers {
  private readonly numbers = new Map<string, number>();
  private readonly ofObjects = new WeakMap<object, number>();
  private last = 0;

  /** The order of keys does not matter. */
  find(value: unknown, depth = 0): number {
    if (typeof value !== "object" || value === null) return this.numberText(JSON.stringify(value));
    const known = this.ofObjects.get(value);
    if (known !== undefined) return known;
    const number = depth > DEPTH_LIMIT ? this.numberDeep(value) : this.numberParts(value, depth);
    this.ofObjects.set(value, number);
    return number;
  }

  private numberParts(value: object, depth: number): number {
    if (Array.isArray(value)) {
      return this.numberText(`[${value.map((item) => this.find(item, depth + 1)).join()}]`);
    }
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    const parts = members.map(([key, item]) => `${JSON.stringify(key)}:${this.find(item, depth + 1)}`);
    return this.numberText(`{${parts.join()}}`);
  }

  private numberDeep(value: object): number {
    try {
      return this.numberText(`deep ${JSON.stringify(value)}`);
    } catch {
      // Nested too deeply even for this: equal to nothing.
      return ++this.last;
    }
  }

  private numberText(text: string | undefined): number {
    const key = text ?? "undefined";
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, ++this.last);
    return this.last;
  }
}

function toMember(parent: Place, key: string): Place {
  const volatile = parent.volatile || isVolatile(key);
  return { parent, step: { key }, key, volatile, depth: parent.depth + 1 };
}

function toItem(parent: Place, index: string): Place {
  const { key, volatile, depth } = parent;
  return { parent, step: { index }, key, volatile, depth: depth + 1 };
}

/** The path as it is shown: long keys are cut, and a long path in its middle. */
function formatPath(place: Place): string {
  const steps: string[] = [];
  for (let at: Place | null = place; at?.step; at = at.parent)
    steps.push(formatStep(at.step, at.depth === 1));
  const path = steps.reverse().join("");
  if (path.length <= 2 * SHOWN_PATH_CHARS) return path;
  return `${path.slice(0, SHOWN_PATH_CHARS)}…${path.slice(-SHOWN_PATH_CHARS)}`;
}

function formatStep(step: { key: string } | { index: string }, first: boolean): string {
  if ("index" in step) return `[${step.index}]`;
  const key = step.key.slice(0, SHOWN_KEY_CHARS);
  const shown = key === step.key ? key : `${key}…`;
  return /^[\w-]+$/.test(key) ? `${first ? "" : "."}${shown}` : `[${JSON.stringify(shown)}]`;
}

type Pair = [left: number, right: number] | [left: number, right: null] | [left: null, right: number];

/** The pairs of two lists whose `anchors` belong together; items between them are paired in order if `pairsGaps`. */
function pairBetween(
  anchors: readonly [number, number][],
  leftLength: number,
  rightLength: number,
  pairsGaps: boolean,
): Pair[] {
  const pairs: Pair[] = [];
  let [atLeft, atRight] = [0, 0];
  for (const [anchorLeft, anchorRight] of [...anchors, [leftLength, rightLength] as const]) {
    while (pairsGaps && atLeft < anchorLeft && atRight < anchorRight) pairs.push([atLeft++, atRight++]);
    while (atLeft < anchorLeft) pairs.push([atLeft++, null]);
    while (atRight < anchorRight) pairs.push([null, atRight++]);
    if (anchorLeft < leftLength) pairs.push([atLeft++, atRight++]);
  }
  return pairs;
}

function sharesIds(before: readonly unknown[], after: readonly unknown[]): boolean {
  const known = new Set(before.map(findId).filter((id) => id !== null));
  return known.size > 0 && after.map(findId).some((id) => id !== null && known.has(id));
}

function findId(item: unknown): string | null {
  if (!isRecord(item)) return null;
  const { id } = item;
  return typeof id === "string" || typeof id === "number" ? String(id) : null;
}

/** The longest common subsequence of two lists of names, as index pairs. */
function findAnchors(
  left: readonly (string | number)[],
  right: readonly (string | number)[],
): [number, number][] {
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

/** Keys and headers whose values differ in every response without meaning anything. */
const VOLATILE = new Set([
  "age",
  "cf-ray",
  "content-length",
  "created",
  "created_at",
  "createdat",
  "date",
  "dispatched",
  "duration",
  "duration_ms",
  "durationms",
  "etag",
  "expires",
  "id",
  "last-modified",
  "modified",
  "pdf",
  "request_id",
  "server-timing",
  "set-cookie",
  "timestamp",
  "updated",
  "updated_at",
  "updatedat",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-request-id",
]);

/** True when the values of a key are expected to differ: IDs, times, durations, links to PDFs. */
function isVolatile(key: string): boolean {
  return VOLATILE.has(key.toLowerCase());
}
