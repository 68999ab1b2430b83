import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { parseJson } from "~/platform/json-value";
import { errorNameOf, log } from "~/platform/log.server";
import { hashDatabase, listDatabaseHashes } from "~/platform/spool.server";
import type { Links } from "~/recipients/match-person.server";
import { formatMoment } from "~/ui/moment";
import { Prisma } from "../../prisma/client/client";

/** The record of an erasure without personal data, also in a file, because a restored backup lacks later erasures. */
export interface Erasure {
  id: string;
  actorId: string;
  at: Date;
  links: Links;
  /** Numbers of erased matches by kind. */
  erased: Record<string, number>;
  /** Numbers of proposed matches that were not confirmed. */
  unconfirmed: Record<string, number>;
  /** In the file: one of {@link listDatabaseHashes}. Absent in lines of earlier versions. */
  database?: string;
}

type Stored = Omit<Erasure, "links" | "erased" | "unconfirmed" | "database"> &
  Record<"links" | "erased" | "unconfirmed", string>;

const NO_RECORD =
  "Its personal data is not stored: it has expired, or was erased before erasures were recorded.";
const FILE = "erasures.jsonl";
const COLUMNS = Prisma.sql`id, actor_id AS "actorId", at, links, erased, unconfirmed`;

/** Stores an erasure. @param isDue true when it still has to be applied */
export async function insertErasure(db: Db, erasure: Erasure, isDue = false): Promise<void> {
  const { id, actorId, at, links, erased, unconfirmed } = erasure;
  await db.$executeRaw`
    INSERT INTO erasures (id, actor_id, at, links, erased, unconfirmed, applied_at)
    VALUES (${id}, ${actorId}, ${at}, ${JSON.stringify(links)}, ${JSON.stringify(erased)}, ${JSON.stringify(unconfirmed)},
      CASE WHEN NOT ${isDue}::boolean THEN now() END)
    ON CONFLICT (id) DO NOTHING`;
}

/** Finds the latest erasure of a recipient row; null when none was recorded. */
export async function findErasure(db: Db, rowId: string): Promise<Erasure | null> {
  const rows = await db.$queryRaw<Stored[]>`
    SELECT ${COLUMNS} FROM erasures WHERE jsonb_exists(links::jsonb -> 'rows', ${rowId}) ORDER BY at DESC LIMIT 1`;
  return rows[0] ? parseErasure(rows[0]) : null;
}

/**
 * Says when and by whom something was erased; null where no erasure was recorded and it still has content.
 * @param match the ID of its match: `piece:…`, `response:…`
 */
export async function describeErasure(match: string, isEmpty: boolean): Promise<string | null> {
  const found = await withDatabase(
    (db) => db.$queryRaw<{ at: Date; by: string }[]>`
      SELECT e.at, coalesce(u.display_name, e.actor_id) AS by FROM erasures e LEFT JOIN users u ON u.id = e.actor_id
      WHERE position(${`"${match}"`} IN e.links) > 0 OR position(${`"${match}:`} IN e.links) > 0 ORDER BY e.at DESC LIMIT 1`,
  );
  const [erasure] = found.ok ? found.value : [];
  if (!erasure) return isEmpty ? NO_RECORD : null;
  return `${erasure.by} erased its personal data on ${formatMoment(erasure.at, new Date()).absolute}.`;
}

export async function findDueErasures(db: Db): Promise<Erasure[]> {
  const rows = await db.$queryRaw<Stored[]>`
    SELECT ${COLUMNS} FROM erasures WHERE applied_at IS NULL ORDER BY at FOR UPDATE`;
  return rows.map(parseErasure);
}

export async function markApplied(db: Db, id: string): Promise<void> {
  await db.$executeRaw`UPDATE erasures SET applied_at = now() WHERE id = ${id}`;
}

/**
 * Adds missing erasures of the database to the file. A failure is logged and repaired by the next call. Returns the erasures
 * of the file that this database has lost, as in a failover.
 */
export async function saveErasures(): Promise<Erasure[]> {
  const stored = await withDatabase((db) => db.erasure.findMany({ orderBy: { at: "asc" } }));
  if (!stored.ok) return [];
  const database = hashDatabase();
  try {
    await mkdir(env().spoolFolder, { recursive: true, mode: 0o700 });
    const text = await readErasureFile();
    const inFile = parseErasures(text);
    const kept = new Set(inFile.map(({ id }) => id));
    const lines = stored.value
      .filter(({ id }) => !kept.has(id))
      .map(({ appliedAt, ...row }) => `${JSON.stringify({ ...parseErasure(row), database })}\n`);
    // Separates a line that was cut off.
    const gap = text === "" || text.endsWith("\n") ? "" : "\n";
    if (lines.length > 0)
      await appendFile(join(env().spoolFolder, FILE), gap + lines.join(""), { mode: 0o600 });
    const known = new Set(stored.value.map(({ id }) => id));
    const own = listDatabaseHashes();
    return inFile.filter((erasure) => own.includes(erasure.database ?? "") && !known.has(erasure.id));
  } catch (error) {
    log.error("erasures.not_kept", { errorName: errorNameOf(error) });
    return [];
  }
}

/** Reads the erasures in a file, by default this console's, which may be absent. Skips lines that are cut off. */
export async function readErasures(file?: string): Promise<Erasure[]> {
  return parseErasures(file === undefined ? await readErasureFile() : await readFile(file, "utf8"));
}

async function readErasureFile(): Promise<string> {
  return readFile(join(env().spoolFolder, FILE), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
}

function parseErasures(text: string): Erasure[] {
  return text.split("\n").flatMap((line) => {
    const erasure = parseJson(line) as (Erasure & { at: string }) | undefined;
    return erasure?.links ? [{ ...erasure, at: new Date(erasure.at) }] : [];
  });
}

function parseErasure({ links, erased, unconfirmed, ...row }: Stored): Erasure {
  return {
    ...row,
    links: JSON.parse(links),
    erased: JSON.parse(erased),
    unconfirmed: JSON.parse(unconfirmed),
  };
}
