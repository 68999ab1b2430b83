import { formatInteger } from "~/platform/format-integer";
import { measureJson } from "~/platform/json-text";
import { type ExactJson, isBranch, JsonNumber, JsonObject, writeExact } from "~/ui/json/exact-json";

/** A compared place with both values as text. */
export interface DiffRow {
  /** `data.items[3].status`; "" for the whole value. An item that moved is `[2 → 3]`. */
  path: string;
  kind: "same" | "changed" | "added" | "removed";
  before: string | null;
  after: string | null;
  /** True for IDs, times and the like, which differ in every answer. */
  volatile: boolean;
}

/** The first rows, in the order of the document, and the number of those that are left out. */
export type Diff = Record<"different" | "same", { rows: DiffRow[]; hidden: number }>;

/** Deeper than this, values are compared and written as one line of text: their indents would be longer than they are. */
const DEPTH_LIMIT = 64;
/** Lists are aligned item by item up to this many on each side; beyond, by index. */
const ALIGNED_ITEMS = 400;
/** Limit of the compared pairs of items in all alignments; beyond, lists are compared by index. */
const ALIGNED_PAIRS = 4_000_000;
/** Limits of the listed differences, and of the listed equal values. */
const SHOWN_ROWS = 500;
const SHOWN_CHARS = 200_000;
const SHOWN_VALUE_CHARS = 600;
/** Limits of a shown path: characters of each key, and at its start and end. */
const SHOWN_KEY_CHARS = 100;
const SHOWN_PATH_CHARS = 200;

/**
 * Compares two JSON values place by place, numbers by their text. Objects are compared by key, in the order of the first
 * one; equal keys of an object are compared in their order. Items of lists are matched by a shared `id`, else by equality;
 * the items left between them are paired in order. An equal subtree is one row.
 * @param isVolatile true for keys whose values, with all below them, are expected to differ
 */
export function diffJson(
  before: ExactJson,
  after: ExactJson,
  isVolatile = (key: string) => VOLATILE.has(key.toLowerCase()),
): Diff {
  const search = new Search(isVolatile);
  search.compare({ path: "", volatile: false, depth: 0 }, before, after);
  return search.diff;
}

interface Place {
  path: string;
  /** True when a key on the path is volatile. */
  volatile: boolean;
  depth: number;
}

/** One comparison. Time and memory grow with the size of both values. */
class Search {
  readonly diff: Diff = { different: { rows: [], hidden: 0 }, same: { rows: [], hidden: 0 } };
  private readonly charsLeft = { different: SHOWN_CHARS, same: SHOWN_CHARS };
  private readonly contents = new ContentNumbers();
  private pairsLeft = ALIGNED_PAIRS;

  constructor(private readonly isVolatile: (key: string) => boolean) {}

  /** @param before undefined for an added value, as `after` is for a removed one */
  compare(place: Place, before: ExactJson | undefined, after: ExactJson | undefined): void {
    const isPair = before !== undefined && after !== undefined;
    const isSame = isPair && this.contents.find(before) === this.contents.find(after);
    const nests = !isSame && place.depth < DEPTH_LIMIT;
    if (nests && Array.isArray(before) && Array.isArray(after)) this.compareLists(place, before, after);
    else if (nests && before instanceof JsonObject && after instanceof JsonObject) {
      this.compareObjects(place, before, after);
    } else if (isPair) this.add(isSame ? "same" : "changed", place, before, after);
    else this.add(before === undefined ? "added" : "removed", place, before, after);
  }

  private compareObjects(parent: Place, before: JsonObject, after: JsonObject): void {
    const toPlace = (key: string) => ({
      path: parent.path + formatKey(key, parent.depth === 0),
      volatile: parent.volatile || this.isVolatile(key),
      depth: parent.depth + 1,
    });
    const others = new Map<string, ExactJson[]>(after.members.map(([key]) => [key, []]));
    for (const [key, value] of after.members) others.get(key)?.push(value);
    for (const [key, value] of before.members) this.compare(toPlace(key), value, others.get(key)?.shift());
    for (const [key, values] of others) {
      for (const value of values) this.compare(toPlace(key), undefined, value);
    }
  }

  private compareLists(parent: Place, before: readonly ExactJson[], after: readonly ExactJson[]): void {
    for (const pair of this.pairItems(before, after)) {
      const index = [...new Set(pair)].filter((at) => at !== NONE).join(" → ");
      const place = { ...parent, path: `${parent.path}[${index}]`, depth: parent.depth + 1 };
      this.compare(place, before[pair[0]], after[pair[1]]);
    }
  }

  private pairItems(before: readonly ExactJson[], after: readonly ExactJson[]): Pair[] {
    const cells = before.length * after.length;
    const longest = Math.max(before.length, after.length);
    if (longest > ALIGNED_ITEMS || cells > this.pairsLeft) {
      const indexIn = (list: readonly unknown[], at: number) => (at < list.length ? at : NONE);
      return Array.from({ length: longest }, (_, at) => [indexIn(before, at), indexIn(after, at)]);
    }
    this.pairsLeft -= cells;
    const byId = sharesIds(before, after);
    const name = (item: ExactJson) => (byId && findId(item)) || this.contents.find(item);
    // Items with different IDs are different items. Without IDs, items at the same place were probably changed.
    return align(before.map(name), after.map(name), !byId);
  }

