import type { ReceiverAnswer } from "~/outside/webhook-receiver/call-receiver.server";
import type { Db } from "~/platform/database/client";
import { Prisma, type PrismaClient } from "../../prisma/client/client";
import { EXAMPLES } from "./event.schema.server";
import { type DeliveryState, TEST_EVENT, type WebhookEvent } from "./events";

/** A delivery that this process has leased, with the parts of its request. */
export interface DueDelivery {
  id: string;
  endpointId: string;
  /** Number of this try. It identifies the lease. */
  attempt: number;
  messageId: string;
  payload: string;
  url: string;
  /** Valid now, the newest first. */
  secrets: string[];
}

/** A delivery in a list. */
export interface DeliveryRecord {
  id: string;
  endpointId: string;
  messageId: string;
  type: string;
  pieceId: string | null;
  /** ID of its list, user or alarm. */
  subjectId: string | null;
  /** Name of the piece's recipient, the list or the user; null: not stored. */
  subjectName: string | null;
  /** Type of its piece. */
  mailType: string | null;
  state: DeliveryState;
  attempts: number;
  nextAt: Date;
  createdAt: Date;
  resentBy: string | null;
  /** Status of the last try; null: not tried, or no answer. */
  lastStatus: number | null;
  lastProblem: string | null;
}

/** One try of a delivery. */
export interface AttemptRecord {
  id: string;
  at: Date;
  requestHeaders: string;
  status: number | null;
  answerHeaders: string | null;
  answerText: string | null;
  problem: string | null;
  durationMs: number;
}

/** Deliveries of a failing endpoint that are tried at once, so that other endpoints do not wait. */
const FAILING_AT_ONCE = 2;

/** Selects due deliveries. Endpoints take turns. */
const selectDue = (limit: number) => Prisma.sql`
  SELECT due.id FROM webhook_endpoints e CROSS JOIN LATERAL (
    SELECT d.id, d.next_at, row_number() OVER (ORDER BY d.next_at, d.id) AS turn FROM webhook_deliveries d
    WHERE d.endpoint_id = e.id AND d.state = 'waiting' AND d.replay_at IS NULL AND d.next_at <= now()
    ORDER BY d.next_at, d.id LIMIT ${limit}::int
  ) due
  WHERE e.disabled_at IS NULL AND (e.failing_since IS NULL OR due.turn <= ${FAILING_AT_ONCE}::int)
  ORDER BY due.turn, due.next_at LIMIT ${limit}::int`;

/** Selects the oldest event of a replay if it is due. Later ones wait for it, so that they arrive in order. */
const NEXT_REPLAYED = Prisma.sql`
  SELECT head.id FROM webhook_endpoints e CROSS JOIN LATERAL (
    SELECT d.id, d.next_at FROM webhook_deliveries d
    WHERE d.endpoint_id = e.id AND d.state = 'waiting' AND d.replay_at IS NOT NULL ORDER BY d.replay_at, d.id LIMIT 1
  ) head
  WHERE e.disabled_at IS NULL AND head.next_at <= now() ORDER BY head.next_at LIMIT 1`;

/**
 * Claims due deliveries and leases them to this process for `leaseMs`. A try counts also if the process dies.
 * @param which the limit, or `replay` for the next one of a replay
 */
export function claimDueDeliveries(
  db: Db,
  which: number | "replay",
  leaseMs: number,
): Promise<DueDelivery[]> {
  return db.$queryRaw<DueDelivery[]>`
    WITH turns AS (${which === "replay" ? NEXT_REPLAYED : selectDue(which)}),
    taken AS MATERIALIZED (
      SELECT d.id AS taken_id FROM webhook_deliveries d
      WHERE d.id IN (SELECT id FROM turns) AND d.state = 'waiting' AND d.next_at <= clock_timestamp()
      FOR UPDATE SKIP LOCKED
    )
    UPDATE webhook_deliveries d SET attempts = d.attempts + 1,
      next_at = clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'
    FROM taken, webhook_messages m, webhook_endpoints e
    WHERE d.id = taken.taken_id AND m.id = d.message_id AND e.id = d.endpoint_id
    RETURNING d.id::text, d.endpoint_id AS "endpointId", d.attempts AS attempt, m.id AS "messageId", m.payload, e.url,
      CASE WHEN e.previous_until > clock_timestamp() THEN ARRAY[e.secret, e.previous_secret] ELSE ARRAY[e.secret] END AS secrets`;
}

/** Outcome of a try. `waitMs`: until the next one; null: it was the last. */
export type TryOutcome = { kind: "delivered" } | { kind: "failed"; problem: string; waitMs: number | null };

/**
 * Stores a try and advances its delivery unless another process already did. `lasting` is true after the last try if no
 * delivery to this endpoint has succeeded since the first one. Part of a transaction.
 */
