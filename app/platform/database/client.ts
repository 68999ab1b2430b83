import type { PrismaClient } from "../../../prisma/client/client";
import type { SqlSession } from "./migrations.server";

/** Client of the database or of a transaction on it, for SQL. */
export type Db = Pick<PrismaClient, "$queryRaw" | "$executeRaw">;

export interface Connection {
  client: PrismaClient;
  /** Runs `work` in a session of its own. */
  withSession(work: (session: SqlSession) => Promise<void>): Promise<void>;
  /** Waits for `work` while the database answers. @throws DatabaseGoneError when it stops answering */
  guard<T>(work: Promise<T>): Promise<T>;
  stopPreparing?(): void;
  /** Closes the connection; `abrupt` does not wait for running statements. */
  close(abrupt: boolean): Promise<void>;
}

/** The database stopped answering. The outcome of running statements is not known. */
export class DatabaseGoneError extends Error {}

/** Limits of a transaction's wait for a connection and of its duration. */
export const TRANSACTION_LIMITS = { maxWait: 10_000, timeout: 15_000 };
