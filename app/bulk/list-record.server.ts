import { randomUUID } from "node:crypto";
import { ensureViewerStored } from "~/people/stored-user.server";
import { checkActsFor, type Viewer } from "~/people/viewer.server";
import type { MailType } from "~/pieces/mail-type";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { type Failed, fail, type Outcome, type ValueOf } from "~/platform/outcome";
import { formatMoment } from "~/ui/moment";
import { Prisma, type PrismaClient, type BulkList as StoredList } from "../../prisma/client/client";
import { type ListState, type ListTemplate, TEST_DAYS } from "./bulk-list";
import { NO_LIST } from "./messages";

/** A list without its template. Its columns are explained in the schema. */
export interface BulkList
  extends Pick<
    StoredList,
    | ("id" | "actorId" | "userId" | "name" | "country" | "version" | "reservationId" | "note" | "approvedBy")
    | ("createdAt" | "startedAt" | "endedAt" | "erasedAt" | "restoredAt" | "cancelActorId")
    | ("checkingAddresses" | "starterEmail")
  > {
  /** The person who reserved its credits and counts as the actor of its pieces; its maker until it is started. */
  starterId: string;
  mailType: MailType;
  state: ListState;
  columns: string[];
  mapping: string[];
  /** True when its columns were tested in the last {@link TEST_DAYS} days. */
  tested: boolean;
  /** When the first row is sent, for a start that can still be undone or needs approval; else null. An earlier start has `startedAt`. */
  startsAt: Date | null;
  /** The last start for which approval was requested. */
  approval: { askedBy: string; askedAt: string; rows: number; hash: string } | null;
  /** Import progress; null when no import runs. */
  importPercent: number | null;
  /** True when the process of an import is gone. */
  importLost: boolean;
}

/** An import that stores nothing for this time is lost. */
const LOST_SECONDS = 60;
const LOCKED_LIMIT_MS = 30_000;

const COLUMNS = Prisma.sql`
  l.id, l.actor_id AS "actorId", coalesce((SELECT r.actor_id FROM credit_reservations r WHERE r.id = l.reservation_id), l.actor_id) AS "starterId", l.user_id AS "userId", l.name, l.mail_type AS "mailType", l.state, l.columns::json, l.mapping::json,
  l.country, l.version, l.reservation_id AS "reservationId", l.note,
  l.created_at AS "createdAt", CASE WHEN l.started_at <= clock_timestamp() THEN l.started_at END AS "startedAt", l.ended_at AS "endedAt",
  CASE WHEN l.state IN ('awaiting_approval', 'running') AND l.starts_at > clock_timestamp() THEN l.starts_at END AS "startsAt",
  l.erased_at AS "erasedAt", l.restored_at AS "restoredAt", l.cancel_actor_id AS "cancelActorId", l.approved_by AS "approvedBy",
  CASE WHEN l.approval_asked_by IS NOT NULL THEN json_build_object('askedBy', l.approval_asked_by, 'askedAt', l.approval_asked_at,
    'rows', l.approval_rows, 'hash', l.approval_hash) END AS approval,
  l.checking_addresses AS "checkingAddresses",
  coalesce(l.tested_version = l.version AND l.tested_at > clock_timestamp() - ${TEST_DAYS}::int * interval '1 day', false) AS tested,
  coalesce(l.starter_email, (SELECT u.email FROM credit_reservations r JOIN users u ON u.id = r.actor_id
    WHERE r.id = l.reservation_id)) AS "starterEmail",
  CASE WHEN l.import_at > clock_timestamp() - ${LOST_SECONDS}::int * interval '1 second'
    THEN least(100, 100.0 * l.import_done / greatest(l.import_total, 1))::int END AS "importPercent",
  coalesce(l.import_at <= clock_timestamp() - ${LOST_SECONDS}::int * interval '1 second', false) AS "importLost"`;

