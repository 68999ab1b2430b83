import { existsSync } from "node:fs";
import { defineConfig } from "prisma/config";

/** For the `prisma` command alone; the console reads the same variables in `app/platform/env.server.ts`. */
if (existsSync(".env")) process.loadEnvFile(".env");
const { MAILROOM_DATABASE_URL, POSTGRES_URL, DATABASE_URL } = process.env;
const url = MAILROOM_DATABASE_URL || POSTGRES_URL || DATABASE_URL;

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  ...(url ? { datasource: { url } } : {}),
});
