import {
  capture,
  hold,
  lockPayer,
  release,
  takeWhatIsThere,
  writeDebit,
  writeRelease,
} from "~/credits/holds.server";
import type { Account, Db } from "~/credits/ledger.server";
import { Prisma } from "../../prisma/client/client";
import type { MailType } from "./envelope";
import type { SendState } from "./standing";

/** One live mail send as the table keeps it: the frozen request, and what became of it. */
export interface SendRecord {
  id: string;
  /** Who pays. */
  userId: string;
  /** Who sent it. */
  actorId: string;
  requestHash: string;
  mailType: MailType;
  /** Credits. */
  cost: number;
  charged: number;
  state: SendState;
  method: string;
  path: string;
  url: string;
  /** JSON text of the headers as they went out, without the key. */
  requestHeaders: string;
  requestBody: string;
  providerId: string | null;
  /**
   * Calls begun: 0 while only the hold is booked. Whoever has the lease is told apart by it, so that a process
   * whose lease ran out cannot undo what another one does since.
   */
  attempts: number;
  answerStatus: number | null;
  answerHeaders: string | null;
  /** Masked. */
  answerText: string | null;
  durationMs: number | null;
  note: string | null;
  createdAt: Date;
  settledAt: Date | null;
  /** Whether somebody is at it now. */
  leased: boolean;
  /** Since the first attempt. */
  ageSeconds: number;
}

/** What is known of a send before it goes out. */
export type NewSend = Pick<
  SendRecord,
  | "id"
  | "userId"
  | "actorId"
  | "requestHash"
  | "mailType"
  | "cost"
  | "method"
  | "path"
  | "url"
  | "requestHeaders"
  | "requestBody"
> & { idempotencyKey: string; leaseMs: number };

interface ClaimTerms {
  leaseMs: number;
  limit: number;
  /** Without trailing slashes. */
  baseUrls: string[];
  anyoneAfterSeconds: number;
}

/** The provider's answer as it is kept. */
export interface KeptAnswer {
  status: number | null;
  headers: Record<string, string>;
  text: string | null;
  durationMs: number;
}

const COLUMNS = Prisma.sql`
  id, user_id AS "userId", actor_id AS "actorId", request_hash AS "requestHash", mail_type AS "mailType",
  cost, charged, state, method, path, url, request_headers AS "requestHeaders",
  request_body AS "requestBody", provider_id AS "providerId", attempts, answer_status AS "answerStatus",
  answer_headers AS "answerHeaders", answer_text AS "answerText", duration_ms AS "durationMs", note,
  created_at AS "createdAt", settled_at AS "settledAt", coalesce(lease_until > clock_timestamp(), false) AS leased,
  extract(epoch FROM now() - created_at)::float8 AS "ageSeconds"`;
const ABOUT = Prisma.sql`id, user_id, actor_id, mail_type, cost, charged, provider_id`;
const OPEN = Prisma.sql`state IN ('held', 'unknown', 'needs_review')`;
const MAX_KEPT_CHARS = 1_000_000;

/**
 * Books a send and sets its cost aside in one statement. Null when nothing was booked: the payer cannot pay it,
 * or this person's key has its send already.
 */
export async function openSend(db: Db, send: NewSend): Promise<Account | null> {
  const rows = await db.$queryRaw<Account[]>`
    WITH payer AS (${lockPayer(send.userId, send.cost)}),
    fresh AS (
      INSERT INTO sends (id, user_id, actor_id, idempotency_key, request_hash, mail_type, cost, state, method,
        path, url, request_headers, request_body, attempts, lease_until)
      SELECT ${send.id}, user_id, ${send.actorId}, ${send.idempotencyKey}, ${send.requestHash},
        ${send.mailType}, ${send.cost}::int, 'held', ${send.method}, ${send.path}, ${send.url},
        ${send.requestHeaders}, ${send.requestBody}, 0, ${leaseEnd(send.leaseMs)}
      FROM payer ON CONFLICT (actor_id, idempotency_key) DO NOTHING
      RETURNING ${ABOUT}
    ),
    account AS (${hold("fresh")})
    SELECT balance, held FROM account`;
  return rows[0] ?? null;
}

