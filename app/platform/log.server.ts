import pino from "pino";
import { env } from "./env.server";
import { currentRequestId } from "./request-id.server";

/**
 * The fields that a log line may have. Any other one is a type error, so that no key, address or content of a piece
 * gets into the log by accident.
 */
export interface LogFields {
  /** Added by itself to what is logged for a request. */
  requestId?: string;
  method?: string;
  /** Pathname only: queries carry OAuth codes and search words. */
  path?: string;
  status?: number;
  durationMs?: number;
  port?: number;
  /** Also with the name of a token behind it. */
  userId?: string;
  sendId?: string;
  checkoutId?: string;
  /** The provider's id of a piece. */
  pieceId?: string;
  /** What an event or call was about: `checkout_refunded`. */
  event?: string;
  /** What came of it, in one word: `accepted`. */
  outcome?: string;
  /** A sentence without stack, SQL, file paths or personal data. */
  reason?: string;
  /** Class of an unexpected error. */
  errorName?: string;
  /** Where in our code it was thrown. */
  at?: string;
  /** A `FailureCode`. */
  failureCode?: string;
  /** Name of a background task or of a heavy job. */
  task?: string;
  /** Id of the database row that a background task works on. */
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
/** Lines of one turn of the event loop are written together. They are on their way before the next turn. */
let output: ReturnType<typeof pino.destination> | undefined;
let isPlanned = false;
const ROOM_BYTES = 8 * 1024;

function openLogger(): pino.Logger {
  const destination = pino.destination({ fd: 1, sync: true, minLength: ROOM_BYTES });
  output = destination;
  process.once("exit", () => destination.flushSync());
  return pino(
    { level: env().logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    destination,
  );
}

function flush(): void {
  isPlanned = false;
  output?.flushSync();
}

function write(level: "info" | "warn" | "error", event: string, fields: LogFields): void {
  logger ??= openLogger();
  const requestId = currentRequestId();
  logger[level](requestId === undefined ? fields : { requestId, ...fields }, event);
  // What is wrong is told at once, whatever happens to the process next.
  if (level !== "info") flush();
  else if (!isPlanned) {
    isPlanned = true;
    setImmediate(flush);
  }
}

/** One JSON line per event on standard output. Events are dotted keys: `send.recovery_failed`. */
export const log = {
  info: (event: string, fields: LogFields = {}) => write("info", event, fields),
  warn: (event: string, fields: LogFields = {}) => write("warn", event, fields),
  error: (event: string, fields: LogFields = {}) => write("error", event, fields),
};

/** The class of an unexpected error. Its message may hold what does not belong into the log. */
export function errorNameOf(error: unknown): string {
  return error instanceof Error ? error.name : "unknown";
}

/** Function, file and line that threw an unexpected error; null when it does not say. */
export function findPlace(error: unknown): string | null {
  if (!(error instanceof Error) || typeof error.stack !== "string") return null;
  // The message comes first, and may hold lines that look like places.
  const start = error.stack.indexOf(error.message);
  const places = start < 0 ? error.stack : error.stack.slice(start + error.message.length);
  return /^\s+at (.{1,300})$/m.exec(places)?.[1] ?? null;
}
