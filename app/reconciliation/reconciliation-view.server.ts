import { toneOf } from "~/pieces/status";
import { type Failure, fail, type Outcome } from "~/platform/outcome";
import { formatMoment } from "~/ui/moment";
import { type Reconciliation, reconcile } from "./reconcile.server";
import { type Behind, type Finding, GROUPS, type Listed, type Period } from "./reconciliation";
import { choosePeriod, parsePeriod } from "./reconciliation.schema.server";
import type { BehindRow, FindingRow, ReconciliationView } from "./reconciliation-view";

/** A page waits no longer; `npm run reconcile` does. */
const LIMIT_SECONDS = 20;
const SHOWN = 100;
const SHOWN_TAGS_CHARS = 80;

const BUSY = fail(
  "in_progress",
  "Another comparison is running; two would share the provider's rate limit. Nothing was compared; try again in a moment.",
);

let running: { period: Period; outcome: Promise<Outcome<Reconciliation>> } | null = null;

/** What the page shows at this address: with `from` or `to` it compares, without them it offers to. */
export async function loadReconciliation(
  parameters: URLSearchParams,
  now: Date,
): Promise<{ view: ReconciliationView; failure: Failure | null }> {
  const given = { from: parameters.get("from") ?? undefined, to: parameters.get("to") ?? undefined };
  const usual = choosePeriod(now);
  const typed = { from: given.from || usual.from, to: given.to || usual.to };
  const nothing = { period: typed, limitSeconds: LIMIT_SECONDS, problem: null, result: null };
  if (given.from === undefined && given.to === undefined) return { view: nothing, failure: null };
  const period = parsePeriod(given, now);
  const compared = period.ok ? await compareAlone(period.value) : period;
  if (!compared.ok) {
    return { view: { ...nothing, problem: compared.failure.message }, failure: compared.failure };
  }
  return { view: { ...nothing, result: describe(compared.value, now) }, failure: null };
}

/** One at a time in this process; whoever asks for the same days meanwhile gets the same. */
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

function describe(found: Reconciliation, now: Date): NonNullable<ReconciliationView["result"]> {
  const { findings, behind, foreign, places, isComplete } = found;
  return {
    tone: findings.length > 0 ? "bad" : isComplete ? "ok" : "warn",
    verdict: tellVerdict(found),
    places: places.map(({ label, url, pieces, problem }) => ({ label, url, pieces, problem })),
    groups: GROUPS.map(({ group, title }) => {
      const own = findings.filter((finding) => finding.group === group);
      return {
        title,
        count: own.length,
        findings: own.slice(0, SHOWN).map((row) => describeFinding(row, now)),
      };
    }).filter(({ count }) => count > 0),
    behind: behind.slice(0, SHOWN).map(describeBehind),
    behindCount: behind.length,
    foreign: foreign.slice(0, SHOWN).map((piece) => describeForeign(piece, now)),
    foreignCount: foreign.length,
  };
}

function tellVerdict({ agreed, findings, places, isComplete, moving, unseen }: Reconciliation): string {
  const nowhere = places.every(({ problem }) => problem !== null);
  const sentences = nowhere
    ? ["The provider could not be asked, so nothing was compared."]
    : [
        findings.length > 0
          ? `${count(findings.length, "thing")} to look into.`
          : isComplete
            ? "All agree."
            : "What could be looked at agrees, but that is not all.",
        `${count(agreed, "piece")} charged here ${agreed === 1 ? "is" : "are"} at the provider, as charged.`,
      ];
  if (unseen > 0) {
    sentences.push(
      `${count(unseen, "charged piece")} could not be compared; look again when the provider answers.`,
    );
  }
  if (moving > 0) sentences.push(`${count(moving, "send")} under way; compare later.`);
  return sentences.join(" ");
}

function describeFinding({ kind, send, mailId, what, next }: Finding, now: Date): FindingRow {
  return {
    key: `${kind} ${send?.id} ${mailId}`,
    kind,
    title: send ? titleOf(send) : "A piece of no known send",
    sentAt: send && formatMoment(send.createdAt, now),
    mailId,
    what,
    next,
    story: send && `/sends/${encodeURIComponent(send.id)}`,
  };
}

function describeBehind({ send, mailId, here, there }: Behind): BehindRow {
  return { id: send.id, title: titleOf(send), mailId, here, there, tone: toneOf(there) };
}

function describeForeign({ id, type, status, cost, tags, createdAt }: Listed, now: Date) {
  return {
    key: `${id} ${type} ${createdAt?.getTime()}`,
    mailId: id,
    type,
    status,
    tone: toneOf(status),
    cost: cost === null ? "" : cost.toFixed(2),
    tags: tags.length > SHOWN_TAGS_CHARS ? `${tags.slice(0, SHOWN_TAGS_CHARS)}...` : tags,
    createdAt: createdAt && formatMoment(createdAt, now),
  };
}

function titleOf({ type, payer }: { type: string; payer: string }): string {
  return `${type === "letter" ? "Letter" : "Postcard"} of ${payer}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
