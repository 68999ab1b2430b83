import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import pino from "pino";
import { env } from "./env.server";

/**
 * One ID for a request, in the log lines of all calls that it leads to. It is not sent to the provider, because a retry
 * must send the same headers.
 */

/** The current request, with facts for the audit log and the API log that other code adds. */
export interface CurrentRequest {
  readonly id: string;
  /** `token` and its ID, `person` and their subject, or `address` and the IP address. */
  caller?: string;
  /** The actor's ID in the ledger. */
  actorId?: string;
  intent?: string;
  /** Ids in the form, or of what was made. */
  subject?: string;
  /** The provider's path of a proxied call. */
  providerPath?: string;
  /** The code of its failure, with the names of wrong fields. */
  reason?: string;
  /** True when a right was missing. */
  refused?: true;
  /** True when it failed although the answer's status does not say so. */
  failed?: true;
}

const current = new AsyncLocalStorage<CurrentRequest>();
const ACCEPTED = /^[\w.:-]{8,100}$/;

/** Returns the ID of the current request; undefined in the background. */
export function currentRequestId(): string | undefined {
  return current.getStore()?.id;
}

/** Adds facts to the current request. Does nothing in the background. */
export function noteRequest(facts: Omit<CurrentRequest, "id">): void {
  Object.assign(current.getStore() ?? {}, facts);
}

/** Runs `work` and everything that it starts as part of a request. */
export function withRequest<T>(request: CurrentRequest, work: () => T): T {
  return current.run(request, work);
}

/** Returns the caller's ID of the request when it is safe to log, else a new one. */
export function chooseRequestId(received: string | undefined): string {
  return received !== undefined && ACCEPTED.test(received) ? received : randomUUID();
}

/** Fields that a log line may have. Any other is a type error, so that no key or address is logged by accident. */
export interface LogFields {
  /** Added automatically during a request. */
  requestId?: string;
  method?: string;
  /** Path without its query, which may hold OAuth codes and search words. */
  path?: string;
  status?: number;
  durationMs?: number;
  port?: number;
  /** User ID, optionally followed by the name of a token. */
  userId?: string;
  sendId?: string;
  /** The provider's id of a piece. */
  pieceId?: string;
  /** Subject of an event or call: `checkout_refunded`. */
  event?: string;
  /** Result in one word: `accepted`. */
  outcome?: string;
  /** A sentence without stack, SQL, file paths or personal data. */
  reason?: string;
  /** Class of an unexpected error. */
  errorName?: string;
  /** Place in our code that threw it. */
  at?: string;
  /** A `FailureCode`. */
  failureCode?: string;
  /** Name of a background task or of a heavy job. */
  task?: string;
  /** ID of the database row that a background task works on. */
  rowId?: string;
  migration?: string;
  /** Name of a number at `/metrics`. */
  gauge?: string;
  /** Names of environment variables, never their values. */
  configured?: string[];
  missing?: string[];
  providerPath?: string;
  providerStatus?: number;
}

let logger: pino.Logger | undefined;

function write(level: "info" | "warn" | "error", event: string, fields: LogFields): void {
  logger ??= pino(
    { level: env().logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    // Synchronous, so that a line survives whatever happens to the process next.
    pino.destination({ fd: 1, sync: true }),
  );
  const requestId = currentRequestId();
  logger[level](requestId === undefined ? fields : { requestId, ...fields }, event);
}

/** Writes one JSON line per event to standard output. Events are dotted keys: `send.recovery_failed`. */
export const log = {
  info: (event: string, fields: LogFields = {}) => write("info", event, fields),
  warn: (event: string, fields: LogFields = {}) => write("warn", event, fields),
  error: (event: string, fields: LogFields = {}) => write("error", event, fields),
};

/** Returns the class of an unexpected error. Its message is not logged, because it may hold personal data. */
export function errorNameOf(error: unknown): string {
  return error instanceof Error ? error.name : "unknown";
}

/** Finds the function, file and line that threw an unexpected error; null when unknown. */
export function findPlace(error: unknown): string | null {
  if (!(error instanceof Error) || typeof error.stack !== "string") return null;
  // The stack starts with the message, which may hold lines that look like places.
  const start = error.stack.indexOf(error.message);
  const places = start < 0 ? error.stack : error.stack.slice(start + error.message.length);
  return /^\s+at (.{1,300})$/m.exec(places)?.[1] ?? null;
}
