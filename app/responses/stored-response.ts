export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export const MODES = ["test", "live"] as const;
export const NOT_A_METHOD = `must be one of ${METHODS.join(", ")}`;

/** The mode of a letter or postcard: a test, or real mail. */
export type ResponseMode = (typeof MODES)[number];

/** A stored response. The bodies are absent when they were not requested. */
export interface StoredResponse {
  id: string;
  method: string;
  /** Relative to the base URL, as it was called. */
  path: string;
  endpoint_category: string;
  endpoint_preset: string;
  /** The provider's status; null without a readable answer. */
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
  /** ID of its live piece, whose page is `/sends/<send_id>`. */
  send_id: string | null;
  /** Set for a letter or postcard whose request was stored. */
  mode: ResponseMode | null;
  /** The recipient: "Ana Lopez", "Recipient 1001"; null when unknown. */
  addressee: string | null;
  /** True when the provider refused inside a 2xx answer; absent in files. */
  is_refused?: boolean;
  /** A `StoredRequest` when it was saved automatically; anything when it was saved by hand. */
  request_data?: unknown;
  response_data?: unknown;
  response_headers?: Record<string, string>;
  /**
   * The bytes of the body, if `response_data` does not determine them: a file, a text in another encoding, a JSON
   * text.
   */
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

/** Replaces the base64 of a file in a stored request. The hash identifies the file. */
export interface StrippedFile {
  elided: "base64";
  /** Size of the decoded file. */
  bytes: number;
  /** Hash of the decoded file, hex. */
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
  /** `none` counts requests without an answer. */
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
   * The number of matches, counted to 1,000, and for a common text or tag among the newest 5,000 rows; `more` means
   * "at least".
   */
  matching: { count: number; more: boolean };
  /** The number of newest rows that were searched; null when all were. */
  searchedNewest: number | null;
}
