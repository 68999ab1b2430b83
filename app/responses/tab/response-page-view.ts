import type { ResponseRow } from "./stored-view";

/** What the page of one stored response shows. */
export interface ResponsePageView {
  row: ResponseRow;
  /** Label of the base URL, where it is known. */
  base: string | null;
  query: [string, string][];
  requestHeaders: [string, string][];
  /** All of `request_data` when it is not a `StoredRequest`. */
  requestBody: unknown;
  responseHeaders: [string, string][];
  responseBody: unknown;
}
