/** Keys and headers whose values differ in every response without meaning anything. */
const VOLATILE = new Set([
  "age",
  "cf-ray",
  "content-length",
  "created",
  "created_at",
  "createdat",
  "date",
  "dispatched",
  "duration",
  "duration_ms",
  "durationms",
  "etag",
  "expires",
  "id",
  "last-modified",
  "modified",
  "pdf",
  "request_id",
  "server-timing",
  "set-cookie",
  "timestamp",
  "updated",
  "updated_at",
  "updatedat",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-request-id",
]);

/** Whether the values of a key are expected to differ: IDs, times, durations, links to PDFs. */
export function isVolatile(key: string): boolean {
  return VOLATILE.has(key.toLowerCase());
}
