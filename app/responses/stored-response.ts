/** The shapes of stored responses as pages and `/api/responses*` have them (spec §3, §7). */

/** A stored response as listed (spec §3); the bodies are absent where they were not asked for. */
export interface StoredResponse {
  id: string;
  method: string;
  /** Relative to the base URL, as it was called. */
  path: string;
  endpoint_category: string;
  endpoint_preset: string;
  /** The provider's; null when no answer of the provider was read. */
  status_code: number | null;
  duration_ms: number | null;
  tags: string[];
  user_id: string;
  user_display_name: string;
  /** ISO 8601, UTC. */
  created_at: string;
  is_cancelled: boolean;
  cancelled_at: string | null;
  cancellation_reason: string | null;
  /** The live send this is the answer of: its page is `/sends/<send_id>`. */
  send_id: string | null;
  /** A `StoredRequest` where Mailroom stored it itself; whatever the caller gave where it was saved by hand. */
  request_data?: unknown;
  response_data?: unknown;
  response_headers?: Record<string, string>;
}

/** The request of a stored response as Mailroom keeps it: enough to open it in the Builder as it was sent. */
export interface StoredRequest {
  /** Label of the base URL. */
  base: string;
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  /** Large base64 is replaced by an `StrippedFile`. */
  body: unknown;
}

/** Stands where a file's base64 stood: what was sent can be told, the row stays small. */
export interface StrippedFile {
  elided: "base64";
  /** Of the decoded file. */
  bytes: number;
  /** Of the decoded file, hex. */
  sha256: string;
}

/** Totals over everything stored (spec §3 Stored-response stats); successful and errors by spec §9. */
export interface ResponseStats {
  total: number;
  by_status: Record<string, number>;
  /** Last 24 hours. */
  recent_count: number;
}

/** One bar of the chart: answers of one UTC day by status class. */
export interface ResponseDay {
  /** YYYY-MM-DD, UTC. */
  day: string;
  /** 2xx, 3xx, 4xx, 5xx; `none` is without an answer. */
  counts: Record<"2xx" | "3xx" | "4xx" | "5xx" | "none", number>;
}

/** What a list is narrowed to; every part may be absent. All of it lives in the address. */
export interface ResponseFilter {
  userId?: string;
  category?: string;
  /** Case-insensitive substring over path, method, category, preset, user display name and tags (spec §5). */
  search?: string;
  /** `200`, or a class: `2xx`, `3xx`, `4xx`, `5xx`, `none`. */
  status?: string;
  method?: string;
  tag?: string;
  /** ISO 8601, inclusive. */
  from?: string;
  /** ISO 8601, exclusive; a bare date means the whole day is included. */
  to?: string;
}

/** One page of a list, newest first. */
export interface ResponsePage {
  responses: StoredResponse[];
  /** Opaque; null on the last page. */
  nextCursor: string | null;
  /**
   * How many fit the filter, counted to 1,000 at most, for a common word or tag among the newest 5,000 rows: `more`
   * then says that it is "at least".
   */
  matching: { count: number; more: boolean };
  /** Set where a search of one or two characters looked at the newest rows only: how many. */
  searchedNewest: number | null;
}
