/**
 * How requests go wrong. `path` is compared with the path below the base, without `.json`: a text is the source of a
 * regular expression that must match all of it. Rules apply in the order they were added, each to `times` requests.
 */
interface Target {
  path?: string | RegExp;
  method?: string;
  /** Default 1. */
  times?: number | "always";
  /** The share of fitting requests that it meets; below 1 with `times: "always"`. */
  chance?: number;
}

/** `before` (the default) the operation is done, or `after` it, before the answer. */
type Moment = { moment?: "before" | "after" };
type Answer = { status?: number; headers?: Record<string, string>; body?: string };

export type FaultRule = Target &
  (
    | /** Answers with any status, by default with a `success:false` envelope; nothing is done. */
    (Answer & { kind: "status"; status: number }) /** A logical refusal inside HTTP 200. */
    | { kind: "refuse200"; error?: string } /** Never answers. */
    | (Moment & {
        kind: "timeout";
      }) /** Resets the connection before anything is done, or instead of answering. */
    | { kind: "reset-before" | "reset-after" } /** Does it, then answers with a server error. */
    | {
        kind: "error-after";
        status?: number;
      } /** Does it, then answers 200 with something that is not JSON. */
    | {
        kind: "unreadable";
        body?: string;
      } /** A page of the web server in front, e.g. for 413, 502, 503, 504; nothing is done. */
    | {
        kind: "html";
        status: number;
        body?: string;
      } /** Does it, then sends half of the answer and closes. */
    | { kind: "truncate" }
    | {
        kind: "redirect";
        location: string;
        status?: number;
      } /** Answers with the caller's key in the body and headers, plain and encoded; nothing is done. */
    | { kind: "echo-key"; status?: number }
    | (Moment & { kind: "slow"; delayMs: number })
    | {
        kind: "rate-limit";
        resetSeconds?: number;
      } /** Mail only: does and answers a test, or a live send, whatever the request says. */
    | { kind: "answer-test" | "answer-live" } /** Any raw answer; nothing is done. */
    | (Answer & { kind: "respond" }) /** Waits until it is released. */
    | (Moment & { kind: "hold" })
  );
