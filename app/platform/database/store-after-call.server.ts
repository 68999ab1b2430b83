import type { PrismaClient } from "../../../prisma/client/client";
import { errorNameOf, log } from "../log.server";
import { fail, type Outcome } from "../outcome";
import { withDatabase } from "./database.server";

const NOT_STORED = fail(
  "database_unavailable",
  "The database refused to store what came of this call. Check whether the change was made before you try again.",
  "It answered with an error.",
);

/**
 * As {@link withDatabase}, for what is stored after a call that cannot be undone. An error of the database itself (a
 * constraint, a lock that is not given, a trigger that raises) is a failure too and never thrown, because the caller
 * still has to be told what the other side did.
 */
export async function storeAfterCall<T>(work: (db: PrismaClient) => Promise<T>): Promise<Outcome<T>> {
  try {
    return await withDatabase(work);
  } catch (error) {
    log.error("database.store_failed", { errorName: errorNameOf(error) });
    return NOT_STORED;
  }
}
