import type { PrismaClient } from "../../../prisma/client/client";
import { errorNameOf, log } from "../log.server";
import { fail, type Outcome } from "../outcome";
import { withDatabase } from "./database.server";

const NOT_STORED = fail(
  "database_unavailable",
  "The database refused to store the outcome of this call. Check whether the change was made before you try again.",
  "It answered with an error.",
);

/**
 * Stores the outcome of a call that cannot be undone, like {@link withDatabase}. Errors of the database, such as a violated
 * constraint, are failures and never thrown, because the caller must still report the call's outcome.
 */
export async function storeAfterCall<T>(work: (db: PrismaClient) => Promise<T>): Promise<Outcome<T>> {
  try {
    return await withDatabase(work);
  } catch (error) {
    log.error("database.store_failed", { errorName: errorNameOf(error) });
    return NOT_STORED;
  }
}
