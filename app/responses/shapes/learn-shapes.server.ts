import { openAlarm } from "~/alarms/alarm-record.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { sha256 } from "~/platform/hash.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { succeed } from "~/platform/outcome";
import type { StoredResponse } from "../../../prisma/client/client";
import { describeShape, findChanges, isLearning, type SeenShape, type Shape } from "./answer-shape";

interface StoredAnswer extends Pick<StoredResponse, "id" | "method" | "path" | "mode"> {
  /** The time as PostgreSQL formats it, for use in the next query. */
  at: string;
  preset: string;
  text: string;
}

interface StoredShape extends SeenShape {
  call: string;
  hash: string;
  /** False for a differing shape that was seen too rarely. */
  known: boolean;
  newestId: string;
  newestAt: string;
}

/** Limit of an answer; larger ones are lists of equal things. */
const MOST_CHARS = 128 * 1024;
/** Limit of shapes of a call; with more it has none. */
const MOST_SHAPES = 100;
/** Number of answers after which a change is reported. */
const TIMES = 3;
const FIRST_DAYS = 30;
/** Waits for open transactions: an answer stored later with an earlier time would be skipped. */
const DELAY = "20 seconds";
/** Marks the row with the time up to which answers were read. */
const READ_UP_TO = "";

/** Learns the shapes of the provider's successful answers. A change that three answers of a call have opens an alarm, once. */
export const learnShapes: BackgroundTask = {
  name: "learn_shapes",
  batchSize: 200,
  atOnce: 1,
  claim: (limit) => withDatabase((db) => db.$transaction((tx) => learn(tx, limit))),
  work: async () => succeed(null),
};

async function learn(tx: Db, limit: number): Promise<StoredAnswer[]> {
  const [lock] = await tx.$queryRaw<{ taken: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended('answer shapes', 0)) AS taken`;
  if (!lock?.taken) return [];
  const answers = await listAnswers(tx, limit);
  if (answers.length === 0) return [];
  const shapes = await loadShapes(tx, [...new Set(answers.map(formatCall))]);
  const changed = new Set<StoredShape>();
  for (const answer of answers) {
    const parsed = parseJson(answer.text);
    const call = formatCall(answer);
    const all = shapes.get(call) ?? [];
    shapes.set(call, all);
    if (parsed === undefined || parseRecord(parsed).success === false) continue;
    const seen = addAnswer(all, call, answer, describeShape(parsed));
    if (!seen) continue;
    changed.add(seen);
    if (!seen.known) for (const shape of await reportChange(tx, all, seen)) changed.add(shape);
  }
  const last = answers.at(-1);
  const readUpTo = { call: READ_UP_TO, hash: "", lines: [], times: 0, known: true };
  if (last) changed.add({ ...readUpTo, newestId: last.id, newestAt: last.at });
  await storeShapes(tx, [...changed]);
  return answers;
}

/** Counts an answer under its shape; null when the call has too many of them. */
function addAnswer(all: StoredShape[], call: string, answer: StoredAnswer, lines: Shape): StoredShape | null {
  const { id, at } = answer;
  const hash = sha256(lines.join("\n")).slice(0, 32);
  const found = all.find((shape) => shape.hash === hash);
  const seen = found ?? { call, hash, lines, times: 0, known: false, newestId: id, newestAt: at };
  if (!found) {
    if (all.length >= MOST_SHAPES) return null;
    const known = all.filter((shape) => shape.known);
    seen.known = isLearning(known) || findChanges(known, lines).length === 0;
    all.push(seen);
  }
  Object.assign(seen, { times: seen.times + 1, newestId: id, newestAt: at });
  return seen;
}

/** Opens an alarm when enough answers have a change of this shape. Returns the shapes that are now known. */
async function reportChange(tx: Db, all: readonly StoredShape[], seen: StoredShape): Promise<StoredShape[]> {
  const known = all.filter((shape) => shape.known);
  const others = all.filter((shape) => !shape.known);
  const changes = findChanges(known, seen.lines).filter((change) => {
    const having = others.filter(({ lines }) => findChanges(known, lines).includes(change));
    return having.reduce((sum, { times }) => sum + times, 0) >= TIMES;
  });
  if (changes.length === 0) return [];
  const before = known.reduce((a, b) => (b.newestAt > a.newestAt ? b : a), known[0] ?? seen);
  await openAlarm(tx, {
    kind: "answers_changed",
    subject: { type: "system", id: seen.call },
    text: `The answers of ${seen.call} changed: ${changes.slice(0, 10).join("; ")}.`,
    facts: { compare: `/stored/compare?${new URLSearchParams({ a: before.newestId, b: seen.newestId })}` },
    once: true,
  });
  for (const shape of others) shape.known = true;
  return others;
}

/** Names a call by its preset, else by its path without IDs; tests are named apart. */
function formatCall({ method, path, preset, mode }: StoredAnswer): string {
  const [address = ""] = path.split("?");
  const place = address.replace(/[^/]*\d[^/]*/g, ":id");
  return [method, preset === "custom" ? place : preset, ...(mode === "test" ? ["(test)"] : [])].join(" ");
}

function listAnswers(tx: Db, limit: number): Promise<StoredAnswer[]> {
  return tx.$queryRaw<StoredAnswer[]>`
    SELECT r.id, r.created_at::text AS at, r.method, r.path, r.endpoint_preset AS preset, r.mode, b.response_data AS text
    FROM responses r JOIN response_bodies b ON b.response_id = r.id,
      (SELECT coalesce(max(newest_at), now() - ${FIRST_DAYS}::int * interval '1 day') AS at, coalesce(max(newest_id), '') AS id
        FROM answer_shapes WHERE call = ${READ_UP_TO}) up_to
    WHERE r.deleted_at IS NULL AND r.kind = 'auto' AND r.status_code BETWEEN 200 AND 299
      AND (r.created_at, r.id) > (up_to.at, up_to.id) AND r.created_at < now() - ${DELAY}::interval
      AND length(b.response_data) < ${MOST_CHARS}::int
    ORDER BY r.created_at, r.id LIMIT ${limit}::int`;
}

async function loadShapes(tx: Db, calls: readonly string[]): Promise<Map<string, StoredShape[]>> {
  const rows = await tx.$queryRaw<(Omit<StoredShape, "lines"> & { lines: string })[]>`
    SELECT call, hash, lines, times, known, newest_id AS "newestId", newest_at::text AS "newestAt"
    FROM answer_shapes WHERE call = ANY(${[...calls]}::text[])`;
  const shapes = new Map(calls.map((call): [string, StoredShape[]] => [call, []]));
  for (const row of rows) shapes.get(row.call)?.push({ ...row, lines: row.lines.split("\n") });
  return shapes;
}

function storeShapes(tx: Db, shapes: readonly StoredShape[]): Promise<number> {
  const rows = shapes.map((shape) => ({ ...shape, lines: shape.lines.join("\n") }));
  return tx.$executeRaw`
    INSERT INTO answer_shapes (call, hash, lines, times, known, newest_id, newest_at)
    SELECT call, hash, lines, times, known, "newestId", "newestAt"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS shape (call text, hash text, lines text, times int, known boolean,
      "newestId" text, "newestAt" timestamptz)
    ON CONFLICT (call, hash) DO UPDATE SET times = EXCLUDED.times, known = EXCLUDED.known, newest_id = EXCLUDED.newest_id,
      newest_at = EXCLUDED.newest_at`;
}
