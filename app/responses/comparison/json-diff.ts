import {
  type ExactBranch,
  type ExactJson,
  isBranch,
  JsonNumber,
  JsonObject,
  writeExact,
} from "~/ui/json/exact-json";

/** A place that was compared. */
export interface DiffRow {
  /** `data.items[3].status`; "" for the whole value. An item that moved is `[2 → 3]`. */
  path: string;
  kind: "same" | "changed" | "added" | "removed";
  /** `before` is absent when added, `after` when removed. */
  before?: ExactJson;
  after?: ExactJson;
  /** True for IDs, times and the like, which differ in every answer. */
  volatile: boolean;
}

/** The listed rows of a comparison. */
export interface Diff {
  /** In the order of the document. */
  rows: DiffRow[];
  /** Numbers of rows that are left out. */
  hidden: { different: number; same: number };
}

/** Deeper than this, values are compared as text. */
const DEPTH_LIMIT = 64;
/** Lists are aligned item by item up to this many on each side; beyond, by index. */
const ALIGNED_ITEMS = 400;
/** Limit of the compared pairs of items in all alignments; beyond, lists are compared by index. */
const ALIGNED_PAIRS = 4_000_000;
/** Limits of a shown path: characters of each key, and at its start and end. */
const SHOWN_KEY_CHARS = 100;
const SHOWN_PATH_CHARS = 200;

/**
 * Compares two JSON values place by place, numbers by their text. Objects are compared by key, in the order of the first
 * one; equal keys of an object are compared in their order. Items of lists
 * are matched by a shared `id`, else by equality; the items left between them are paired in order. An equal subtree
 * is one row.
 * @param most rows of each kind, different and same, that are listed; the others are only counted
 */
export function diffJson(before: ExactJson, after: ExactJson, most: number): Diff {
  const search = new Search(most);
  search.compare({ parent: null, step: null, key: "", volatile: false, depth: 0 }, before, after);
  return search.diff;
}

/** A place in the document. It refers to its parent, because the whole paths of many places would fill the memory. */
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

/** One comparison. Time and memory grow with the size of both values, not with the length of their paths. */
class Search {
  readonly diff: Diff = { rows: [], hidden: { different: 0, same: 0 } };
  private readonly contents = new ContentNumbers();
  private pairsLeft = ALIGNED_PAIRS;
  private readonly listed = { different: 0, same: 0 };

  constructor(private readonly most: number) {}

  compare(place: Place, before: ExactJson, after: ExactJson): void {
    const nests = place.depth < DEPTH_LIMIT;
    if (this.isEqual(before, after)) this.add("same", place, { before, after });
    else if (nests && Array.isArray(before) && Array.isArray(after)) {
      this.compareLists(place, before, after);
    } else if (nests && before instanceof JsonObject && after instanceof JsonObject) {
      this.compareObjects(place, before, after);
    } else this.add("changed", place, { before, after });
  }

  private compareObjects(place: Place, before: JsonObject, after: JsonObject): void {
    const others = new Map<string, ExactJson[]>();
    for (const [key, value] of after.members) {
      const known = others.get(key);
      if (known) known.push(value);
      else others.set(key, [value]);
    }
    for (const [key, value] of before.members) {
      const at = toMember(place, key);
      const other = others.get(key)?.shift();
      if (other === undefined) this.add("removed", at, { before: value });
      else this.compare(at, value, other);
    }
    for (const [key, values] of others) {
      for (const value of values) this.add("added", toMember(place, key), { after: value });
    }
  }

  private compareLists(place: Place, before: readonly ExactJson[], after: readonly ExactJson[]): void {
    for (const [left, right] of this.pairItems(before, after)) {
      if (right === null) this.add("removed", toItem(place, String(left)), { before: before[left] ?? null });
      else if (left === null)
        this.add("added", toItem(place, String(right)), { after: after[right] ?? null });
      else {
        const index = left === right ? String(left) : `${left} → ${right}`;
        this.compare(toItem(place, index), before[left] ?? null, after[right] ?? null);
      }
    }
  }

  /** Matches the items of two lists. */
  private pairItems(before: readonly ExactJson[], after: readonly ExactJson[]): Pair[] {
    const cells = before.length * after.length;
    const aligned = Math.max(before.length, after.length) <= ALIGNED_ITEMS && cells <= this.pairsLeft;
    const byId = sharesIds(before, after);
    if (aligned) this.pairsLeft -= cells;
    const name = (item: ExactJson) => this.nameItem(item, byId);
    const anchors = aligned ? findAnchors(before.map(name), after.map(name)) : [];
    // Items with different IDs are different items. Without IDs, items at the same place were probably changed.
    return pairBetween(anchors, before.length, after.length, !aligned || !byId);
  }

  /** Names an item of a list: by its `id` if the lists share some, else by the number of its content. */
  private nameItem(item: ExactJson, byId: boolean): string | number {
    const id = byId ? findId(item) : null;
    return id === null ? this.contents.find(item) : `id ${id}`;
  }

  private isEqual(a: ExactJson, b: ExactJson): boolean {
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

/** Numbers the contents of values: equal values get equal numbers. */
class ContentNumbers {
  private readonly numbers = new Map<string, number>();
  private readonly ofObjects = new WeakMap<object, number>();

  /** Ignores the order of keys. */
  find(value: ExactJson, depth = 0): number {
    if (!isBranch(value)) return this.numberText(writeExact(value));
    const known = this.ofObjects.get(value);
    if (known !== undefined) return known;
    const text = depth > DEPTH_LIMIT ? writeExact(value) : this.writeParts(value, depth);
    const number = this.numberText(text);
    this.ofObjects.set(value, number);
    return number;
  }

  private writeParts(value: ExactBranch, depth: number): string {
    const find = (item: ExactJson) => this.find(item, depth + 1);
    if (Array.isArray(value)) return `[#${value.map(find).join()}]`;
    const members = value.members.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{#${members.map(([key, item]) => `${JSON.stringify(key)}:${find(item)}`).join()}}`;
  }

  private numberText(text: string): number {
    const known = this.numbers.get(text) ?? this.numbers.size + 1;
    this.numbers.set(text, known);
    return known;
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

/** Formats a path: cuts long keys, and a long path in its middle. */
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

/** Pairs two lists whose `anchors` belong together. Items between them are paired in order if `pairsGaps`. */
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

function sharesIds(before: readonly ExactJson[], after: readonly ExactJson[]): boolean {
  const known = new Set(before.map(findId).filter((id) => id !== null));
  return known.size > 0 && after.map(findId).some((id) => id !== null && known.has(id));
}

function findId(item: ExactJson): string | null {
  if (!(item instanceof JsonObject)) return null;
  const id = item.members.find(([key]) => key === "id")?.[1];
  if (id instanceof JsonNumber) return id.text;
  return typeof id === "string" ? id : null;
}

/** Finds the longest common subsequence of two lists of names, as index pairs. */
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

/** Keys and headers that differ in every response. */
const VOLATILE = new Set(
  `age cf-ray content-length created created_at createdat date dispatched duration duration_ms
    durationms etag expires id last-modified modified pdf request_id server-timing set-cookie timestamp
    updated updated_at updatedat x-ratelimit-remaining x-ratelimit-reset x-request-id`.split(/\s+/),
);

function isVolatile(key: string): boolean {
  return VOLATILE.has(key.toLowerCase());
}
