import { pathToFileURL } from "node:url";
import dotenv from "dotenv";
import { openDatabase } from "../app/platform/database/database.server";
import { env } from "../app/platform/env.server";
import type { PrismaClient } from "./client/client";

/** People to act for in development. */
const USERS = [
  {
    id: "user-bamann",
    displayName: "Benedikt Amann",
    username: "bamann",
    email: "benedikt.amann@example.com",
  },
  { id: "user-chidi", displayName: "Chidi Okafor", username: "chidi", email: "chidi.okafor@example.com" },
  { id: "user-bench", displayName: "Print test bench", username: "bench", email: null },
  { id: "user-zoe", displayName: "Zoë Müller", username: "zoe", email: "zoe.mueller@example.com" },
];

/** Stores the development users that are missing; changes nobody who is there. Returns how many were added. */
export async function seedUsers(db: PrismaClient): Promise<number> {
  const { count } = await db.user.createMany({ data: USERS, skipDuplicates: true });
  return count;
}

/**
 * Seeds the database that the environment names, and lets go of it, so that the console can open it afterwards.
 * One in memory would be forgotten at once; it and "none" are left alone. Says what it did in one line, and
 * returns false when the database is out.
 */
export async function seedConfiguredDatabase(): Promise<boolean> {
  const target = env().database;
  if (target.kind === "none" || (target.kind === "embedded" && target.folder === "memory")) return true;
  const database = openDatabase(target, { use: "the seed", shared: false });
  try {
    const added = await database.run(seedUsers);
    process.stdout.write(
      added.ok
        ? `Stored users for development: ${added.value} added, ${USERS.length - added.value} there already.\n`
        : `No users were stored. ${added.failure.details ?? added.failure.message}\n`,
    );
    return added.ok;
  } finally {
    await database.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  dotenv.config({ quiet: true });
  if (!(await seedConfiguredDatabase())) process.exit(1);
}
