import type { ResponseRow } from "./stored-view";

/** What the page of one stored response shows. */
export interface ResponsePageView {
  row: ResponseRow;
  /** Label of the base URL, where it is known. */
  base: string | null;
  /** The URL that was called; null when the base URL is not known. */
  url: string | null;
  query: [string, string][];
  /** The headers as they were sent, with the key blanked. */
  requestHeaders: [string, string][];
  /** JSON text; all of `request_data` when it is not a `StoredRequest`. */
  requestBody: string | null;
  responseHeaders: [string, string][];
  /** The body as it is stored. */
  responseBody: string | null;
  /** Its media type, and whether it is a file, whose text is not shown. */
  answer: { type: string; isFile: boolean };
}
