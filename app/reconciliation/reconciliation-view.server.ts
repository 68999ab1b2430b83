import { purchaseAddress } from "~/credits/ledger/transaction";
import { formatCost, formatMoney } from "~/credits/purchases/format-money";
import { addMonths, daysOf, monthOf } from "~/credits/spending/spent";
import { toneOf } from "~/pieces/status";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { formatCount, formatInteger } from "~/platform/format-integer";
import { type Failure, fail, type Outcome } from "~/platform/outcome";
import { capitalise } from "~/platform/sentence";
import { formatIsoDay } from "~/platform/time";
import { buildAddress } from "~/platform/url";
import { formatMoment, formatMonth } from "~/ui/moment";
import { listDailyRuns, loadFinishedRuns, type RunName } from "./daily/runs.server";
import { choosePeriod, parsePeriod, type Reconciliation, reconcile } from "./reconcile.server";
import { reconcileStripe, type StripeFinding, type StripeReconciliation } from "./reconcile-stripe.server";
import {
  ALL_AGREE,
  type Behind,
  type Finding,
  GROUPS,
  KEY_MISSING,
  type Listed,
  type Period,
} from "./reconciliation";

/** The form, and after a comparison its result or the reason why nothing was compared. */
export interface ReconciliationView extends Awaited<ReturnType<typeof loadForm>> {
  problem: string | null;
  result: ReturnType<typeof toResult> | null;
}
export type FindingRow = ReturnType<typeof toFindingRow>;

type Tone = "ok" | "warn" | "bad";

const DAILY_TITLES: Partial<Record<RunName, string>> = {
  ledger: "The ledger with itself",
  provider: "The last 7 days with the provider",
  stripe: "The last 7 days with Stripe",
  webhook: "The events of the provider's webhook",
};

/** Limit of the page; `npm run reconcile` may take longer. */
const LIMIT_SECONDS = 20;
const SHOWN = 100;
const SHOWN_TAGS_CHARS = 80;

// Two comparisons at once would share the provider's rate limit.
const BUSY = fail(
  "in_progress",
  "Another comparison is running. Nothing was compared; try again in a moment.",
);

let running: { period: Period; outcome: Promise<Outcome<Reconciliation>> } | null = null;

/** Loads the page before a comparison. @param fields `from` and `to`; missing ones have defaults */
export async function loadEmptyView(fields: Fields, now: Date): Promise<ReconciliationView> {
  return { ...(await loadForm(fields, now)), problem: null, result: null };
}

async function loadForm(fields: Fields, now: Date) {
  const usual = choosePeriod(now);
  const typed = parseDays(fields);
  const period = { from: typed.from || usual.from, to: typed.to || usual.to };
  const daily = await loadDailyRuns(period, now);
  const months = [0, -1].map((ago) => {
    const month = addMonths(monthOf(now), ago);
    const { from, to } = daysOf(month);
    const end = ago === 0 ? formatIsoDay(now) : to;
    return { name: formatMonth(month), to: buildAddress("/mail/reconciliation", { from, to: end }) };
  });
  return { period, limitSeconds: LIMIT_SECONDS, months, daily };
}

/** Compares the days of a posted form. The page shows the result, or the failure. */
export async function compareDays(
  fields: Fields,
  now: Date,
): Promise<{ view: ReconciliationView; failure: Failure | null }> {
  const form = await loadEmptyView(fields, now);
  const period = parsePeriod(parseDays(fields), now);
  const compared = period.ok ? await compareAlone(period.value) : period;
  if (!compared.ok) {
    return { view: { ...form, problem: compared.failure.message }, failure: compared.failure };
  }
  const payments = env().stripe ? await reconcileStripe(compared.value.period) : null;
  return { view: { ...form, result: toResult(compared.value, payments, now) }, failure: null };
}

interface Fields {
  get(name: string): FormDataEntryValue | null;
}

function parseDays(fields: Fields): Period {
  return { from: String(fields.get("from") ?? ""), to: String(fields.get("to") ?? "") };
}

