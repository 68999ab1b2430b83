import type { ResponseRow } from "../tab/stored-view";
import type { DiffRow } from "./json-diff";

/** One place that was compared, with both values as text. */
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
  /** The differences, in the order of the document; the first ones, 500 at most. */
  rows: ComparisonRow[];
  same: ComparisonRow[];
  /** How many rows are left out. */
  hidden: { rows: number; same: number };
}

/** Two stored responses side by side. */
export interface Comparison {
  a: ResponseRow;
  b: ResponseRow;
  parts: ComparisonPart[];
}
