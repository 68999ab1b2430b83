/** The shapes of stored responses in pages and `/api/responses`. */

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export const MODES = ["test", "live"] as const;
export const NOT_A_METHOD = `must be one of ${METHODS.join(", ")}`;

/** The mode of a letter or postcard: a test, or real mail. */
export type ResponseMode = (typeof MODES)[number];

/** A stored response as listed. The bodies are absent when they were not asked for. */
export interface StoredResponse {
  id: string;
  method: string;
  /** Relative to the base URL, as it was called. */
  path: string;
  endpoint_category: string;
  endpoint_preset: string;
  /** The provider's; null without a readable answer. */
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
  /** ID of the live piece whose response it is; its page is `/sends/<send_id>`. */
  send_id: string | null;
  /** Of a letter or postcard; null for all else, and where the request was not stored. */
  mode: ResponseMode | null;
  /** To whom: "Ana Lopez", "Recipient 1001"; null where it is not known. */
  addressee: string | null;
  /** The provider refused inside a 2xx answer; absent in files. */
  is_refused?: boolean;
  /** A `StoredRequest` when it was saved automatically; anything when it was saved by hand. */
  request_data?: unknown;
  response_data?: unknown;
  response_headers?: Record<string, string>;
  /** The bytes of the body, when it is not exactly `response_data`: a file, a text in another encoding, a JSON text alone. */
  response_base64?: string;
}

/** A request as it is stored: enough to open it in the Builder as it was sent. */
export interface StoredRequest {
  /** Label of the base URL. */
  base: string;
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  /** Each large file is replaced by a `StrippedFile`. */
  body: unknown;
}

/** Replaces the base64 of a file, to keep rows small; the hash still tells which file was sent. */
export interface StrippedFile {
  elided: "base64";
  /** Of the decoded file. */
  bytes: number;
  /** Of the decoded file, hex. */
  sha256: string;
}

/** Totals over all stored responses. */
export interface ResponseStats {
  total: number;
  by_status: Record<string, number>;
  /** Last 24 hours. */
  recent_count: number;
}

/** One bar of the chart: responses of one UTC day by status class. */
export interface ResponseDay {
  /** YYYY-MM-DD, UTC. */
  day: string;
  /** `none`: without an answer of the provider. */
  counts: Record<"2xx" | "3xx" | "4xx" | "5xx" | "none", number>;
}

/** The filter of a list, as in its address; every part may be absent. */
export interface ResponseFilter {
  userId?: string;
  category?: string;
  /** Case-insensitive substring of path, method, category, preset, user display name, tags or recipient. */
  search?: string;
  /** `200`, or a class: `2xx`, `3xx`, `4xx`, `5xx`, `none`. */
  status?: string;
  method?: string;
  mode?: ResponseMode;
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
   * How many match the filter. Counted to 1,000 at most, and for a common text or tag among the newest 5,000 rows;
   * `more` then means "at least".
   */
  matching: { count: number; more: boolean };
  /** How many of the newest rows were searched; null when all were. */
  searchedNewest: number | null;
}