/** Loads the daily runs of these days, or the last ones; none when the database fails. */
async function loadDailyRuns(period: Period, now: Date) {
  const valid = parsePeriod(period, now);
  const loaded = await withDatabase(async (db) => {
    const runs = valid.ok ? await listDailyRuns(db, valid.value) : [];
    return runs.length > 0 ? runs : loadFinishedRuns(db);
  });
  if (!loaded.ok) return [];
  return loaded.value.flatMap(({ name, finishedAt, differences, problem }) => {
    const title = DAILY_TITLES[name];
    if (title === undefined) return [];
    const tone: Tone = differences > 0 ? "bad" : problem === null ? "ok" : "warn";
    const at = formatMoment(finishedAt, now);
    return [{ key: `${name} ${at.iso}`, title, at, result: formatDailyResult(differences, problem), tone }];
  });
}

/** Runs one comparison at a time in this process; a second request for the same days gets the same result. */
async function compareAlone(period: Period): Promise<Outcome<Reconciliation>> {
  if (running) {
    const same = running.period.from === period.from && running.period.to === period.to;
    return same ? running.outcome : BUSY;
  }
  running = { period, outcome: reconcile(period, { limitMs: LIMIT_SECONDS * 1000 }) };
  try {
    return await running.outcome;
  } finally {
    running = null;
  }
}

function toResult(found: Reconciliation, payments: Outcome<StripeReconciliation> | null, now: Date) {
  const { findings, behind, foreign, baseUrls } = found;
  const paid = payments?.ok ? payments.value : null;
  const isComplete = found.isComplete && (payments === null || paid?.isComplete === true);
  const differences = findings.length + (paid?.findings.length ?? 0);
  const isReached = baseUrls.some(({ problem }) => problem === null);
  const tone: Tone = differences > 0 ? "bad" : isComplete ? "ok" : "warn";
  return {
    tone,
    summary: formatResult(found, { differences, isReached, isComplete }),
    statement: [...stateMail(found), ...(paid ? statePayments(paid) : [])],
    baseUrls: baseUrls.map(({ label, url, pieces, problem }) => ({ label, url, pieces, problem })),
    payments: payments && (payments.ok ? formatPayments(payments.value) : payments.failure.message),
    foreign: cut("Not from Mailroom", foreign, (piece) => toForeignRow(piece, now)),
    groups: [
      ...GROUPS.map(({ title, kinds }) => {
        const own = findings.filter(({ kind }) => kinds.includes(kind));
        return cut(title, own, (finding) => toFindingRow(finding, now));
      }),
      cut("Payments that differ", paid?.findings ?? [], toPaymentRow),
    ],
    behind: cut("Status not up to date here", behind, toBehindRow),
  };
}

/** Keeps the first items of a section, and the number of all. */
function cut<Item, Row>(title: string, items: readonly Item[], toRow: (item: Item) => Row) {
  return { title, count: items.length, rows: items.slice(0, SHOWN).map(toRow) };
}

function stateMail({ totals: { ours, theirs }, foreign }: Reconciliation) {
  const currency = env().providerCurrency;
  const cost = (amount: number) => formatCost(amount, currency);
  return [
    stateLine("Pieces charged", ours.pieces, theirs.pieces, formatInteger),
    stateLine("Credits charged", ours.credits, theirs.credits, formatInteger),
    stateLine("Provider's price", roundCost(ours.cost), roundCost(theirs.cost), cost),
    ...(foreign.length > 0
      ? [toForeignLine("Not from Mailroom", cost(foreign.reduce((sum, piece) => sum + (piece.cost ?? 0), 0)))]
      : []),
  ];
}

function roundCost(sum: number): number {
  return Math.round(sum * 10_000) / 10_000;
}

/** Builds a line that our books do not have. */
function toForeignLine(what: string, theirs: string) {
  return { what, ours: "—", theirs, difference: "—" };
}

function statePayments({ totals, money }: StripeReconciliation) {
  const inMoney = (currency: string) => (cents: number) => formatMoney(cents, currency);
  return [
    ...totals.flatMap(({ currency, ours, theirs, refundedCents }) => [
      stateLine("Purchases", ours.purchases, theirs.purchases, formatInteger),
      stateLine("Credits sold", ours.credits, theirs.credits, formatInteger),
      stateLine("Paid by card", ours.cents, theirs.cents, inMoney(currency)),
      ...(refundedCents > 0
        ? [toForeignLine("Refunded by Stripe", formatMoney(refundedCents, currency))]
        : []),
    ]),
    ...money.map(({ currency, feeCents }) => toForeignLine("Stripe's fees", formatMoney(feeCents, currency))),
  ];
}

