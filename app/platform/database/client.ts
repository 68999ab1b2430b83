import type { PrismaClient } from "../../../prisma/client/client";

/** What SQL is run on: the client of the database, or of a transaction on it. */
export type Db = Pick<PrismaClient, "$queryRaw" | "$executeRaw">;
