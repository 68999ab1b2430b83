import { Prisma, type PrismaClient } from "../../../prisma/client/client";
import { TRANSACTION_LIMITS } from "./connection.server";

/** A statement that is not done by then hangs. */
const LONGEST_MINUTES = 30;

/**
 * Asks what reads whole tables, however long they are: the limit that keeps a page's statements short does not end it. A
 * database that goes away ends it like any other statement.
 */
export function readLong<T>(db: PrismaClient, question: Prisma.Sql): Promise<T[]> {
  const timeout = LONGEST_MINUTES * 60_000;
  return db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL statement_timeout = ${Prisma.raw(String(timeout))}`;
      return tx.$queryRaw<T[]>(question);
    },
    { ...TRANSACTION_LIMITS, timeout },
  );
}
