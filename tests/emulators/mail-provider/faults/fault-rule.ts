/**
 * Selects the requests that fail. `path` is compared with the path below the base, without `.json`: a text is the
 * source of a regular expression that must match all of it. Rules apply in the order in which they were added, each
 * to `times` requests.
 */
interface Target {
  path?: string | RegExp;
  method?: string;
  /** Default 1. */
  times?: number | "always";
  /** The share of matching requests that it applies to; below 1 with `times: "always"`. */
  chance?: number;
}

/** `before` the operation (the default), or `after` it and before the answer. */
type Moment = { moment?: "before" | "after" };
type Answer = { status?: number; headers?: Record<string, string>; body?: string | Buffer };

/**
 * `status`, `respond`: any answer, by default with a `success:false` envelope or raw; `html`: a page of the web
 * server in front; `refuse200`: a refusal inside HTTP 200; `rate-limit`, `redirect`; `echo-key`: the caller's key
 * in body and headers, plain and encoded. None of these runs the operation. `error-after`, `unreadable`,
 * `truncate`: run the operation, then answer with a server error, with 200 and no JSON, or with half of the answer.
 * `timeout` never answers, `slow` waits, `hold` waits until it is released; `reset-before`, `reset-after` break the
 * connection. `answer-test`, `answer-live` create a test or live piece and answer with it, independent of the
 * request.
 */
export type FaultRule = Target &
  (
    | (Answer & { kind: "status"; status: number })
    | (Answer & { kind: "respond" })
    | { kind: "html"; status: number; body?: string }
    | { kind: "refuse200"; error?: string }
    | { kind: "rate-limit"; resetSeconds?: number }
    | { kind: "redirect"; location: string; status?: number }
    | { kind: "echo-key" | "error-after"; status?: number }
    | { kind: "unreadable"; body?: string }
    | { kind: "reset-before" | "reset-after" }
    | { kind: "truncate" | "answer-test" | "answer-live" }
    | (Moment & { kind: "timeout" })
    | (Moment & { kind: "hold" })
    | (Moment & { kind: "slow"; delayMs: number })
  );
