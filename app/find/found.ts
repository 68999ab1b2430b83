import type { StatusTone } from "~/pieces/status";

/** What a search found, as the page and the palette show it. */

type HitKind = "piece" | "recipient" | "user" | "purchase" | "ledger row" | "response" | "preset" | "page";

/** The headings of the groups, in their order. */
export const GROUP_TITLES: Readonly<Record<HitKind, string>> = {
  piece: "Letters and postcards",
  recipient: "Recipients",
  user: "Users",
  purchase: "Purchases",
  "ledger row": "Ledger",
  response: "Stored responses",
  preset: "Presets",
  page: "Pages and actions",
};

export interface Hit {
  kind: HitKind;
  title: string;
  /** What tells it from others of the same title. */
  detail: string;
  /** Its address. */
  to: string;
  status: { word: string; tone: StatusTone } | null;
}

export interface HitGroup {
  kind: HitKind;
  hits: Hit[];
  /** Nothing is spelled as it was typed; these are spelled alike. */
  similar: boolean;
}

export interface SearchResult {
  /** As it was typed, without spaces around it. */
  query: string;
  /** What has the pasted id. With one alone the search goes straight there. */
  exact: Hit[];
  groups: HitGroup[];
  /** Why not everything was searched. */
  problem: string | null;
}
