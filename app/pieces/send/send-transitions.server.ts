import {
  charge,
  chargeAvailable,
  hold,
  holdReserved,
  lockPayer,
  lockReservation,
  release,
  returnToReservation,
  writeDebit,
  writeRelease,
} from "~/credits/ledger/credit-parts.server";
import type { Account } from "~/credits/ledger/ledger.server";
import { currentFingerprint } from "~/outside/mail-provider/call/keys.server";
import type { Db } from "~/platform/database/client";
import { parseJson } from "~/platform/json-value";
import type { Addressee } from "~/recipients/addressee.server";
import { insertNamedRecipients } from "~/recipients/record-recipients.server";
import { Prisma } from "../../../prisma/client/client";
import {
  BASE_URL,
  type PieceFacts,
  parsePieceFacts,
  recordFirstEvent,
  recordItem,
  SEND_COLUMNS,
} from "../item-record.server";
import { leaseEnd } from "../lease.server";
import { type KeptAnswer, recordEvent, toStoredText } from "../piece-events.server";
import { listKeyFreeingCauses, type ReleaseCause, type Transition } from "../states";
import { CANCELLED } from "../status";
import { isStateBefore, setStateAfter, stateAfter } from "../transition-sql.server";
import type { NewSend, UnexpectedSend } from "./piece-order.server";
import type { SendRecord } from "./send-record.server";

/** A send and its reservation; null for any. */
export type Reserved = Pick<SendRecord, "id"> & { reservation: string | null };
/** A send after call number `attempts`, and the reservation of a first call; null for any. */
export type Called = Pick<SendRecord, "id" | "attempts"> & { reservation?: string | null };

/** The actor, as `toActorId` writes it. */
const ACTOR = Prisma.sql`actor_id || coalesce(' via ' || via, '') AS actor_id`;
const ABOUT = Prisma.sql`id, user_id, ${ACTOR}, mail_type, cost, charged, provider_id, attempts,
  credit_reservation_id, ${SEND_COLUMNS}`;
const ADDRESSEE = Prisma.sql`recipient_id, recipient_name, recipient_email, recipient_place, recipient_key, search_text`;
/** Status of an item that only a person reported as mailed. */
const SENT = "sent";
export const RECEIVED = "received";
const MAX_KEPT_CHARS = 1_000_000;
/** The actor of transitions by the provider's answer. */
const PROVIDER = "provider";

/**
 * Stores a new piece and holds its cost in one statement, from the reservation of its list if it has one. Null when
 * nothing was stored: payer or reservation cannot pay, the person's key has its piece, or the id had one whose key
 * was freed.
 */
export async function reserveSend(db: Db, send: NewSend): Promise<Account | null> {
  const { creditReservationId, userId, cost } = send;
  const payer =
    creditReservationId === null
      ? lockPayer(userId, cost)
      : lockReservation(creditReservationId, userId, cost);
  const rows = await db.$queryRaw<Account[]>`
    WITH payer AS (${payer}),
    fresh AS (
      INSERT INTO sends (id, user_id, actor_id, via, idempotency_key, request_hash, mail_type, cost, state, method,
        path, url, request_headers, request_body, tested_piece_id, attempts, lease_until, unsaved_request, address_check, piece_hash,
        key_fingerprint, reservation, credit_reservation_id, ${ADDRESSEE})
      SELECT ${send.id}, user_id, ${send.actorId}, ${send.via}::text, ${send.idempotencyKey}, ${send.requestHash},
        ${send.mailType}, ${send.cost}::int, ${stateAfter("reserve")}, ${send.method}, ${send.path}, ${send.url},
        ${send.requestHeaders}, ${send.requestBody}, ${send.testedPieceId}::text, 0, ${leaseEnd(send.leaseMs)},
        ${send.unsavedRequest}::text, ${send.addressCheck}::text, ${send.pieceHash}::text,
        ${currentFingerprint()}::text, ${send.reservation}, ${creditReservationId}::text, ${toValues(send.addressee)}
      FROM payer ON CONFLICT DO NOTHING
      RETURNING ${ABOUT}
    ),
    account AS (${creditReservationId === null ? hold("fresh") : holdReserved("fresh")}),
    history AS (${recordEvent("fresh", "reserve", { actorId: Prisma.sql`p.actor_id`, credits: "cost" })})
    SELECT balance, held FROM account`;
  return rows[0] ?? null;
}

/**
 * Begins the first call and renews the lease. False when it must not be called: the lease is over, the send was
 * released, or its row has another reservation. A send that was never begun is never sent.
 * @param send `reservation` null for any
 */
