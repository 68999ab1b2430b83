import type { PrismaClient } from "../../../prisma/client/client";

/** Adds credits by an adjustment and stores the user if missing. */
export async function giveCredits(db: PrismaClient, userId: string, amount: number): Promise<void> {
  const { ensureAccount, postEntry } = await import("~/credits/ledger/ledger.server");
  const user = { id: userId, displayName: userId, username: userId };
  await db.user.createMany({ data: [user], skipDuplicates: true });
  await ensureAccount(db, userId);
  if (amount === 0) return;
  const cause = { actorId: "system", cause: "adjustment", causeKey: crypto.randomUUID() } as const;
  await postEntry(db, { userId, type: "credit", amount, description: "for a test", ...cause });
}