function stateLine(what: string, ours: number, theirs: number, format: (amount: number) => string) {
  return { what, ours: format(ours), theirs: format(theirs), difference: format(theirs - ours) };
}

function toFindingRow({ kind, send, mailId, what, next }: Finding, now: Date) {
  return {
    key: `${kind} ${send?.id} ${mailId}`,
    title: send ? titleOf(send) : "A piece that is not ours",
    sentAt: send && formatMoment(send.createdAt, now),
    id: mailId && `mail ID ${mailId}`,
    what,
    next,
    link: send && { to: `/sends/${encodeURIComponent(send.id)}`, text: "View piece" },
  };
}

function toPaymentRow({ kind, checkoutId, buyer, stripeId, what, next }: StripeFinding): FindingRow {
  return {
    key: `${kind} ${checkoutId} ${stripeId}`,
    title: buyer === null ? "A payment that is not ours" : `Purchase of ${buyer}`,
    sentAt: null,
    id: stripeId ?? checkoutId,
    what,
    next,
    link: buyer === null ? null : { to: purchaseAddress(checkoutId), text: "View purchase" },
  };
}

function toBehindRow({ send, mailId, here, there }: Behind) {
  return { id: send.id, title: titleOf(send), mailId, here, there, tone: toneOf(there) };
}

function toForeignRow({ id, type, status, cost, tags, createdAt }: Listed, now: Date) {
  return {
    key: `${id} ${type} ${createdAt?.getTime()}`,
    mailId: id,
    type,
    status,
    tone: toneOf(status),
    cost: cost === null ? "" : cost.toFixed(2),
    tags: shortenTags(tags),
    createdAt: createdAt && formatMoment(createdAt, now),
  };
}

/** Adds spaces, which the provider leaves out between tags, and cuts long ones. */
function shortenTags(tags: string): string {
  const spaced = tags.split(/,\s*/).join(", ");
  return spaced.length > SHOWN_TAGS_CHARS ? `${spaced.slice(0, SHOWN_TAGS_CHARS)}...` : spaced;
}

function titleOf({ type, payer }: { type: string; payer: string }): string {
  return `${capitalise(type)} of ${payer}`;
}

/** @param isReached true when at least one account was compared */
function formatResult(
  { agreed, moving, unseen, isRead }: Pick<Reconciliation, "agreed" | "moving" | "unseen" | "isRead">,
  { differences, isReached, isComplete }: { differences: number; isReached: boolean; isComplete: boolean },
): string {
  const sentences: string[] = [];
  if (!isReached) sentences.push("The provider could not be reached, so its pieces were not compared.");
  if (differences > 0) sentences.push(`${formatCount(differences, "difference")} found.`);
  else if (isReached)
    sentences.push(isComplete ? ALL_AGREE : "No differences so far, but not everything could be compared.");
  if (isReached)
    sentences.push(
      `${formatCount(agreed, "piece")} ${agreed === 1 ? "matches" : "match"} the provider's list.`,
    );
  if (unseen > 0) {
    const reason = isRead ? KEY_MISSING : "Try again when the provider answers.";
    sentences.push(`${formatCount(unseen, "charged piece")} could not be compared. ${reason}`);
  }
  if (moving > 0)
    sentences.push(
      `${formatCount(moving, "piece")} ${moving === 1 ? "is" : "are"} still being sent or cancelled; compare later.`,
    );
  return sentences.join(" ");
}

function formatPayments({ agreed, foreign, waiting, isComplete }: StripeReconciliation): string {
  return [
    `${formatCount(agreed, "purchase")} paid at Stripe, with credits added.`,
    foreign > 0 ? `${formatCount(foreign, "payment")} of the account not from Mailroom.` : "",
    waiting > 0 ? `${formatCount(waiting, "payment")} of the last hour, to be compared later.` : "",
    isComplete ? "" : "Not all could be read: choose fewer days.",
  ]
    .filter(Boolean)
    .join(" ");
}

/** @param problem why not everything could be compared, or null */
function formatDailyResult(differences: number, problem: string | null): string {
  const found = differences > 0 ? `${formatCount(differences, "difference")}: see the alarms.` : null;
  return [found, problem].filter(Boolean).join(" ") || ALL_AGREE;
}
