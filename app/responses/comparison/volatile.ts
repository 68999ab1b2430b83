/** Keys and headers whose values differ from one answer to the next without meaning anything. */
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

/** Whether a value under this key is expected to differ in every answer: ids, times, durations, links to PDFs. */
export function isVolatile(key: string): boolean {
  return VOLATILE.has(key.toLowerCase());
}
