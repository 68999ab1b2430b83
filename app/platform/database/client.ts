import type { PrismaClient } from "../../../prisma/client/client";

/** Client of the database or of a transaction on it, for SQL. */
export type Db = Pick<PrismaClient, "$queryRaw" | "$executeRaw">;
