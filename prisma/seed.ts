import { pathToFileURL } from "node:url";
import dotenv from "dotenv";
import { openDatabase } from "../app/platform/database/open-database.server";
import { env } from "../app/platform/env.server";
import type { CheckoutSession, PrismaClient } from "./client/client";
import { type Print, type SeededPiece, seedLife } from "./seed-life";

/** Users for development. */
const USERS = [
  { id: "user-marketing", displayName: "Marketing", username: "marketing", email: "marketing@example.com" },
  { id: "user-chidi", displayName: "Chidi Okafor", username: "chidi", email: "chidi.okafor@example.com" },
  { id: "user-bench", displayName: "Print test bench", username: "bench", email: null },
  { id: "user-zoe", displayName: "Zoë's shop", username: "zoe", email: null },
];

/** Stores the missing development users; changes no existing one. Returns the number of added users. */
export async function seedUsers(db: PrismaClient): Promise<number> {
  const { count } = await db.user.createMany({ data: USERS, skipDuplicates: true });
  return count;
}

/** Content of the development database before the console opens it. */
interface Seeded {
  /** Live pieces in the provider account, including those of earlier runs. */
  pieces: SeededPiece[];
  /** Purchases with Stripe. */
  purchases: CheckoutSession[];
}

/**
 * Seeds the configured database and closes it, so that the console can open it afterwards. Skips "none" and a
 * database in memory, which would be lost at once. Prints the result in one line, and returns null when the
 * database is unreachable.
 * @param print draws the provider's PDFs; with it six weeks of mail are created too if there is none yet
 */
export async function seedConfiguredDatabase({ print }: { print: Print | null }): Promise<Seeded | null> {
  const { database: target, baseUrls } = env();
  if (target.kind === "none" || (target.kind === "embedded" && target.folder === "memory"))
    return { pieces: [], purchases: [] };
  const baseUrl = baseUrls[0].url;
  const database = openDatabase(target, { use: "the seed", shared: false });
  try {
    const seeded = await database.run(async (db) => ({
      users: await seedUsers(db),
      made: print ? await seedLife(db, baseUrl, print) : 0,
      pieces: await listLivePieces(db, baseUrl),
      purchases: await db.checkoutSession.findMany({ where: { state: "completed" } }),
    }));
    if (!seeded.ok) {
      process.stdout.write(`Nothing was seeded. ${seeded.failure.details ?? seeded.failure.message}\n`);
      return null;
    }
    const { users, made, pieces, purchases } = seeded.value;
    process.stdout.write(`Seeded for development: ${users} users, ${made} pieces of mail.\n`);
    return { pieces, purchases };
  } finally {
    await database.close();
  }
}

async function listLivePieces(db: PrismaClient, baseUrl: string): Promise<SeededPiece[]> {
  const pieces = await db.$queryRaw<Omit<SeededPiece, "design">[]>`
    SELECT i.provider_id::int AS id, i.type, i.status, i.created_at AS "createdAt", s.recipient_id AS "recipientId"
    FROM mail_items i JOIN sends s ON s.id = i.send_id
    WHERE i.base_url = ${baseUrl} AND i.provider_id ~ '^[1-9][0-9]{0,8}$'`;
  return pieces.map((piece) => ({ ...piece, design: null }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  dotenv.config({ quiet: true });
  if ((await seedConfiguredDatabase({ print: null })) === null) process.exit(1);
}
