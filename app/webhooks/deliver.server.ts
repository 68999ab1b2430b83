import { setTimeout as wait } from "node:timers/promises";
import { openAlarm } from "~/alarms/alarm-record.server";
import { callReceiver, noAnswer, type ReceiverAnswer } from "~/outside/webhook-receiver/call-receiver.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { Prisma } from "../../prisma/client/client";
import { expireDeliveries, WEBHOOK_DAYS } from "./delivery-record.server";
import { disableEndpoint, formatAddress, resealSecrets } from "./endpoint-record.server";
import { formatProblem } from "./messages";
import { chooseRetryWait } from "./retry-schedule";
import { openSecret, signMessage } from "./sign.server";
import { writeBodies } from "./write-bodies.server";

/** A delivery that this process has leased, with the parts of its request. */
interface DueDelivery {
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

const AT_ONCE = 20;
/** Longer than a call and its storage may take. */
const LEASE_MS = 45_000;
const GONE = 410;
const REPLAY_PACE_MS = 100;
const CLEAN_EVERY_MS = 3_600_000;
let cleanAt = 0;

/** Delivers webhook events. Any process retries failed deliveries with backoff. */
export const deliverWebhooks: BackgroundTask<DueDelivery> = {
  name: "deliver_webhooks",
  batchSize: AT_ONCE,
  atOnce: AT_ONCE,
  claim: (limit) =>
    withDatabase(async (db) => {
      await writeBodies(db);
      return claimDueDeliveries(db, limit);
    }),
  work: deliver,
  async cleanUp() {
    if (Date.now() < cleanAt) return succeed(null);
    cleanAt = Date.now() + CLEAN_EVERY_MS;
    return withDatabase(async (db) => {
      await resealSecrets(db);
      await expireDeliveries(db, WEBHOOK_DAYS);
    });
  },
};

/** Delivers replayed events in order, each after the earlier one was delivered or given up, at most ten a second. */
export const replayWebhooks: BackgroundTask<DueDelivery> = {
  name: "replay_webhooks",
  batchSize: 1,
  atOnce: 1,
  claim: () => withDatabase((db) => claimDueDeliveries(db, "replay")),
  async work(due) {
    const [delivered] = await Promise.all([deliver(due), wait(REPLAY_PACE_MS)]);
    return delivered;
  },
};

async function deliver(due: DueDelivery): Promise<Outcome<unknown>> {
  const { payload, messageId } = due;
  const secrets = due.secrets.flatMap((stored) => openSecret(stored, due.endpointId) ?? []);
  const headers = {
    "content-type": "application/json",
    "user-agent": "Mailroom-Webhooks",
    ...signMessage(messageId, payload, secrets, new Date()),
  };
  const answer =
    secrets.length > 0 ? await callReceiver(new URL(due.url), headers, payload) : noAnswer("unsigned", 0);
  const outcome = toOutcome(answer, due.attempt);
  const { "webhook-signature": _secret, ...storedHeaders } = headers;
  const stored = await withDatabase((db) =>
    db.$transaction(async (tx) => {
      const lasting = await storeAttempt(tx, due, storedHeaders, answer, outcome);
      if (outcome.problem === null) return;
      const address = formatAddress(due.url);
      if (answer.status === GONE) {
        const reason = `${address} answered 410: the receiver asked for no more events.`;
        await switchOff(tx, due, `${reason} It was switched off.`);
      } else if (lasting) {
        const reason = `${address} has failed for three days and was switched off. The last try:`;
        await switchOff(tx, due, `${reason} ${outcome.problem}`);
      }
    }),
  );
  if (!stored.ok) return stored;
  return outcome.problem === null ? succeed(null) : fail("provider_unreachable", outcome.problem);
}

/** Outcome of a try: delivered without a problem. `waitMs`: until the next one; null: it was the last. */
type TryOutcome = { problem: string | null; waitMs: number | null };

/** Finds the outcome of a try. A receiver that answers 410 is not called again. */
function toOutcome({ status, problem, retryAfter }: ReceiverAnswer, attempt: number): TryOutcome {
  if (status !== null && status >= 200 && status < 300) return { problem: null, waitMs: null };
  const waitMs = status === GONE ? null : chooseRetryWait(attempt, retryAfter);
  return { problem: formatProblem(status, problem), waitMs };
}

async function switchOff(tx: Db, { endpointId }: DueDelivery, reason: string): Promise<void> {
  if (!(await disableEndpoint(tx, endpointId, "system", reason))) return;
  await openAlarm(tx, {
    kind: "webhook_disabled",
    subject: { type: "webhook", id: endpointId },
    text: reason,
  });
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

/** Claims due deliveries, or the next one of a replay, and leases them. A try counts also if the process dies. */
function claimDueDeliveries(db: Db, limit: number | "replay"): Promise<DueDelivery[]> {
  return db.$queryRaw<DueDelivery[]>`
    WITH turns AS (${limit === "replay" ? NEXT_REPLAYED : selectDue(limit)}),
    taken AS MATERIALIZED (
      SELECT d.id AS taken_id FROM webhook_deliveries d
      WHERE d.id IN (SELECT id FROM turns) AND d.state = 'waiting' AND d.next_at <= clock_timestamp()
      FOR UPDATE SKIP LOCKED
    )
    UPDATE webhook_deliveries d SET attempts = d.attempts + 1,
      next_at = clock_timestamp() + ${LEASE_MS}::float8 * interval '1 millisecond'
    FROM taken, webhook_messages m, webhook_endpoints e
    WHERE d.id = taken.taken_id AND m.id = d.message_id AND e.id = d.endpoint_id
    RETURNING d.id::text, d.endpoint_id AS "endpointId", d.attempts AS attempt, m.id AS "messageId", m.payload, e.url,
      CASE WHEN e.previous_until > clock_timestamp() THEN e.secret || string_to_array(e.previous_secret, ' ')
        ELSE ARRAY[e.secret] END AS secrets`;
}

/**
 * Stores a try and advances its delivery unless another process already did. True after the last try if no
 * delivery to this endpoint has succeeded since the first one. Part of a transaction.
 */
async function storeAttempt(
  tx: Db,
  { id, endpointId, attempt }: DueDelivery,
  requestHeaders: Readonly<Record<string, string>>,
  answer: ReceiverAnswer,
  { problem, waitMs }: TryOutcome,
): Promise<boolean> {
  const hasAnswer = answer.status !== null;
  await tx.$executeRaw`
    INSERT INTO webhook_attempts (delivery_id, request_headers, status, answer_headers, answer_text, problem, duration_ms)
    SELECT d.id, ${JSON.stringify(requestHeaders)}, ${answer.status}::int,
      ${hasAnswer ? JSON.stringify(answer.headers) : null}::text, ${answer.text}::text, ${problem}::text, ${answer.durationMs}::int
    FROM webhook_deliveries d WHERE d.id = ${id}::bigint`;
  const state = problem === null ? "delivered" : waitMs === null ? "failed" : "waiting";
  const moved = await tx.$queryRaw<{ createdAt: Date }[]>`
    UPDATE webhook_deliveries SET state = ${state},
      next_at = clock_timestamp() + ${waitMs ?? 0}::float8 * interval '1 millisecond',
      settled_at = CASE WHEN ${state} = 'waiting' THEN NULL ELSE clock_timestamp() END
    WHERE id = ${id}::bigint AND attempts = ${attempt}::int AND state = 'waiting' RETURNING created_at AS "createdAt"`;
  if (problem === null) {
    await tx.$executeRaw`
      UPDATE webhook_endpoints SET failing_since = NULL WHERE id = ${endpointId} AND failing_since IS NOT NULL`;
    return false;
  }
  await tx.$executeRaw`
    UPDATE webhook_endpoints SET failing_since = now() WHERE id = ${endpointId} AND failing_since IS NULL`;
  if (state !== "failed" || moved.length === 0) return false;
  const lasting = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM webhook_endpoints e WHERE e.id = ${endpointId} AND e.failing_since <= coalesce((
      SELECT a.at FROM webhook_attempts a WHERE a.delivery_id = ${id}::bigint ORDER BY a.id DESC
      OFFSET ${attempt - 1}::int LIMIT 1), clock_timestamp())`;
  return lasting.length > 0;
}
