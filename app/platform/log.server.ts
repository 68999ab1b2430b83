import pino from "pino";
import { env } from "./env.server";

/** Fields a log line may carry; anything else a caller passes is a type error (security.md row 20). */
export interface LogFields {
  requestId?: string;
  method?: string;
  /** Pathname only: queries carry OAuth codes and search words. */
  path?: string;
  status?: number;
  durationMs?: number;
  userId?: string;
  sendId?: string;
  event?: string;
  /** A message without stack, SQL or file paths. */
  reason?: string;
  errorName?: string;
  /** Name of a background task. */
  task?: string;
  /** Id of the database row that a background task works on. */
  rowId?: string;
  /** A `FailureCode`. */
  failureCode?: string;
  providerPath?: string;
  providerStatus?: number;
  port?: number;
}

let logger: pino.Logger | undefined;

function write(level: "info" | "warn" | "error", message: string, fields: LogFields): void {
  logger ??= pino({ level: env().logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime });
  logger[level](fields, message);
}

/** One JSON line per event on standard output. */
export const log = {
  info: (message: string, fields: LogFields = {}) => write("info", message, fields),
  warn: (message: string, fields: LogFields = {}) => write("warn", message, fields),
  error: (message: string, fields: LogFields = {}) => write("error", message, fields),
};
