import { validateHeaderName, validateHeaderValue } from "node:http";
import { z } from "zod";

/**
 * How a request is to go wrong. `path` is compared with the path below the base, without `.json`: a text is
 * the source of a regular expression that must match all of it (a plain path therefore matches itself). Rules
 * apply in the order they were added, each to `times` requests.
 */
const target = {
  path: z.union([z.string().refine(isPattern, "not a regular expression"), z.instanceof(RegExp)]).optional(),
  method: z.string().optional(),
  times: z.union([z.int().min(1), z.literal("always")]).default(1),
  /** The share of fitting requests that it meets, drawn for each; below 1 it goes with `times: "always"`. */
  chance: z.number().min(0).max(1).default(1),
};

/** Whether a delay comes before the operation is done, or between doing and answering. */
const moment = z.enum(["before", "after"]).default("before");
const status = z.int().min(200).max(599);
const headers = z
  .record(z.string(), z.string())
  .refine(areHeaders, "not sendable as HTTP headers")
  .default({});

export const faultRuleSchema = z.discriminatedUnion("kind", [
  /** Answers with any status; nothing is done. The body defaults to a `success:false` envelope. */
  z.object({ ...target, kind: z.literal("status"), status, body: z.string().optional(), headers }),
  /** A logical refusal inside HTTP 200. */
  z.object({ ...target, kind: z.literal("refuse200"), error: z.string().optional() }),
  /** Never answers. */
  z.object({ ...target, kind: z.literal("timeout"), moment }),
  /** Resets the connection before anything is done. */
  z.object({ ...target, kind: z.literal("reset-before") }),
  /** Does it, then resets the connection instead of answering. */
  z.object({ ...target, kind: z.literal("reset-after") }),
  /** Does it, then answers with a server error. */
  z.object({ ...target, kind: z.literal("error-after"), status: status.default(500) }),
  /** Does it, then answers 200 with something that is not JSON. */
  z.object({ ...target, kind: z.literal("unreadable"), body: z.string().default("<<not json") }),
  /** A page of the web server in front, e.g. for 413, 502, 503, 504; nothing is done. */
  z.object({ ...target, kind: z.literal("html"), status, body: z.string().optional() }),
  /** Does it, then sends half of the answer and closes. */
  z.object({ ...target, kind: z.literal("truncate") }),
  z.object({
    ...target,
    kind: z.literal("redirect"),
    location: z.string().refine((location) => areHeaders({ location }), "not sendable as a header"),
    status: z.int().min(300).max(399).default(302),
  }),
  /** Answers with the caller's key in the body and headers, plain and encoded; nothing is done. */
  z.object({ ...target, kind: z.literal("echo-key"), status: status.default(200) }),
  z.object({ ...target, kind: z.literal("slow"), delayMs: z.int().min(0), moment }),
  z.object({ ...target, kind: z.literal("rate-limit"), resetSeconds: z.int().min(0).default(46) }),
  /** Mail only: does and answers a test, or a live send, whatever was asked. */
  z.object({ ...target, kind: z.literal("answer-test") }),
  z.object({ ...target, kind: z.literal("answer-live") }),
  /** Any raw answer; nothing is done. */
  z.object({
    ...target,
    kind: z.literal("respond"),
    status: status.default(200),
    headers,
    body: z.string().default(""),
    gzip: z.boolean().default(false),
  }),
  /** Waits until it is released. */
  z.object({ ...target, kind: z.literal("hold"), moment }),
]);

export type FaultRule = z.input<typeof faultRuleSchema>;
export type Fault = z.output<typeof faultRuleSchema>;

function isPattern(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}

function areHeaders(values: Record<string, string>): boolean {
  try {
    for (const [name, value] of Object.entries(values)) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return true;
  } catch {
    return false;
  }
}