export async function createList(
  { template, mailType, userId }: { template: ListTemplate; mailType: MailType; userId: string | null },
  viewer: Viewer,
): Promise<Outcome<string>> {
  const id = randomUUID();
  const payer = userId ?? viewer.id;
  const acts = checkActsFor(viewer, payer);
  if (!acts.ok) return acts;
  return withDatabase(async (db) => {
    await ensureViewerStored(db, viewer);
    await db.$executeRaw`
      INSERT INTO bulk_lists (id, actor_id, user_id, name, mail_type, design, country)
      VALUES (${id}, ${viewer.id}, ${payer}, ${`New ${mailType} list`}, ${mailType}, ${JSON.stringify(template)}, ${template.home})`;
    return id;
  });
}

interface ListRow extends Pick<BulkList, "id" | "name" | "mailType" | "state" | "createdAt"> {
  by: string;
  rows: number;
  sent: number;
}
export type ListEntry = ValueOf<typeof loadLists>[number];

const MOST_LISTED = 100;

export function loadLists(now: Date) {
  return withDatabase(async (db) => {
    const lists = await db.$queryRaw<ListRow[]>`
      SELECT l.id, l.name, l.mail_type AS "mailType", l.state, coalesce(u.display_name, l.actor_id) AS by,
        l.created_at AS "createdAt", r.rows, r.sent
      FROM (SELECT * FROM bulk_lists ORDER BY created_at DESC, id LIMIT ${MOST_LISTED}::int) l
        LEFT JOIN users u ON u.id = l.actor_id
        CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE state <> 'left_out')::int AS rows,
          count(*) FILTER (WHERE state = 'sent')::int AS sent FROM bulk_rows WHERE list_id = l.id) r
      ORDER BY l.created_at DESC, l.id`;
    return lists.map((list) => ({ ...list, createdAt: formatMoment(list.createdAt, now) }));
  });
}

export async function findList(db: Db, id: string): Promise<BulkList | null> {
  const [list] = await db.$queryRaw<BulkList[]>`SELECT ${COLUMNS} FROM bulk_lists l WHERE l.id = ${id}`;
  return list ?? null;
}

/** Finds a list and locks it until the transaction ends. */
export async function lockList(tx: Db, id: string): Promise<BulkList | null> {
  await tx.$queryRaw`SELECT 1 FROM bulk_lists WHERE id = ${id} FOR UPDATE`;
  return findList(tx, id);
}

/** Finds a list. Fails with `not_found`. */
export function loadList(id: string): Promise<Outcome<BulkList>> {
  return withList(id, async (_, list) => list);
}

/** Runs `work` on a list. Fails with `not_found`. */
export function withList<T>(id: string, work: (db: PrismaClient, list: BulkList) => Promise<T | Failed>) {
  return withDatabase(async (db) => {
    const list = await findList(db, id);
    return list ? work(db, list) : fail("not_found", NO_LIST);
  });
}

/** {@link withList} in a transaction that has the list locked. A failure does not undo what `work` changed. */
export function withLockedList<T>(id: string, work: (tx: Db, list: BulkList) => Promise<T | Failed>) {
  return withDatabase((db) =>
    db.$transaction(
      async (tx) => {
        const list = await lockList(tx, id);
        return list ? work(tx, list) : fail("not_found", NO_LIST);
      },
      { timeout: LOCKED_LIMIT_MS },
    ),
  );
}

export function deleteDraft(id: string): Promise<Outcome<string>> {
  return withDatabase(async (db) => {
    const deleted = await db.$executeRaw`
      DELETE FROM bulk_lists WHERE id = ${id} AND state = 'draft' AND started_at IS NULL
        AND (import_at IS NULL OR import_at < clock_timestamp() - ${LOST_SECONDS}::int * interval '1 second')`;
    return deleted === 1
      ? "The draft was deleted."
      : fail("in_progress", "Only a draft can be deleted, and not during an import. Nothing was deleted.");
  });
}

export function isInState(states: readonly ListState[]): Prisma.Sql {
  return Prisma.sql`state = ANY(${[...states]}::text[])`;
}
