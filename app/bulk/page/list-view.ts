import type { ListState } from "../bulk-list";

export type Tone = "neutral" | "accent" | "ok" | "warn" | "bad";

export const STATE_BADGES: Record<ListState, { word: string; tone: Tone }> = {
  draft: { word: "draft", tone: "neutral" },
  awaiting_approval: { word: "needs approval", tone: "warn" },
  running: { word: "sending LIVE", tone: "bad" },
  paused: { word: "paused", tone: "warn" },
  stopped: { word: "stopped", tone: "neutral" },
  finished: { word: "finished", tone: "ok" },
};

export const ROW_FILTERS = {
  all: "All",
  problem: "To correct",
  ready: "Ready",
  warned: "With warnings",
  left_out: "Left out",
  checking: "Checking",
  sent: "Sent",
  refused: "Refused",
} as const;
export type RowFilter = keyof typeof ROW_FILTERS;

/** Builds the address of the rows, with filter, search and page changed or unchanged. Leaves out defaults. */
export function rowsAddress(
  { filter, search, page }: { filter: RowFilter; search: string; page: number },
  changed: { filter?: RowFilter; page?: number; row?: number } = {},
): string {
  const query = new URLSearchParams();
  const show = changed.filter ?? filter;
  const number = changed.page ?? (changed.filter === undefined ? page : 1);
  if (show !== "all") query.set("show", show);
  if (search !== "") query.set("q", search);
  if (number > 1) query.set("page", String(number));
  if (changed.row !== undefined) query.set("row", String(changed.row));
  return `?${query}`;
}