  private add(kind: DiffRow["kind"], { path, volatile }: Place, before?: ExactJson, after?: ExactJson): void {
    const group = kind === "same" ? "same" : "different";
    const list = this.diff[group];
    if (list.rows.length === SHOWN_ROWS || this.charsLeft[group] <= 0) {
      list.hidden++;
      return;
    }
    const values = { before: formatValue(before), after: formatValue(after) };
    const row = { path: cutPath(path), kind, volatile, ...values };
    this.charsLeft[group] -= row.path.length + (row.before?.length ?? 0) + (row.after?.length ?? 0);
    list.rows.push(row);
  }
}

/** Numbers the contents of values: equal values get equal numbers, for any order of their keys. */
class ContentNumbers {
  private readonly numbers = new Map<string, number>();
  private readonly ofBranches = new WeakMap<object, number>();

  find(value: ExactJson, depth = 0): number {
    const known = isBranch(value) ? this.ofBranches.get(value) : undefined;
    if (known !== undefined) return known;
    const text = this.write(value, depth);
    const number = this.numbers.get(text) ?? this.numbers.size + 1;
    this.numbers.set(text, number);
    if (isBranch(value)) this.ofBranches.set(value, number);
    return number;
  }

  private write(value: ExactJson, depth: number): string {
    if (!isBranch(value) || depth > DEPTH_LIMIT) return writeExact(value);
    const find = (item: ExactJson) => this.find(item, depth + 1);
    if (Array.isArray(value)) return `[#${value.map(find).join()}]`;
    const members = value.members.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{#${members.map(([key, item]) => `${JSON.stringify(key)}:${find(item)}`).join()}}`;
  }
}

function formatKey(name: string, first: boolean): string {
  const key = name.slice(0, SHOWN_KEY_CHARS);
  const shown = key === name ? key : `${key}…`;
  return /^[\w-]+$/.test(key) ? `${first ? "" : "."}${shown}` : `[${JSON.stringify(shown)}]`;
}

function cutPath(path: string): string {
  if (path.length <= 2 * SHOWN_PATH_CHARS) return path;
  return `${path.slice(0, SHOWN_PATH_CHARS)}…${path.slice(-SHOWN_PATH_CHARS)}`;
}

function formatValue(value: ExactJson | undefined): string | null {
  if (value === undefined) return null;
  const line = writeExact(value);
  const text = measureJson(line).depth > DEPTH_LIMIT ? line : writeExact(value, " ");
  if (text.length <= SHOWN_VALUE_CHARS) return text;
  return `${text.slice(0, SHOWN_VALUE_CHARS)}… ${formatInteger(text.length)} characters`;
}

/** Indexes in two lists; {@link NONE} for an item without a counterpart. */
type Pair = [left: number, right: number];
const NONE = -1;

function sharesIds(before: readonly ExactJson[], after: readonly ExactJson[]): boolean {
  const known = new Set(before.map(findId).filter((id) => id !== null));
  return known.size > 0 && after.map(findId).some((id) => id !== null && known.has(id));
}

function findId(item: ExactJson): string | null {
  if (!(item instanceof JsonObject)) return null;
  const id = item.members.find(([key]) => key === "id")?.[1];
  if (id instanceof JsonNumber) return `id ${id.text}`;
  return typeof id === "string" ? `id ${id}` : null;
}

/**
 * Pairs the names of the longest common subsequence of two lists.
 * @param pairsGaps true to pair the items between them too, in order
 */
function align(left: readonly unknown[], right: readonly unknown[], pairsGaps: boolean): Pair[] {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        left[i] === right[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const pairs: Pair[] = [];
  let [atLeft, atRight] = [0, 0];
  const closeGap = (endLeft: number, endRight: number) => {
    while (pairsGaps && atLeft < endLeft && atRight < endRight) pairs.push([atLeft++, atRight++]);
    while (atLeft < endLeft) pairs.push([atLeft++, NONE]);
    while (atRight < endRight) pairs.push([NONE, atRight++]);
  };
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    if (left[i] === right[j]) {
      closeGap(i++, j++);
      pairs.push([atLeft++, atRight++]);
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i++;
    else j++;
  }
  closeGap(left.length, right.length);
  return pairs;
}

/** Keys and headers that differ in every response. */
const VOLATILE = new Set(
  `age cf-ray content-length created created_at createdat date dispatched duration duration_ms
    durationms etag expires id last-modified modified pdf request_id server-timing set-cookie timestamp
    updated updated_at updatedat x-ratelimit-remaining x-ratelimit-reset x-request-id`.split(/\s+/),
);
