import type { AlarmKind } from "~/alarms/alarm-kinds";
import { endAbsent, type NewAlarm, openAlarm } from "~/alarms/alarm-record.server";
import { formatHeads, loadHeads } from "~/credits/ledger/ledger-heads.server";
import { verifyLedger } from "~/credits/ledger/verify-ledger.server";
import { findWebhookSilence } from "~/pieces/events/provider-events.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { formatCount } from "~/platform/format-integer";
import { log } from "~/platform/log.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { DAY_MS, formatIsoDay, MINUTE_MS } from "~/platform/time";
import { reconcile } from "../reconcile.server";
import { reconcileStripe, type StripeFinding } from "../reconcile-stripe.server";
import { type Finding, type FindingKind, KEY_MISSING, type Period } from "../reconciliation";
import { type ComparisonName, claimDueRuns, finishRun } from "./runs.server";

/** Texts of alarms. They leave out details that change daily (a status, an amount), so that the same difference opens one alarm. */
const ALARMS: Record<FindingKind, string> = {
  missing: "It is charged here, but the provider does not list it.",
  stopped: "The provider cancelled it, but it is still charged here.",
  twice: "The provider has more than one piece for it.",
  type: "It was charged as another type than the provider has.",
  price: "The provider now charges another price than its answer said.",
  undecided: "The provider has it; here it needs a decision.",
  refunded: "The provider has it; here it is cancelled and refunded.",
  released: "The provider has it; here it counts as not mailed, and nothing is charged.",
  short: "It was mailed, but not all of its price could be charged.",
  unknown: "The provider has it with a tag of ours, but there is no such piece here.",
};
const NOT_ALL_COMPARED = "Not everything could be compared.";

interface Compared {
  alarms: NewAlarm[];
  /** Why not everything could be compared, or null. */
  problem: string | null;
  /** True when only a person can mend the problem, so that it is not tried again within the hour. */
  needsPerson?: boolean;
}

const DAYS = 7;
const LIMIT_MS = 10 * MINUTE_MS;

const COMPARISONS: Record<
  ComparisonName,
  { kind: AlarmKind; compare: (period: Period) => Promise<Outcome<Compared>> }
> = {
  provider: { kind: "provider_difference", compare: compareProvider },
  stripe: { kind: "stripe_difference", compare: comparePayments },
  ledger: { kind: "ledger_broken", compare: checkLedger },
  webhook: { kind: "webhook_silent", compare: checkWebhook },
};

/**
 * Compares our books with the provider's and with Stripe's, and checks the ledger, once a day each; every difference is an alarm. One of the
 * processes that share the database does it.
 */
export const reconcileDaily: BackgroundTask<{ id: ComparisonName }> = {
  name: "reconcile_daily",
  batchSize: 4,
  // One after the other: none is urgent.
  atOnce: 1,
  claim() {
    const { providerKey, providerWebhookSecrets, stripe } = env();
    const names: ComparisonName[] = ["ledger"];
    if (providerKey !== null) names.push("provider");
    if (stripe) names.push("stripe");
    if (providerWebhookSecrets.length > 0) names.push("webhook");
    return withDatabase((db) => claimDueRuns(db, names));
  },
  async work({ id: name }) {
    const now = Date.now();
    const period = { from: formatIsoDay(now - (DAYS - 1) * DAY_MS), to: formatIsoDay(now) };
    const { kind, compare } = COMPARISONS[name];
    const compared = await compare(period);
    const { alarms, problem, needsPerson }: Compared = compared.ok
      ? compared.value
      : { alarms: [], problem: compared.failure.message };
    const stored = await withDatabase((db) =>
      db.$transaction(async (tx) => {
        for (const alarm of alarms) await openAlarm(tx, alarm);
        if (problem === null) await endAbsent(tx, kind, alarms);
        await finishRun(tx, { name, differences: alarms.length, problem }, needsPerson);
      }),
    );
    return compared.ok ? stored : compared;
  },
};

async function compareProvider(period: Period): Promise<Outcome<Compared>> {
  const compared = await reconcile(period, { limitMs: LIMIT_MS });
  if (!compared.ok) return compared;
  const { findings, baseUrls, unseen, isRead, isComplete } = compared.value;
  const keyMissing = `${formatCount(unseen, "piece")} could not be compared. ${KEY_MISSING}`;
  const unread = baseUrls.find(({ isDone }) => !isDone)?.problem ?? NOT_ALL_COMPARED;
  return succeed({
    alarms: findings.filter((finding) => !isYoung(finding)).map(toPieceAlarm),
    problem: isComplete ? null : isRead ? keyMissing : unread,
    needsPerson: isRead,
  });
}

/** True for a missing piece of the last day: the provider's list may be late. */
function isYoung({ kind, send }: Finding): boolean {
  return kind === "missing" && send !== null && Date.now() - send.createdAt.getTime() < DAY_MS;
}

function toPieceAlarm({ kind, send, mailId }: Finding): NewAlarm {
  return {
    kind: "provider_difference",
    subject: send ? { type: "piece", id: send.id } : { type: "system", id: `mail ${mailId}` },
    text: ALARMS[kind],
    facts: { difference: kind, mailId },
    once: true,
  };
}

async function comparePayments(period: Period): Promise<Outcome<Compared>> {
  const compared = await reconcileStripe(period);
  if (!compared.ok) return compared;
  const { findings, isComplete } = compared.value;
  return succeed({ alarms: findings.map(toPaymentAlarm), problem: isComplete ? null : NOT_ALL_COMPARED });
}

function toPaymentAlarm({ kind, checkoutId, buyer, what, next, stripeId }: StripeFinding): NewAlarm {
  return {
    kind: "stripe_difference",
    subject:
      buyer === null ? { type: "system", id: `payment ${checkoutId}` } : { type: "payment", id: checkoutId },
    text: `${what} ${next}`,
    facts: { difference: kind, ...(stripeId === null ? {} : { stripe_id: stripeId }) },
    once: true,
  };
}

async function checkLedger(): Promise<Outcome<Compared>> {
  const checked = await withDatabase(async (db) => ({
    findings: await verifyLedger(db),
    heads: await loadHeads(db),
  }));
  if (!checked.ok) return checked;
  // Logged outside the database, so that rows cut off an account's end are noticed.
  for (const head of checked.value.heads) {
    log.info("ledger.head", { userId: head.userId, reason: formatHeads([head]).trimEnd() });
  }
  const alarms = checked.value.findings
    .filter(({ ok }) => !ok)
    .map(
      ({ id, rule, problems, broken }): NewAlarm => ({
        kind: "ledger_broken",
        subject: { type: "system", id: `ledger ${id}` },
        text: `${rule} ${problems.slice(0, 3).join("; ")}${broken > 3 ? `; ${broken - 3} more` : ""}`,
        facts: { rule: id },
        once: true,
      }),
    );
  return succeed({ alarms, problem: null });
}

async function checkWebhook(): Promise<Outcome<Compared>> {
  const found = await withDatabase(findWebhookSilence);
  if (!found.ok) return found;
  if (found.value === null) return succeed({ alarms: [], problem: null });
  const silent: NewAlarm = {
    kind: "webhook_silent",
    subject: { type: "system", id: "mail provider's webhook" },
    text: "The mail provider has sent no event for a day, although pieces are in production. Check in its dashboard whether it paused the webhook, then refresh the statuses in Mail Management.",
    facts: { last_event: found.value.lastEventAt?.toISOString() ?? null },
    once: true,
  };
  return succeed({ alarms: [silent], problem: null });
}