/**
 * The last step before the first call, from which on the lease runs anew. False: not to be called, because the lease is over or the send was given
 * up. What was never begun is never sent by anyone.
 */
export async function beginSend(db: Db, id: string, leaseMs: number): Promise<boolean> {
  const begun = await db.$executeRaw`
    UPDATE sends SET attempts = 1, lease_until = ${leaseEnd(leaseMs)}
    WHERE id = ${id} AND attempts = 0 AND state = 'held' AND lease_until > clock_timestamp()`;
  return begun === 1;
}

/**
 * A piece that was mailed although a test was asked: booked as accepted, with what the payer has of its cost as
 * debit (money.md §2). Answers what was charged, in credits.
 */
export async function recordUnaskedSend(
  db: Db,
  send: Omit<NewSend, "leaseMs">,
  providerId: string | null,
  answer: KeptAnswer,
  note: string,
): Promise<number> {
  const rows = await db.$queryRaw<{ charged: number }[]>`
    WITH payer AS (
      SELECT user_id, least(${send.cost}::int, balance - held) AS take FROM credit_accounts
      WHERE user_id = ${send.userId} FOR UPDATE
    ),
    fresh AS (
      INSERT INTO sends (id, user_id, actor_id, idempotency_key, request_hash, mail_type, cost, charged, state,
        method, path, url, request_headers, request_body, provider_id, note, settled_at, answer_status,
        answer_headers, answer_text, duration_ms)
      SELECT ${send.id}, user_id, ${send.actorId}, ${send.idempotencyKey}, ${send.requestHash},
        ${send.mailType}, ${send.cost}::int, take, 'accepted', ${send.method}, ${send.path}, ${send.url},
        ${send.requestHeaders}, ${send.requestBody}, ${providerId}::text, ${note}, now(),
        ${answer.status}::int, ${JSON.stringify(answer.headers)}, ${keepText(answer.text)}::text,
        ${answer.durationMs}::int
      FROM payer RETURNING ${ABOUT}
    ),
    account AS (${takeWhatIsThere("fresh")}),
    entry AS (${writeDebit("fresh", "account", "charged")})
    SELECT charged FROM fresh`;
  return rows[0]?.charged ?? 0;
}

/** The send that this person's key stands for, or null. */
export async function findSendByKey(db: Db, actorId: string, key: string): Promise<SendRecord | null> {
  const rows = await db.$queryRaw<SendRecord[]>`
    SELECT ${COLUMNS} FROM sends WHERE actor_id = ${actorId} AND idempotency_key = ${key}`;
  return rows[0] ?? null;
}

/** A send by its id, or null. */
export async function findSend(db: Db, id: string): Promise<SendRecord | null> {
  const rows = await db.$queryRaw<SendRecord[]>`SELECT ${COLUMNS} FROM sends WHERE id = ${id}`;
  return rows[0] ?? null;
}

/**
 * Takes over open sends whose lease ran out, so many at most; whoever gets one has it alone for `leaseMs`,
 * among any number of processes. One that goes to no base URL of `baseUrls` is left to processes that know its base,
 * until it is `anyoneAfterSeconds` old.
 */
export async function claimDueSends(
  db: Db,
  { leaseMs, limit, baseUrls, anyoneAfterSeconds }: ClaimTerms,
): Promise<SendRecord[]> {
  const known = baseUrls.map((url) => Prisma.sql`starts_with(url, ${`${url}/`})`);
  return db.$queryRaw<SendRecord[]>`
    WITH due AS MATERIALIZED (
      SELECT id AS due_id FROM sends WHERE state IN ('held', 'unknown') AND lease_until <= clock_timestamp()
        AND (${Prisma.join(known, " OR ")}
          OR created_at < now() - ${anyoneAfterSeconds}::float8 * interval '1 second')
      ORDER BY lease_until LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    )
    UPDATE sends SET lease_until = ${leaseEnd(leaseMs)},
      attempts = CASE WHEN attempts = 0 THEN 0 ELSE attempts + 1 END
    FROM due WHERE id = due_id
    RETURNING ${COLUMNS}`;
}

/**
 * The piece exists: takes the held credits and writes the one debit. `decision` is a person's word for it.
 * Null when the send was settled before.
 */
