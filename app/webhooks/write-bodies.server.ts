import { ALARM_KINDS, type AlarmKind } from "~/alarms/alarm-kinds";
import { OWN_KEYS } from "~/pieces/send/send-record.server";
import { isOpen, type PieceState } from "~/pieces/states";
import type { Db } from "~/platform/database/client";
import { env } from "~/platform/env.server";
import type { PrismaClient } from "../../prisma/client/client";
import type { EventData } from "./event.schema.server";

/** An event as a trigger stored it, with the present data of its subject. */
interface StoredEvent {
  id: string;
  type: keyof EventData;
  createdAt: Date;
  facts: {
    state: string;
    status: string | null;
    credits: number | null;
    charged: number;
    threshold: 50 | 10;
    balance: number;
    kind: AlarmKind;
    subject_type: string;
    subject_id: string;
  };
  /** ID of the piece, list or alarm, or of the user whose balance it is. */
  subjectId: string;
  mailType: "postcard" | "letter";
  userId: string;
  providerId: string | null;
  /** Idempotency key of a piece that a list paid for. */
  listKey: string | null;
  /** Rows of the list by outcome. */
  counts: Record<"sent" | "refused" | "checking" | "not_sent", number>;
}

const AT_ONCE = 200;

/**
 * Writes the bodies of events that have none, the oldest first, with a delivery for each endpoint that listens. Both are
 * stored in one transaction and one process claims an event, so it is delivered once.
 */
export async function writeBodies(db: PrismaClient): Promise<void> {
  while ((await writeBatch(db)) === AT_ONCE);
}

function writeBatch(db: PrismaClient): Promise<number> {
  return db.$transaction(async (tx) => {
    const events = await claimEvents(tx);
    if (events.length === 0) return 0;
    const bodies = events.map(({ id, type, createdAt, ...event }) => ({
      id,
      payload: JSON.stringify({ type, timestamp: createdAt.toISOString(), data: buildData(type, event) }),
    }));
    await tx.$executeRaw`
      WITH bodies AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(bodies)}::jsonb) AS body (id text, payload text)),
      written AS (
        UPDATE webhook_messages m SET payload = b.payload FROM bodies b WHERE m.id = b.id RETURNING m.id, m.type, m.created_at
      )
      INSERT INTO webhook_deliveries (endpoint_id, message_id)
      SELECT e.id, w.id FROM written w JOIN webhook_endpoints e ON e.disabled_at IS NULL AND w.type = ANY (e.events)
      ORDER BY w.created_at, w.id`;
    return events.length;
  });
}

function claimEvents(tx: Db): Promise<StoredEvent[]> {
  return tx.$queryRaw<StoredEvent[]>`
    SELECT m.id, m.type, m.created_at AS "createdAt", m.facts, coalesce(m.piece_id, m.subject_id) AS "subjectId",
      coalesce(s.mail_type, l.mail_type) AS "mailType", coalesce(s.user_id, l.user_id) AS "userId", s.provider_id AS "providerId",
      CASE WHEN s.credit_reservation_id IS NOT NULL THEN s.idempotency_key END AS "listKey",
      to_jsonb(r) AS counts
    FROM webhook_messages m LEFT JOIN sends s ON s.id = m.piece_id
    LEFT JOIN bulk_lists l ON m.type LIKE 'batch.%' AND l.id = m.subject_id
    LEFT JOIN LATERAL (
      SELECT count(*) FILTER (WHERE state = 'sent')::int AS sent, count(*) FILTER (WHERE state = 'refused')::int AS refused,
        count(*) FILTER (WHERE state IN ('sending', 'checking'))::int AS checking,
        count(*) FILTER (WHERE state IN ('ready', 'problem', 'left_out'))::int AS not_sent
      FROM bulk_rows WHERE list_id = l.id
    ) r ON l.id IS NOT NULL
    WHERE m.payload IS NULL ORDER BY m.created_at, m.id LIMIT ${AT_ONCE}::int FOR UPDATE OF m SKIP LOCKED`;
}

/** Builds the `data` of a body. A new field is added here and in the schema. */
function buildData(
  type: keyof EventData,
  { subjectId, mailType, userId, facts, ...event }: Omit<StoredEvent, "id" | "type" | "createdAt">,
): EventData[keyof EventData] {
  switch (type) {
    case "balance.low":
      return { user_id: subjectId, threshold: facts.threshold, balance: facts.balance };
    case "alarm.opened": {
      const { kind, subject_type, subject_id } = facts;
      const url = `${env().appOrigin}/alarms`;
      return { id: subjectId, kind, title: ALARM_KINDS[kind], subject_type, subject_id, url };
    }
    case "batch.finished":
    case "batch.paused":
      return {
        id: subjectId,
        type: mailType,
        state: facts.state as EventData["batch.paused"]["state"],
        user_id: userId,
        ...event.counts,
      };
    default:
      return {
        id: subjectId,
        type: mailType,
        state: toWireState(facts.state as PieceState),
        status: facts.status,
        provider_id: event.providerId,
        user_id: userId,
        credits: facts.credits,
        charged: facts.state === "cancelled" ? 0 : facts.charged,
        list_id: event.listKey?.startsWith(OWN_KEYS.row) ? (event.listKey.split(":")[1] ?? null) : null,
      };
  }
}

function toWireState(state: PieceState): EventData["piece.status"]["state"] {
  if (state === "needs_review") return "needs_decision";
  return isOpen(state) ? "checking" : (state as EventData["piece.status"]["state"]);
}
