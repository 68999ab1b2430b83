import { openAlarm } from "~/alarms/alarm-record.server";
import { findBaseOf } from "~/outside/mail-provider/call/address.server";
import { listPieces } from "~/outside/mail-provider/reporting.server";
import { deriveSendId } from "~/pieces/send/send-record.server";
import { parseSendId } from "~/pieces/send-tag";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { DAY_MS, formatIsoDay } from "~/platform/time";
import type { PrismaClient } from "../../../prisma/client/client";
import { findList } from "../list-record.server";
import { loadListTemplate } from "../list-template.server";
import { NO_LIST, ROWS_END_FIRST } from "../messages";
import { formatKey } from "./claim-rows.server";

const MAILED_BEFORE_RESTORE = "The provider already has this piece: it was mailed after the backup was made.";
const RESTORED_NOTE =
  "This list was running when its backup was made. Resume compares it with the provider's list and leaves out what was mailed.";

/**
 * SQL that pauses the running lists of a backup within the transaction of the restore, so that no console sends their rows. It runs on the
 * tables of the backup's version, which may be older than lists.
 */
export const PAUSE_RESTORED_LISTS = `DO $$ BEGIN
  IF to_regclass('bulk_lists') IS NOT NULL THEN
    UPDATE bulk_lists SET state = 'paused', note = '${RESTORED_NOTE.replaceAll("'", "''")}', next_at = NULL WHERE state = 'running';
  END IF;
END $$`;

/** Opens an alarm for each list that {@link PAUSE_RESTORED_LISTS} paused. No list starts before its rows are compared. */
export function markRestoredLists(db: PrismaClient): Promise<number> {
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`UPDATE bulk_lists SET restored_at = clock_timestamp() WHERE erased_at IS NULL`;
    const paused = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM bulk_lists WHERE state = 'paused' AND note = ${RESTORED_NOTE}`;
    for (const { id } of paused) {
      await openAlarm(tx, { kind: "list_paused", subject: { type: "list", id }, text: RESTORED_NOTE });
    }
    return paused.length;
  });
}

/** Limit for reading the provider's list; a request may take 30 s. */
const LIST_TIME_MS = 20_000;
/** The provider's days may be in another time zone. */
const PAD_MS = 2 * DAY_MS;
/** Attempts after the backup that are searched: a row may have been sent again, and its key freed. */
const LATER_TRIES = 3;

/**
 * Leaves out the rows of a restored list whose piece the provider has and our books lost. Returns their number. Fails while a row
 * is being sent. @param starterId the person who starts or resumes it
 */
export async function leaveOutMailed(id: string, starterId: string): Promise<Outcome<number>> {
  const loaded = await withDatabase(async (db) => {
    const list = await findList(db, id);
    if (!list) return fail("not_found", NO_LIST);
    if (!list.restoredAt) return { list };
    // Only pieces younger than the backup's last one can be missing.
    const [last] = await db.$queryRaw<{ at: Date | null; underWay: boolean }[]>`
      SELECT max(created_at) AS at, EXISTS (SELECT 1 FROM bulk_rows WHERE list_id = ${id} AND state = 'sending') AS "underWay"
      FROM sends WHERE created_at < ${list.restoredAt}::timestamptz`;
    return { list, last, template: await loadListTemplate(db, id) };
  });
  if (!loaded.ok) return loaded;
  const { list, last, template } = loaded.value;
  if (!last || !template) return succeed(0);
  if (last.underWay) return fail("in_progress", ROWS_END_FIRST);
  const base = findBaseOf(`${template.baseUrl}/`);
  if (!base) return fail("provider_unreachable", formatNotCompared(`${template.baseUrl} is not configured.`));
  const days = {
    from: formatIsoDay((last.at ?? list.createdAt).getTime() - PAD_MS),
    to: formatIsoDay(Date.now() + PAD_MS),
  };
  const { pieces, problem } = await listPieces(base, days, performance.now() + LIST_TIME_MS);
  if (problem) return fail("provider_unreachable", formatNotCompared(problem.reason));
  const listed = new Set(pieces.flatMap(({ tags }) => parseSendId(tags) ?? []));
  const starters = new Set([list.starterId, list.actorId, list.approval?.askedBy ?? starterId, starterId]);
  return withDatabase((db) =>
    db.$transaction(async (tx) => {
      const mailed = await findLost(tx, id, listed, [...starters]);
      const leftOut = await tx.$executeRaw`
        UPDATE bulk_rows SET state = 'left_out', problem = ${MAILED_BEFORE_RESTORE}, problem_code = NULL
        WHERE list_id = ${id} AND number = ANY(${mailed}::int[]) AND state IN ('ready', 'problem', 'refused')`;
      await tx.$executeRaw`UPDATE bulk_lists SET restored_at = NULL WHERE id = ${id}`;
      return leftOut;
    }),
  );
}

/** Lists numbers of rows with a listed piece that is not in our books. The id of a piece follows from its row's key. */
async function findLost(db: Db, id: string, listed: ReadonlySet<string>, starters: readonly string[]) {
  const ours = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM sends WHERE id = ANY(${[...listed]}::text[])`;
  const known = new Set(ours.map((send) => send.id));
  const lost = new Set([...listed].filter((sendId) => !known.has(sendId)));
  if (lost.size === 0) return [];
  const rows = await db.$queryRaw<{ number: number; attempt: number }[]>`
    SELECT number, attempt FROM bulk_rows WHERE list_id = ${id} AND state <> 'sent'`;
  const tries = Array.from({ length: LATER_TRIES }, (_, at) => at);
  const isLost = (key: string) =>
    starters.some((starter) => tries.some((freed) => lost.has(deriveSendId(starter, key, freed))));
  return rows.flatMap(({ number, attempt }) => {
    const keys = tries.map((later) => formatKey({ listId: id, number, attempt: attempt + later }));
    return keys.some(isLost) ? [number] : [];
  });
}

function formatNotCompared(reason: string): string {
  return `The list came from a backup and could not be compared with the provider's list: ${reason} Nothing was sent; try again.`;
}
