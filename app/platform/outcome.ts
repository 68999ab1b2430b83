import type { FailureCode } from "./failure-codes";

export interface Failure {
  code: FailureCode;
  message: string;
  details?: string;
  /** Set for `rate_limited` and `overloaded`. */
  retryAfterSeconds?: number;
}

export interface Failed {
  ok: false;
  failure: Failure;
}

/** A value, or a failure that says what was and was not done. */
export type Outcome<T> = { ok: true; value: T } | Failed;

/** The value that a function loads. */
export type ValueOf<Load extends (...input: never[]) => Promise<Outcome<unknown>>> = Extract<
  Awaited<ReturnType<Load>>,
  { ok: true }
>["value"];

export function succeed<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function fail(code: FailureCode, message: string, details?: string): Failed {
  return { ok: false, failure: details === undefined ? { code, message } : { code, message, details } };
}

/** True for the result of {@link fail}. */
export function isFailed(value: unknown): value is Failed {
  return typeof value === "object" && value !== null && "failure" in value && "ok" in value && !value.ok;
}

/** End of every message of a failure before anything happened. */
export const NOTHING_DONE = "Nothing was sent and nothing was charged.";
