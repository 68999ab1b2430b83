import type { PrismaClient } from "../../../prisma/client/client";
import type { SqlSession } from "./migrations.server";

/** What both kinds of database offer to `database.server.ts`. */
export interface Connection {
  client: PrismaClient;
  /** Lends a session of its own to the migrations. */
  withSession(work: (session: SqlSession) => Promise<void>): Promise<void>;
  /** Waits for `work` for as long as the database is alive. @throws DatabaseGoneError when it is not */
  guard<T>(work: Promise<T>): Promise<T>;
  /** Keeps no statement ready on the server from now on. */
  stopPreparing?(): void;
  /** Ends it; `abrupt` does not wait for what is under way. */
  close(abrupt: boolean): Promise<void>;
}

/** The database does not answer any more; whatever was under way may or may not have happened. */
export class DatabaseGoneError extends Error {}

/** How long a transaction may wait for its turn, and take. Longer means that something holds it open. */
export const TRANSACTION_LIMITS = { maxWait: 10_000, timeout: 15_000 };