export async function beginSend(db: Db, { id, reservation }: Reserved, leaseMs: number): Promise<boolean> {
  const begun = await db.$executeRaw`
    WITH done AS (
      UPDATE sends SET ${setStateAfter("begin")}, lease_until = ${leaseEnd(leaseMs)}, called_at = clock_timestamp()
      WHERE id = ${id} AND ${isStateBefore("begin")} AND ${isReservedAs(reservation)} AND lease_until > clock_timestamp()
      RETURNING id, ${ACTOR}, attempts, provider_id
    )
    ${recordEvent("done", "begin", { actorId: Prisma.sql`p.actor_id` })}`;
  return begun === 1;
}

/**
 * Stores a piece that was mailed without a hold, because it was a test or its record was lost: accepted, charged as
 * far as the balance allows. Returns the charge in credits.
 */
export async function recordUnexpectedSend(
  db: Db,
  send: UnexpectedSend,
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
      INSERT INTO sends (id, user_id, actor_id, via, idempotency_key, request_hash, mail_type, cost, charged, state,
        method, path, url, request_headers, request_body, provider_id, note, settled_at, answer_status,
        answer_headers, answer_text, duration_ms, key_fingerprint, piece_hash, ${ADDRESSEE})
      SELECT ${send.id}, user_id, ${send.actorId}, ${send.via ?? null}::text, ${send.idempotencyKey}, ${send.requestHash},
        ${send.mailType}, ${send.cost}::int, take, ${stateAfter("recordUnexpected")}, ${send.method}, ${send.path}, ${send.url},
        ${send.requestHeaders}, ${send.requestBody}, ${providerId}::text, ${note}, now(),
        ${answer.status}::int, ${JSON.stringify(answer.headers)}, ${toStoredText(answer.text, MAX_KEPT_CHARS)}::text,
        ${answer.durationMs}::int, ${currentFingerprint()}::text, ${send.pieceHash ?? null}::text, ${toValues(send.addressee)}
      FROM payer RETURNING ${ABOUT}
    ),
    account AS (${chargeAvailable("fresh")}),
    entry AS (${writeDebit("fresh", "account", "charged")}),
    history AS (${recordEvent("fresh", "recordUnexpected", { actorId: PROVIDER, credits: "charged", note, answer })}),
    ${recordPiece("fresh", parseFacts(answer))}
    SELECT charged FROM fresh`;
  return rows[0]?.charged ?? 0;
}

/**
 * Accepts a piece: charges the held credits and writes the one debit. `decision` is set when a person says so, or an
 * event by which the provider has it as `status`. Null when the send was settled before.
 */
export async function acceptSend(
  db: Db,
  id: string,
  providerId: string | null,
  answer: KeptAnswer | null,
  decision: { actorId: string; note: string; status?: string } | null = null,
): Promise<Account | null> {
  const rows = await db.$queryRaw<Account[]>`
    WITH done AS (
      UPDATE sends SET ${setStateAfter("accept")}, charged = cost, provider_id = ${providerId}::text, lease_until = NULL,
        note = ${decision?.note ?? null}::text, settled_at = now() ${setAnswer(answer)}
      WHERE id = ${id} AND ${isStateBefore("accept")} RETURNING ${ABOUT}
    ),
    account AS (${charge("done")}),
    entry AS (${writeDebit("done", "account", "cost", decision?.actorId)}),
    history AS (${recordEvent("done", "accept", { ...toDecider(decision), credits: "charged", answer })}),
    ${recordPiece("done", parseFacts(answer, decision?.status))}
    SELECT balance, held FROM account`;
  return rows[0] ?? null;
}

/**
 * Refuses a piece after call number `attempts`: releases the held credits. Null when the send was settled before, or
 * another call was begun since.
 * @param cause stored as `given_up` if a person ended the retries: that decision outlives the provider's later
 * answers
 */
export async function refuseSend(
  db: Db,
  { id, attempts, reservation = null }: Called,
  note: string | null,
  answer: KeptAnswer | null,
  cause: Exclude<ReleaseCause, "given_up" | "decided">,
): Promise<Account | null> {
  const set = Prisma.sql`CASE WHEN given_up_at IS NULL THEN ${cause} ELSE 'given_up' END`;
  const condition = Prisma.sql`AND attempts = ${attempts}::int AND ${isReservedAs(reservation)}`;
  const rows = await db.$queryRaw<Account[]>`
    WITH done AS (${markRefused("refuse", id, note, answer, set, condition)}),
    history AS (${recordEvent("done", "refuse", { actorId: answer ? PROVIDER : "system", credits: "cost", note, answer })}),
    returned AS (${returnToReservation("done")}),
    account AS (${release("done", "returned")})
    SELECT balance, held FROM account`;
  return rows[0] ?? null;
}

/** Refuses a piece by a person's decision, which the ledger stores. */
export async function decideNotMailed(db: Db, id: string, actorId: string, note: string) {
  const rows = await db.$queryRaw<Account[]>`
    WITH done AS (${markRefused("decideNotMailed", id, note, null, Prisma.sql`'decided'`)}),
    history AS (${recordEvent("done", "decideNotMailed", { actorId, source: "person", credits: "cost", note })}),
    returned AS (${returnToReservation("done")}),
    account AS (${release("done", "returned")}),
    entry AS (${writeRelease("done", "account", actorId, note)})
    SELECT balance, held FROM account`;
  return rows[0] ?? null;
}

/**
 * Stores that the outcome of call number `attempts` is unknown: the credits stay held, and the next check is in
 * `waitSeconds`.
 * @param calledSecondsAgo the last call that may have been carried out; null to leave it as stored
 */
export async function postponeSend(
  db: Db,
  { id, attempts, reservation = null }: Called,
  waitSeconds: number,
  note: string,
  answer: KeptAnswer | null = null,
  calledSecondsAgo: number | null = null,
): Promise<void> {
  await db.$executeRaw`
    WITH done AS (
      UPDATE sends SET ${setStateAfter("postpone")}, note = ${toStoredText(note, MAX_KEPT_CHARS)},
        called_at = coalesce(clock_timestamp() - ${calledSecondsAgo}::float8 * interval '1 second', called_at),
        lease_until = clock_timestamp() + ${waitSeconds}::float8 * interval '1 second' ${setAnswer(answer)}
      WHERE id = ${id} AND attempts = ${attempts}::int AND ${isReservedAs(reservation)} AND ${isStateBefore("postpone")}
      RETURNING id, attempts, provider_id
    )
    ${recordEvent("done", "postpone", { actorId: answer ? PROVIDER : "system", note, answer })}`;
}

/**
 * Frees the key of a send that the provider certainly did not carry out, so that the same request may be sent with it
 * again. Idempotent.
 */
export async function freeKey(db: Db, { id, idempotencyKey }: Pick<NewSend, "id" | "idempotencyKey">) {
  await db.$executeRaw`
    UPDATE sends SET idempotency_key = idempotency_key || ' ' || id
    WHERE id = ${id} AND idempotency_key = ${idempotencyKey} AND state = 'refused'
      AND release_cause = ANY(${listKeyFreeingCauses()}::text[])`;
}

/** Deletes the cause of a release when the piece was mailed after all, so that its key and the row of its list stay used. */
export async function disproveRelease(db: Db, id: string): Promise<void> {
  await db.$executeRaw`UPDATE sends SET release_cause = NULL WHERE id = ${id} AND release_cause IS NOT NULL`;
}

/** A condition on the reservation: after a failover another process may have rewritten the row. */
function isReservedAs(reservation: string | null): Prisma.Sql {
  return Prisma.sql`(${reservation}::text IS NULL OR reservation = ${reservation}::text)`;
}

/** Records the mail item and the recipient of a charged piece, in the same statement. */
function recordPiece(sends: string, facts: PieceFacts): Prisma.Sql {
  return Prisma.sql`
    item AS (${recordItem(sends, facts)}),
    event AS (${recordFirstEvent("item")}),
    recipient AS (${insertNamedRecipients(sends, BASE_URL, facts)})`;
}

/**
 * Parses the facts of an answer. A cancelled piece is stored as received first: its cancel is stored with its refund.
 */
function parseFacts(answer: KeptAnswer | null, status = SENT): PieceFacts {
  if (answer === null) return parsePieceFacts(null, status);
  const facts = parsePieceFacts(parseJson(answer.text ?? ""));
  return facts.status === CANCELLED ? { ...facts, status: RECEIVED } : facts;
}

function toDecider(decision: { actorId: string; note: string } | null) {
  if (decision === null) return { actorId: PROVIDER };
  const { actorId, note } = decision;
  return { actorId, note, source: actorId === "system" ? ("webhook" as const) : ("person" as const) };
}

function toValues({ recipientId, name, email, place, key, searchText }: Addressee): Prisma.Sql {
  return Prisma.sql`${recipientId}::text, ${name}::text, ${email}::text, ${place}::text, ${key}::text,
    ${searchText}::text`;
}

function markRefused(
  transition: Extract<Transition, "refuse" | "decideNotMailed">,
  id: string,
  note: string | null,
  answer: KeptAnswer | null,
  cause: Prisma.Sql,
  condition = Prisma.empty,
): Prisma.Sql {
  return Prisma.sql`
    UPDATE sends SET ${setStateAfter(transition)}, release_cause = ${cause}, note = ${toStoredText(note, MAX_KEPT_CHARS)}::text, lease_until = NULL, settled_at = now()
      ${setAnswer(answer)}
    WHERE id = ${id} AND ${isStateBefore(transition)} ${condition} RETURNING ${ABOUT}`;
}

function setAnswer(answer: KeptAnswer | null): Prisma.Sql {
  if (answer === null) return Prisma.empty;
  return Prisma.sql`, answer_status = ${answer.status}::int, answer_text = ${toStoredText(answer.text, MAX_KEPT_CHARS)}::text,
    answer_headers = ${JSON.stringify(answer.headers)}::text, duration_ms = ${answer.durationMs}::int`;
}
