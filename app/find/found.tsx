import { formatStatus, type StatusTone } from "~/pieces/status";
import { formatCount } from "~/platform/format-integer";
import { Badge } from "~/ui/badge";

const GROUP_TITLES = {
  piece: "Letters and postcards",
  recipient: "Recipients",
  user: "Users",
  purchase: "Purchases",
  "ledger row": "Ledger",
  response: "Stored responses",
  preset: "Presets",
  page: "Pages and actions",
} as const;

export interface Hit {
  title: string;
  /** Tells it from others of the same title. */
  detail: string;
  to: string;
  status?: { word: string; tone: StatusTone };
}

export interface HitGroup {
  kind: keyof typeof GROUP_TITLES;
  hits: Hit[];
  /** True when nothing is spelled as typed, so that these are spelled alike. */
  similar: boolean;
}

export interface SearchResult {
  /** The query as typed, trimmed. */
  query: string;
  /** Hits with the pasted id. With a single one the search redirects to it. */
  exact: Hit[];
  groups: HitGroup[];
  /** The reason why not everything was searched. */
  problem: string | null;
}

export const SEARCH_HINT =
  "Names, companies, cities, postcodes, values in answers, presets and pages. A pasted ID goes straight to its page.";

export function listGroups({ exact, groups }: SearchResult): { title: string; hits: Hit[] }[] {
  const named = groups.map(({ kind, hits, similar }) => ({
    title: `${GROUP_TITLES[kind]}${similar ? " (similar spelling)" : ""}`,
    hits,
  }));
  return exact.length > 0 ? [{ title: "With this ID", hits: exact }, ...named] : named;
}

export function formatResultCount(query: string, count: number): string {
  if (count > 0) return formatCount(count, "result");
  return `Nothing found for “${query}”. Try fewer or shorter words, or paste an ID.`;
}

export function HitText({ hit }: { hit: Hit }) {
  return (
    <>
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{hit.title}</span>
        {hit.status ? <Badge tone={hit.status.tone}>{formatStatus(hit.status.word)}</Badge> : null}
      </span>
      <span className="block text-dim text-small [overflow-wrap:anywhere]">{hit.detail}</span>
    </>
  );
}