export async function storeTry(
  tx: Db,
  { id, endpointId, attempt }: Pick<DueDelivery, "id" | "endpointId" | "attempt">,
  requestHeaders: Readonly<Record<string, string>>,
  answer: ReceiverAnswer,
  outcome: TryOutcome,
): Promise<{ lasting: boolean }> {
  const problem = outcome.kind === "failed" ? outcome.problem : null;
  const hasAnswer = answer.status !== null;
  await tx.$executeRaw`
    INSERT INTO webhook_attempts (delivery_id, request_headers, status, answer_headers, answer_text, problem, duration_ms)
    SELECT d.id, ${JSON.stringify(requestHeaders)}, ${answer.status}::int,
      ${hasAnswer ? JSON.stringify(answer.headers) : null}::text, ${answer.text}::text, ${problem}::text, ${answer.durationMs}::int
    FROM webhook_deliveries d WHERE d.id = ${id}::bigint`;
  const waitMs = outcome.kind === "failed" ? outcome.waitMs : null;
  const state = outcome.kind === "delivered" ? "delivered" : waitMs === null ? "failed" : "waiting";
  const moved = await tx.$queryRaw<{ createdAt: Date }[]>`
    UPDATE webhook_deliveries SET state = ${state},
      next_at = clock_timestamp() + ${waitMs ?? 0}::float8 * interval '1 millisecond',
      settled_at = CASE WHEN ${state} = 'waiting' THEN NULL ELSE clock_timestamp() END
    WHERE id = ${id}::bigint AND attempts = ${attempt}::int AND state = 'waiting' RETURNING created_at AS "createdAt"`;
  if (outcome.kind === "delivered") {
    await tx.$executeRaw`
      UPDATE webhook_endpoints SET failing_since = NULL WHERE id = ${endpointId} AND failing_since IS NOT NULL`;
    return { lasting: false };
  }
  await tx.$executeRaw`
    UPDATE webhook_endpoints SET failing_since = now() WHERE id = ${endpointId} AND failing_since IS NULL`;
  if (state !== "failed" || moved.length === 0) return { lasting: false };
  const lasting = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM webhook_endpoints e WHERE e.id = ${endpointId} AND e.failing_since <= coalesce((
      SELECT a.at FROM webhook_attempts a WHERE a.delivery_id = ${id}::bigint ORDER BY a.id DESC
      OFFSET ${attempt - 1}::int LIMIT 1), clock_timestamp())`;
  return { lasting: lasting.length > 0 };
}

/** Makes a delivery due now, with all its tries again. Null: there is none; `off`: its endpoint is switched off. */
export async function requeueDelivery(
  db: PrismaClient,
  { id, endpointId, by }: { id: string; endpointId: string; by: string },
): Promise<"queued" | "off" | null> {
  const [found] = await db.$queryRaw<{ off: boolean }[]>`
    WITH found AS (
      SELECT d.id, e.disabled_at IS NOT NULL AS off FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
      WHERE d.id = ${id}::bigint AND d.endpoint_id = ${endpointId}
    ),
    done AS (
      UPDATE webhook_deliveries d SET state = 'waiting', attempts = 0, next_at = clock_timestamp(), settled_at = NULL,
        resent_by = ${by}, replay_at = NULL
      FROM found WHERE d.id = found.id AND NOT found.off
    )
    SELECT off FROM found`;
  if (!found) return null;
  return found.off ? "off" : "queued";
}

/**
 * Queues every event since a time that an endpoint listens to, each once, in order. Returns their number; null: there is no
 * such endpoint; `off`: it is switched off. A repeat queues the same deliveries again.
 * @param missedOnly true to skip delivered events
 */
export function queueReplay(
  db: PrismaClient,
  { endpointId, since, missedOnly, by }: { endpointId: string; since: Date; missedOnly: boolean; by: string },
): Promise<number | "off" | null> {
  return db.$transaction(async (tx) => {
    // Locks the endpoint, so that two replays do not insert the same delivery.
    const [endpoint] = await tx.$queryRaw<{ off: boolean }[]>`
      SELECT disabled_at IS NOT NULL AS off FROM webhook_endpoints WHERE id = ${endpointId} FOR UPDATE`;
    if (!endpoint) return null;
    if (endpoint.off) return "off";
    const [done] = await tx.$queryRaw<{ queued: number }[]>`
      WITH chosen AS (
        SELECT m.id, m.created_at FROM webhook_messages m JOIN webhook_endpoints e ON e.id = ${endpointId}
        WHERE m.created_at >= ${since.toISOString()}::timestamptz AND m.payload IS NOT NULL AND m.type = ANY (e.events)
          AND m.facts->>'sample' IS NULL
          AND NOT (${missedOnly}::boolean AND EXISTS (SELECT 1 FROM webhook_deliveries d
            WHERE d.message_id = m.id AND d.endpoint_id = e.id AND d.state = 'delivered'))
      ),
      again AS (
        UPDATE webhook_deliveries d SET state = 'waiting', attempts = 0, next_at = clock_timestamp(), settled_at = NULL,
          resent_by = ${by}, replay_at = c.created_at
        FROM chosen c WHERE d.message_id = c.id AND d.endpoint_id = ${endpointId} RETURNING d.message_id
      ),
      added AS (
        INSERT INTO webhook_deliveries (endpoint_id, message_id, resent_by, replay_at)
        SELECT ${endpointId}, c.id, ${by}, c.created_at FROM chosen c
        WHERE c.id NOT IN (SELECT d.message_id FROM webhook_deliveries d WHERE d.endpoint_id = ${endpointId})
        ORDER BY c.created_at, c.id RETURNING message_id
      )
      SELECT ((SELECT count(*) FROM again) + (SELECT count(*) FROM added))::int AS queued`;
    return done?.queued ?? 0;
  });
}

/** Queues a test event or a sample, also one that the endpoint does not listen to; false: no endpoint in use has this id. */
export function queueTest(
  db: PrismaClient,
  endpointId: string,
  event: WebhookEvent | null,
  now: Date,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const endpoint = await tx.webhookEndpoint.findFirst({ where: { id: endpointId, disabledAt: null } });
    if (!endpoint) return false;
    const id = `msg_${crypto.randomUUID().replaceAll("-", "")}`;
    const type = event ?? TEST_EVENT;
    const body = { type, timestamp: now.toISOString(), sample: true, data: event ? EXAMPLES[event] : {} };
    await tx.webhookMessage.create({
      data: { id, type, payload: JSON.stringify(body), facts: { sample: true } },
    });
    await tx.webhookDelivery.create({ data: { endpointId, messageId: id } });
    return true;
  });
}

const DELIVERY = Prisma.sql`
  SELECT d.id::text, d.endpoint_id AS "endpointId", d.message_id AS "messageId", m.type, d.state, d.attempts,
    m.piece_id AS "pieceId", m.subject_id AS "subjectId", s.mail_type AS "mailType",
    coalesce(s.recipient_name, l.name, who.display_name) AS "subjectName",
    d.next_at AS "nextAt", d.created_at AS "createdAt",
    coalesce(u.display_name, d.resent_by) AS "resentBy", a.status AS "lastStatus", a.problem AS "lastProblem"
  FROM webhook_deliveries d JOIN webhook_messages m ON m.id = d.message_id LEFT JOIN users u ON u.id = d.resent_by
  LEFT JOIN sends s ON s.id = m.piece_id
  LEFT JOIN bulk_lists l ON m.type LIKE 'batch.%' AND l.id = m.subject_id
  LEFT JOIN users who ON m.type = 'balance.low' AND who.id = m.subject_id
  LEFT JOIN LATERAL (SELECT status, problem FROM webhook_attempts WHERE delivery_id = d.id ORDER BY id DESC LIMIT 1) a ON true`;

/** Null values do not filter. */
export interface DeliveryFilter {
  endpointId: string | null;
  state: DeliveryState | null;
  type: string | null;
  pieceId: string | null;
  messageId: string | null;
  /** ID of the last one of the page before. */
  before: string | null;
  limit: number;
}

/** Lists deliveries, newest first; `limit + 1` of them if there are more. */
export function listDeliveries(db: Db, filter: DeliveryFilter): Promise<DeliveryRecord[]> {
  const { endpointId, state, type, pieceId, messageId, before, limit } = filter;
  return db.$queryRaw<DeliveryRecord[]>`${DELIVERY}
    WHERE (${endpointId}::text IS NULL OR d.endpoint_id = ${endpointId}::text)
      AND (${state}::text IS NULL OR d.state = ${state}::text) AND (${before}::bigint IS NULL OR d.id < ${before}::bigint)
      AND (${type}::text IS NULL OR m.type = ${type}::text) AND (${pieceId}::text IS NULL OR m.piece_id = ${pieceId}::text)
      AND (${messageId}::text IS NULL OR m.id = ${messageId}::text)
    ORDER BY d.id DESC LIMIT ${limit + 1}::int`;
}

/** Finds a delivery with its body and its tries, the oldest first. */
export async function findDelivery(
  db: PrismaClient,
  id: string,
): Promise<(DeliveryRecord & { payload: string; tries: AttemptRecord[] }) | null> {
  const [found] = await db.$queryRaw<DeliveryRecord[]>`${DELIVERY} WHERE d.id = ${id}::bigint`;
  if (!found) return null;
  const message = await db.webhookMessage.findUnique({ where: { id: found.messageId } });
  return { ...found, payload: message?.payload ?? "", tries: await listTries(db, [id]) };
}

/** Lists the tries of deliveries, the oldest first. */
export function listTries(
  db: Db,
  ids: readonly string[],
): Promise<(AttemptRecord & { deliveryId: string })[]> {
  return db.$queryRaw<(AttemptRecord & { deliveryId: string })[]>`
    SELECT id::text, delivery_id::text AS "deliveryId", at, request_headers AS "requestHeaders", status,
      answer_headers AS "answerHeaders", answer_text AS "answerText", problem, duration_ms AS "durationMs"
    FROM webhook_attempts WHERE delivery_id = ANY(${[...ids]}::text[]::bigint[]) ORDER BY id`;
}
