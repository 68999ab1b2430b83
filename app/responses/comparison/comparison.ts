import type { ResponseRow } from "../tab/stored-view";
import type { DiffRow } from "./json-diff";

/** One place of a difference, with both values as text. */
export interface ComparisonRow {
  path: string;
  kind: DiffRow["kind"];
  before: string | null;
  after: string | null;
  volatile: boolean;
}

/** One part of two stored responses: their request, headers or bodies. */
export interface ComparisonPart {
  title: string;
  /** What differs, in the order in which it stands there; not more than the first of them. */
  rows: ComparisonRow[];
  same: ComparisonRow[];
  /** How many rows are not among them. */
  unsaid: { rows: number; same: number };
}

/** Two stored responses side by side. */
export interface Comparison {
  a: ResponseRow;
  b: ResponseRow;
  parts: ComparisonPart[];
}
