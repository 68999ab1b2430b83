import { setTimeout as wait } from "node:timers/promises";
import { openAlarm } from "~/alarms/alarm-record.server";
import { callReceiver, noAnswer, type ReceiverAnswer } from "~/outside/webhook-receiver/call-receiver.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { formatAddress } from "./check-target.server";
import { claimDueDeliveries, type DueDelivery, storeTry, type TryOutcome } from "./delivery-record.server";
import { disableEndpoint, resealSecrets } from "./endpoint-record.server";
import { expireDeliveries, KEPT_DAYS } from "./expire.server";
import { formatProblem } from "./messages";
import { chooseRetryWait } from "./retry-schedule";
import { openSecret, signMessage } from "./sign.server";
import { writeBodies } from "./write-bodies.server";

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
      return claimDueDeliveries(db, limit, LEASE_MS);
    }),
  work: deliver,
  async cleanUp() {
    if (Date.now() < cleanAt) return succeed(null);
    cleanAt = Date.now() + CLEAN_EVERY_MS;
    return withDatabase(async (db) => {
      await resealSecrets(db);
      await expireDeliveries(db, KEPT_DAYS);
    });
  },
};

/** Delivers replayed events in order, each after the earlier one was delivered or given up, at most ten a second. */
export const replayWebhooks: BackgroundTask<DueDelivery> = {
  name: "replay_webhooks",
  batchSize: 1,
  atOnce: 1,
  claim: () => withDatabase((db) => claimDueDeliveries(db, "replay", LEASE_MS)),
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
      const { lasting } = await storeTry(tx, due, storedHeaders, answer, outcome);
      if (outcome.kind === "delivered") return;
      const address = formatAddress(due.url);
      if (answer.status === GONE) {
        await switchOff(tx, due, `${address} answered 410: it wants no more events. It was switched off.`);
      } else if (lasting) {
        const reason = `${address} has failed for three days and was switched off. The last try:`;
        await switchOff(tx, due, `${reason} ${outcome.problem}`);
      }
    }),
  );
  if (!stored.ok) return stored;
  return outcome.kind === "delivered" ? succeed(null) : fail("provider_unreachable", outcome.problem);
}

/** A receiver that answers 410 is not called again. */
function toOutcome({ status, problem, retryAfter }: ReceiverAnswer, attempt: number): TryOutcome {
  if (status !== null && status >= 200 && status < 300) return { kind: "delivered" };
  const waitMs = status === GONE ? null : chooseRetryWait(attempt, retryAfter);
  return { kind: "failed", problem: formatProblem(status, problem), waitMs };
}

async function switchOff(tx: Db, { endpointId }: DueDelivery, reason: string): Promise<void> {
  if (!(await disableEndpoint(tx, endpointId, "system", reason))) return;
  await openAlarm(tx, {
    kind: "webhook_disabled",
    subject: { type: "webhook", id: endpointId },
    text: reason,
  });
}
