import type { z } from "zod";
import type { Db } from "~/platform/database/client";
import { fail } from "~/platform/outcome";
import {
  Prisma,
  type PrismaClient,
  type WebhookDelivery,
  type WebhookMessage,
} from "../../prisma/client/client";
import type { deliveryQuery } from "./deliveries.schema.server";
import { EXAMPLES } from "./event.schema.server";
import { type DeliveryState, TEST_EVENT, type WebhookEvent } from "./events";
import { IS_OFF, NO_SUCH_DELIVERY, NO_SUCH_ENDPOINT } from "./messages";

export interface DeliveryRecord
  extends Omit<WebhookDelivery, "id" | "settledAt" | "replayAt">,
    Pick<WebhookMessage, "type" | "pieceId" | "subjectId"> {
  id: string;
  state: DeliveryState;
  /** Name of the piece's recipient, the list or the user; null: not stored. */
  subjectName: string | null;
  mailType: string | null;
  /** Status of the last try; null: not tried, or no answer. */
  lastStatus: number | null;
  lastProblem: string | null;
}

/** Makes a delivery due now, with all its tries again. Fails with `not_found`, or `bad_input` if its endpoint is off. */
export async function requeueDelivery(db: Db, endpointId: string, id: string, by: string) {
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
  if (!found) return fail("not_found", NO_SUCH_DELIVERY);
  return found.off ? fail("bad_input", IS_OFF) : "Queued again. It is sent within seconds.";
}

interface Replay {
  since: Date;
  /** True to skip delivered events. */
  missedOnly: boolean;
  by: string;
}

/**
 * Queues every event since a time that an endpoint listens to, each once, in order. Returns their number. A repeat queues
 * the same deliveries again. Fails with `not_found`, or `bad_input` if the endpoint is off.
 */
export function queueReplay(db: PrismaClient, endpointId: string, { since, missedOnly, by }: Replay) {
  return db.$transaction(async (tx) => {
    // Locks the endpoint, so that two replays do not insert the same delivery.
    const [endpoint] = await tx.$queryRaw<{ off: boolean }[]>`
      SELECT disabled_at IS NOT NULL AS off FROM webhook_endpoints WHERE id = ${endpointId} FOR UPDATE`;
    if (!endpoint) return fail("not_found", NO_SUCH_ENDPOINT);
    if (endpoint.off) return fail("bad_input", IS_OFF);
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

/** Queues a test event or a sample, also one that the endpoint does not listen to. Fails if the endpoint is off. */
export function queueTest(db: PrismaClient, endpointId: string, event: WebhookEvent | undefined) {
  return db.$transaction(async (tx) => {
    const endpoint = await tx.webhookEndpoint.findFirst({ where: { id: endpointId, disabledAt: null } });
    if (!endpoint) return fail("bad_input", IS_OFF);
    const id = `msg_${crypto.randomUUID().replaceAll("-", "")}`;
    const type = event ?? TEST_EVENT;
    const timestamp = new Date().toISOString();
    const body = { type, timestamp, sample: true, data: event ? EXAMPLES[event] : {} };
    await tx.webhookMessage.create({
      data: { id, type, payload: JSON.stringify(body), facts: { sample: true } },
    });
    await tx.webhookDelivery.create({ data: { endpointId, messageId: id } });
    return `${event ? "Sample" : "Test event"} queued. It is sent within seconds.`;
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

/** Lists deliveries, newest first; `limit + 1` of them if there are more. @param filter the query of the API */
export function listDeliveries(db: Db, filter: z.infer<typeof deliveryQuery>): Promise<DeliveryRecord[]> {
  const { endpoint_id: endpointId = null, piece_id: pieceId = null, message_id: messageId = null } = filter;
  const { state = null, type = null, cursor = null } = filter;
  return db.$queryRaw<DeliveryRecord[]>`${DELIVERY}
    WHERE (${endpointId}::text IS NULL OR d.endpoint_id = ${endpointId}::text)
      AND (${state}::text IS NULL OR d.state = ${state}::text) AND (${cursor}::bigint IS NULL OR d.id < ${cursor}::bigint)
      AND (${type}::text IS NULL OR m.type = ${type}::text) AND (${pieceId}::text IS NULL OR m.piece_id = ${pieceId}::text)
      AND (${messageId}::text IS NULL OR m.id = ${messageId}::text)
    ORDER BY d.id DESC LIMIT ${filter.limit + 1}::int`;
}

/** Finds a delivery with its body and its tries, the oldest first. */
export async function findDelivery(db: PrismaClient, id: string) {
  const [found] = await db.$queryRaw<DeliveryRecord[]>`${DELIVERY} WHERE d.id = ${id}::bigint`;
  if (!found) return null;
  const message = await db.webhookMessage.findUnique({ where: { id: found.messageId } });
  return { ...found, payload: message?.payload ?? "", tries: await listTries(db, [id]) };
}

export function listTries(db: PrismaClient, ids: readonly string[]) {
  return db.webhookAttempt.findMany({
    where: { deliveryId: { in: ids.map(BigInt) } },
    orderBy: { id: "asc" },
  });
}

export const WEBHOOK_DAYS = 30;
const AT_ONCE = 5_000;

/** Deletes messages older than `days`, with their deliveries and answers. */
export async function expireDeliveries(db: Db, days: number): Promise<void> {
  let removed: number;
  do {
    removed = await db.$executeRaw`
      DELETE FROM webhook_messages WHERE id IN (
        SELECT id FROM webhook_messages WHERE created_at < now() - ${days}::int * interval '1 day' LIMIT ${AT_ONCE}::int)`;
  } while (removed === AT_ONCE);
}

/** Erases the answers of receivers about these pieces, the only text here that Mailroom did not write. */
export function eraseAnswers(db: Db, pieces: readonly string[]): Promise<number> {
  return db.$executeRaw`
    UPDATE webhook_attempts a SET answer_text = NULL, answer_headers = NULL
    FROM webhook_deliveries d JOIN webhook_messages m ON m.id = d.message_id
    WHERE a.delivery_id = d.id AND m.piece_id = ANY(${[...pieces]}::text[])`;
}