export async function acceptSend(
  db: Db,
  id: string,
  providerId: string | null,
  answer: KeptAnswer | null,
  decision: { actorId: string; note: string } | null = null,
): Promise<Account | null> {
  const rows = await db.$queryRaw<Account[]>`
    WITH done AS (
      UPDATE sends SET state = 'accepted', charged = cost, provider_id = ${providerId}::text, lease_until = NULL,
        note = ${decision?.note ?? null}::text, settled_at = now() ${setAnswer(answer)}
      WHERE id = ${id} AND ${OPEN} RETURNING ${ABOUT}
    ),
    account AS (${capture("done")}),
    entry AS (${writeDebit("done", "account", "cost", decision?.actorId)})
    SELECT balance, held FROM account`;
  return rows[0] ?? null;
}

/**
 * No piece exists, says who made the call number `attempts`: gives the held credits back. Null when the send was
 * settled before, or another call was begun since.
 */
export async function refuseSend(
  db: Db,
  { id, attempts }: Pick<SendRecord, "id" | "attempts">,
  note: string | null,
  answer: KeptAnswer | null,
): Promise<Account | null> {
  const rows = await db.$queryRaw<Account[]>`
    WITH done AS (${markRefused(id, note, answer, Prisma.sql`AND attempts = ${attempts}::int`)}),
    account AS (${release("done")})
    SELECT balance, held FROM account`;
  return rows[0] ?? null;
}

/** The same by a person's word, which the ledger keeps. */
export async function releaseByDecision(
  db: Db,
  id: string,
  actorId: string,
  note: string,
): Promise<Account | null> {
  const rows = await db.$queryRaw<Account[]>`
    WITH done AS (${markRefused(id, note, null, Prisma.sql`AND state = 'needs_review'`)}),
    account AS (${release("done")}),
    entry AS (${writeRelease("done", "account", actorId, note)})
    SELECT balance, held FROM account`;
  return rows[0] ?? null;
}

/** Not known after call number `attempts`: the credits stay held, and the next look is `waitSeconds` from now. */
export async function postponeSend(
  db: Db,
  { id, attempts }: Pick<SendRecord, "id" | "attempts">,
  waitSeconds: number,
  note: string,
  answer: KeptAnswer | null = null,
): Promise<void> {
  await db.$executeRaw`
    UPDATE sends SET state = 'unknown', note = ${keepText(note)},
      lease_until = clock_timestamp() + ${waitSeconds}::float8 * interval '1 second' ${setAnswer(answer)}
    WHERE id = ${id} AND attempts = ${attempts}::int AND state IN ('held', 'unknown')`;
}

/** Nothing can tell any more but a person; the credits stay held. */
export async function askForReview(db: Db, id: string, note: string): Promise<void> {
  await db.$executeRaw`
    UPDATE sends SET state = 'needs_review', note = ${note}, lease_until = NULL
    WHERE id = ${id} AND state IN ('held', 'unknown')`;
}

function markRefused(
  id: string,
  note: string | null,
  answer: KeptAnswer | null,
  condition: Prisma.Sql,
): Prisma.Sql {
  return Prisma.sql`
    UPDATE sends SET state = 'refused', note = ${keepText(note)}::text, lease_until = NULL, settled_at = now()
      ${setAnswer(answer)}
    WHERE id = ${id} AND ${OPEN} ${condition} RETURNING ${ABOUT}`;
}

function setAnswer(answer: KeptAnswer | null): Prisma.Sql {
  if (answer === null) return Prisma.empty;
  return Prisma.sql`, answer_status = ${answer.status}::int, answer_text = ${keepText(answer.text)}::text,
    answer_headers = ${JSON.stringify(answer.headers)}::text, duration_ms = ${answer.durationMs}::int`;
}

/** NUL is the one character that the database's text cannot hold. */
function keepText(text: string | null): string | null {
  return text === null ? null : text.slice(0, MAX_KEPT_CHARS).replaceAll("\u0000", "\ufffd");
}

function leaseEnd(leaseMs: number): Prisma.Sql {
  // Not now(): that is when the statement began, and it may have waited for a lock since.
  return Prisma.sql`clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'`;
}
