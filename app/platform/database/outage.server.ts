import { type Failure, fail } from "../outcome";
import { DatabaseGoneError } from "./client";
import { FolderInUseError, ForeignFolderError } from "./embedded.server";
import { MigrationError } from "./migrations.server";

/** An error of the database itself, not of the statement. */
export interface Outage {
  failure: Failure;
  /** The connection is unusable. */
  lost: boolean;
}

interface Reason {
  /** One sentence without names of hosts, users, files. */
  text: string;
  /** True when the work had certainly not begun or was rolled back. */
  undone: boolean;
  lost: boolean;
}

const NOT_REACHED: Reason = { text: "The server cannot be reached.", undone: true, lost: true };
const BROKEN_OFF: Reason = { text: "The connection broke off.", undone: false, lost: true };
const BUSY: Reason = { text: "It is too busy.", undone: true, lost: false };
const TOO_SLOW: Reason = { text: "It took too long and was cancelled.", undone: true, lost: false };
const REFUSED: Reason = {
  text: "The server refuses the user or the password of the database address.",
  undone: true,
  lost: true,
};
const MISSING: Reason = {
  text: "The server has no database of the name in the database address.",
  undone: true,
  lost: true,
};

/** Reasons by codes of PostgreSQL (appendix A of its manual), whole or by class, of Prisma and of Node's sockets. */
const REASONS: Record<string, Reason> = {
  "08": BROKEN_OFF,
  "25006": { text: "It is read-only at present.", undone: true, lost: true },
  "25P03": TOO_SLOW,
  "25P04": TOO_SLOW,
  "28": REFUSED,
  "3D000": MISSING,
  "40001": BUSY,
  "40P01": BUSY,
  "53": { text: "The server has no room left.", undone: true, lost: false },
  "53300": BUSY,
  "55P03": { text: "A table is in use that an upgrade changes.", undone: true, lost: false },
  "57014": TOO_SLOW,
  "57P01": { text: "The server is shutting down.", undone: false, lost: true },
  "57P02": { text: "The server was stopped.", undone: false, lost: true },
  "57P03": { text: "The server is starting or stopping.", undone: true, lost: true },
  "58": { text: "The server's storage fails.", undone: false, lost: false },
  P2028: BUSY,
  P2034: BUSY,
  DatabaseNotReachable: NOT_REACHED,
  SocketTimeout: NOT_REACHED,
  TlsConnectionError: { text: "The server's certificate is not accepted.", undone: true, lost: true },
  ConnectionClosed: BROKEN_OFF,
  EAI_AGAIN: NOT_REACHED,
  ECONNREFUSED: NOT_REACHED,
  EHOSTUNREACH: NOT_REACHED,
  ENETUNREACH: NOT_REACHED,
  ENOTFOUND: NOT_REACHED,
  ETIMEDOUT: NOT_REACHED,
  ECONNRESET: BROKEN_OFF,
  EPIPE: BROKEN_OFF,
};

/** Messages of `pg`, its pool and PGlite without a code. */
const SENTENCES: [RegExp, Reason][] = [
  [/^timeout exceeded when trying to connect$/, BUSY],
  [/^(Connection terminated due to connection timeout|timeout expired)$/, NOT_REACHED],
  [/^Connection terminated|connection error and is not queryable|^Cannot use a pool after/, BROKEN_OFF],
  [/^PGlite is clos(ed|ing)/, BROKEN_OFF],
];

/**
 * Classifies errors that mean an outage: no or a broken connection, the server's codes for refusal, overload, shutdown and
 * cancelled statements, and a WebAssembly crash. Null for any other, such as a unique violation or a missing table.
 */
export function findOutage(error: unknown): Outage | null {
  const reason = findReason(error);
  return reason && toOutage(reason);
}

/** Classifies an error while opening. Each one means an outage before anything was done. */
export function classifyOpeningError(error: unknown): Outage {
  const own = [FolderInUseError, ForeignFolderError, MigrationError].some((kind) => error instanceof kind);
  const code = listCodes(error)[0];
  const text =
    own && error instanceof Error
      ? error.message
      : (findReason(error)?.text ?? `It could not be made ready${code ? ` (${code})` : ""}.`);
  return toOutage({ text, undone: true, lost: true });
}

/** True when a retry may succeed: serialization failures and deadlocks. */
export function isConflict(error: unknown): boolean {
  return listCodes(error).some((code) => ["40001", "40P01", "P2034"].includes(code));
}

/** True when a prepared statement did not run: it was prepared on another connection, or before a table changed. */
export function isNotPrepared(error: unknown): boolean {
  const codes = listCodes(error);
  return codes.includes("26000") || codes.includes("42P05") || /cached plan must not/.test(String(error));
}

/** True when the database refused a NUL character, which PostgreSQL cannot store. */
export function isUnstorable(error: unknown): boolean {
  return listCodes(error).includes("22021");
}

/** True when a unique constraint refused a row. */
export function isUniqueViolation(error: unknown): boolean {
  return listCodes(error).some((code) => ["23505", "P2002"].includes(code));
}

function findReason(error: unknown): Reason | null {
  if (error instanceof DatabaseGoneError) {
    return { text: "The server does not answer.", undone: false, lost: true };
  }
  if (error instanceof WebAssembly.RuntimeError) return BROKEN_OFF;
  for (const code of listCodes(error)) {
    const reason = REASONS[code] ?? (/^[0-9A-Z]{5}$/.test(code) ? REASONS[code.slice(0, 2)] : undefined);
    if (reason) return reason;
  }
  const message = error instanceof Error ? error.message : "";
  return SENTENCES.find(([sentence]) => sentence.test(message))?.[1] ?? null;
}

/**
 * Lists the codes of an error, the most specific first: PostgreSQL's own, which the driver adapter keeps in `cause` and
 * Prisma in `meta`, the adapter's kind, and the error's `code`.
 */
function listCodes(error: unknown): string[] {
  const cause = read(read(read(error, "meta"), "driverAdapterError"), "cause") ?? read(error, "cause");
  return [read(cause, "originalCode"), read(cause, "kind"), read(error, "code")].filter(
    (code) => typeof code === "string",
  );
}

function read(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function toOutage({ text, undone, lost }: Reason): Outage {
  const message = undone
    ? "The database is not available right now. Nothing was changed; try again in a moment."
    : "The database stopped answering before it had confirmed. Check whether the change was made before you try again.";
  return { failure: fail("database_unavailable", message, text).failure, lost };
}
