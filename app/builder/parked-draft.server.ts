import { randomUUID } from "node:crypto";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { Prisma } from "../../prisma/client/client";
import type { DraftWithChoices } from "./draft";

const MAX_PARKED_PER_PERSON = 10;

/** Stores a draft during a card payment and returns its id. Each person's ten newest are kept. */
export async function parkDraft(viewerId: string, draft: DraftWithChoices): Promise<Outcome<string>> {
  const id = randomUUID();
  const done = await withDatabase(async (db) => {
    await db.parkedDraft.create({ data: { id, actorId: viewerId, content: JSON.stringify(draft) } });
    const old = await db.parkedDraft.findMany({
      where: { actorId: viewerId },
      orderBy: { createdAt: "desc" },
      skip: MAX_PARKED_PER_PERSON,
      select: { id: true },
    });
    await db.parkedDraft.deleteMany({ where: { id: { in: old.map((row) => row.id) } } });
  });
  return done.ok ? succeed(id) : done;
}

/** A draft that this person parked; null if there is none or the database does not answer. */
export async function findParkedDraft(viewerId: string, id: string): Promise<DraftWithChoices | null> {
  const found = await withDatabase((db) => db.parkedDraft.findFirst({ where: { id, actorId: viewerId } }));
  return found.ok && found.value ? (JSON.parse(found.value.content) as DraftWithChoices) : null;
}

/** Deletes parked drafts whose text names a person. */
export function eraseParkedDrafts(db: Db, mentions: (text: Prisma.Sql) => Prisma.Sql): Promise<number> {
  return db.$executeRaw`DELETE FROM parked_drafts WHERE ${mentions(Prisma.sql`content`)}`;
}

/** Deletes parked drafts that are so many days old. */
export function expireParkedDrafts(db: Db, days: number): Promise<number> {
  return db.$executeRaw`DELETE FROM parked_drafts WHERE created_at < now() - ${days}::int * interval '1 day'`;
}
