import { randomUUID } from "node:crypto";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { type Outcome, succeed } from "~/platform/outcome";
import {
  findObjects,
  type Identity,
  type Match,
  mayHold,
  toNameAndAddress,
} from "~/recipients/match-person.server";
import { Prisma } from "../../../prisma/client/client";
import type { DraftWithChoices } from "./draft";

const MAX_PARKED_PER_PERSON = 10;

/** Stores a draft during a card payment and returns its id. Each person's ten newest are kept. */
export async function parkDraft(viewerId: string, draft: DraftWithChoices): Promise<Outcome<string>> {
  const id = randomUUID();
  const done = await withDatabase(async (db) => {
    await db.parkedDraft.create({ data: { id, actorId: viewerId, content: JSON.stringify(draft) } });
    const old = await db.parkedDraft.findMany({
      where: { actorId: viewerId, name: null },
      orderBy: { createdAt: "desc" },
      skip: MAX_PARKED_PER_PERSON,
      select: { id: true },
    });
    await db.parkedDraft.deleteMany({ where: { id: { in: old.map((row) => row.id) } } });
  });
  return done.ok ? succeed(id) : done;
}

/** Finds a draft that this person parked; null if there is none or the database does not answer. */
export async function findParkedDraft(viewerId: string, id: string): Promise<DraftWithChoices | null> {
  const found = await withDatabase((db) =>
    db.parkedDraft.findFirst({ where: { id, actorId: viewerId, name: null } }),
  );
  return found.ok && found.value ? (JSON.parse(found.value.content) as DraftWithChoices) : null;
}

export interface PersonsDraft {
  id: string;
  createdAt: Date;
  /** JSON. */
  content: string;
}

/** Finds the parked drafts that are or may be to a person. */
export async function findParkedDrafts(db: Db, identity: Identity): Promise<Match<PersonsDraft>[]> {
  const rows = await db.$queryRaw<(PersonsDraft & { userId: string })[]>`
    SELECT id, actor_id AS "userId", content, created_at AS "createdAt" FROM parked_drafts
    WHERE ${mayHold(identity, Prisma.sql`lower(content)`)} ORDER BY created_at, id`;
  return rows.flatMap(({ userId, ...data }) => {
    const id = `draft:${data.id}`;
    const { baseLabel, draft } = parseRecord(parseJson(data.content)) as Partial<DraftWithChoices>;
    const baseUrl = env().baseUrls.find(({ label }) => label === baseLabel)?.url ?? null;
    // The form has the details of a recipient as `recipient_firstname`.
    const fields = Object.entries(draft?.values ?? {}).map(([name, value]) => [
      name.replace("recipient_", ""),
      value,
    ]);
    const written = [Object.fromEntries(fields), draft?.values, parseJson(draft?.body ?? "")];
    const found = findObjects(written, identity, {
      baseUrl,
      isRecipient: draft?.path.startsWith("recipients/") ?? false,
    });
    const match = found.find(({ link }) => link === "exact") ?? found[0];
    const link = identity.known.includes(id) ? "exact" : match?.link;
    if (!link) return [];
    const shown = toNameAndAddress(match?.fields ?? {});
    return [{ id, link, ...shown, at: data.createdAt, userId, page: null, isOpen: false, data }];
  });
}

export async function deleteParkedDrafts(db: Db, ids: readonly string[]): Promise<void> {
  await db.$executeRaw`DELETE FROM parked_drafts WHERE id = ANY(${[...ids]}::text[])`;
}

/** Deletes parked drafts older than `days`. Templates of the team have no recipient and stay. */
export function expireParkedDrafts(db: Db, days: number): Promise<number> {
  return db.$executeRaw`DELETE FROM parked_drafts WHERE name IS NULL AND created_at < now() - ${days}::int * interval '1 day'`;
}
