import { Prisma, type PrismaClient } from "../../../prisma/client/client";
import { MINUTE_MS } from "../time";
import { TRANSACTION_LIMITS } from "./connection.server";

/** Runs a query of whole tables with a limit of 30 minutes in place of the limit of a page's statements. */
export function readLong<T>(db: PrismaClient, question: Prisma.Sql): Promise<T[]> {
  const timeout = 30 * MINUTE_MS;
  return db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL statement_timeout = ${Prisma.raw(String(timeout))}`;
      return tx.$queryRaw<T[]>(question);
    },
    { ...TRANSACTION_LIMITS, timeout },
  );
}
