import { randomUUID } from "node:crypto";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import type { Draft } from "./draft";

/** What of the Builder is kept over the trip to the card payment. */
export interface DraftWithChoices {
  presetId: string;
  documented: boolean;
  baseLabel: string;
  userId: string | null;
  draft: Draft;
}

const MAX_PARKED_PER_PERSON = 10;

/** Keeps a draft for one person, the ten newest of theirs; answers its id. Fails as the database does. */
export async function parkDraft(viewerId: string, kept: DraftWithChoices): Promise<Outcome<string>> {
  const id = randomUUID();
  const done = await withDatabase(async (db) => {
    await db.parkedDraft.create({ data: { id, actorId: viewerId, content: JSON.stringify(kept) } });
    const old = await db.parkedDraft.findMany({
      where: { actorId: viewerId },
      orderBy: { createdAt: "desc" },
      skip: MAX_PARKED_PER_PERSON,
      select: { id: true },
    });
    await db.parkedDraft.deleteMany({ where: { id: { in: old.map((draft) => draft.id) } } });
  });
  return done.ok ? succeed(id) : done;
}

/** A draft that this person kept, or null. */
export async function findParkedDraft(viewerId: string, id: string): Promise<DraftWithChoices | null> {
  const found = await withDatabase((db) => db.parkedDraft.findFirst({ where: { id, actorId: viewerId } }));
  return found.ok && found.value ? (JSON.parse(found.value.content) as DraftWithChoices) : null;
}
