import { toneOf } from "~/pieces/status";
import { withDatabase } from "~/platform/database/database.server";
import { type Failure, fail, type Outcome } from "~/platform/outcome";
import { formatMoment } from "~/ui/moment";
import { loadFinishedRuns, type RunName } from "./daily/runs.server";
import { ALL_AGREE, count } from "./messages";
import { type Reconciliation, reconcile } from "./reconcile.server";
import {
  type Behind,
  type Comparison,
  type Finding,
  GROUPS,
  type Listed,
  type Period,
} from "./reconciliation";
import { choosePeriod, parsePeriod } from "./reconciliation.schema.server";
import type { BehindRow, FindingRow, ReconciliationView } from "./reconciliation-view";

/** The parts that are compared once a day. */
const DAILY_TITLES: Partial<Record<RunName, string>> = {
  ledger: "The ledger with itself",
  provider: "The last 7 days with the provider",
  stripe: "The last 7 days with Stripe",
  webhook: "The events of the provider's webhook",
};

/** For the page; `npm run reconcile` may take longer. */
const LIMIT_SECONDS = 20;
const SHOWN = 100;
const SHOWN_TAGS_CHARS = 80;

// Two comparisons at once would share the provider's rate limit.
const BUSY = fail(
  "in_progress",
  "Another comparison is running. Nothing was compared; try again in a moment.",
);

let running: { period: Period; outcome: Promise<Outcome<Reconciliation>> } | null = null;

/** The form for these days. @param fields `from` and `to`; the usual days where they are missing */
export async function showDays(fields: Fields, now: Date): Promise<ReconciliationView> {
  const usual = choosePeriod(now);
  const given = parseDays(fields);
  const period = { from: given.from || usual.from, to: given.to || usual.to };
  const daily = await loadDailyRuns(now);
  return { period, limitSeconds: LIMIT_SECONDS, daily, problem: null, result: null };
}

/** Compares the days of the form. */
export async function compareDays(
  fields: Fields,
  now: Date,
): Promise<{ view: ReconciliationView; failure: Failure | null }> {
  const form = await showDays(fields, now);
  const period = parsePeriod(parseDays(fields), now);
  const compared = period.ok ? await compareAlone(period.value) : period;
  if (!compared.ok) {
    return { view: { ...form, problem: compared.failure.message }, failure: compared.failure };
  }
  return { view: { ...form, result: toResult(compared.value, now) }, failure: null };
}

interface Fields {
  get(name: string): FormDataEntryValue | null;
}

function parseDays(fields: Fields): { from: string | undefined; to: string | undefined } {
  const read = (name: string) => {
    const value = fields.get(name);
    return typeof value === "string" ? value : undefined;
  };
  return { from: read("from"), to: read("to") };
}

/** How the comparisons that run by themselves ended last; none where the database does not say. */
async function loadDailyRuns(now: Date): Promise<ReconciliationView["daily"]> {
  const loaded = await withDatabase(loadFinishedRuns);
  if (!loaded.ok) return [];
  return loaded.value.flatMap(({ name, finishedAt, differences, problem }) => {
    const title = DAILY_TITLES[name];
    if (title === undefined) return [];
    const tone = differences > 0 ? "bad" : problem === null ? "ok" : "warn";
    const at = formatMoment(finishedAt, now);
    return [{ name, title, at, result: formatDailyResult(differences, problem), tone }];
  });
}

/** One comparison at a time in this process; a second request for the same days gets the same result. */
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

function toResult(found: Reconciliation, now: Date): NonNullable<ReconciliationView["result"]> {
  const { findings, behind, foreign, baseUrls, isComplete } = found;
  const isReached = baseUrls.some(({ problem }) => problem === null);
  return {
    tone: findings.length > 0 ? "bad" : isComplete ? "ok" : "warn",
    summary: formatResult(found, { isReached, isComplete }),
    baseUrls: baseUrls.map(({ label, url, pieces, problem }) => ({ label, url, pieces, problem })),
    groups: GROUPS.map(({ group, title }) => {
      const own = findings.filter((finding) => finding.group === group);
      return {
        title,
        count: own.length,
        findings: own.slice(0, SHOWN).map((row) => toFindingRow(row, now)),
      };
    }).filter(({ count }) => count > 0),
    behind: behind.slice(0, SHOWN).map(toBehindRow),
    behindCount: behind.length,
    foreign: foreign.slice(0, SHOWN).map((piece) => toForeignRow(piece, now)),
    foreignCount: foreign.length,
  };
}

function toFindingRow({ kind, send, mailId, what, next }: Finding, now: Date): FindingRow {
  return {
    key: `${kind} ${send?.id} ${mailId}`,
    kind,
    title: send ? titleOf(send) : "A piece that is not ours",
    sentAt: send && formatMoment(send.createdAt, now),
    mailId,
    what,
    next,
    pieceUrl: send && `/sends/${encodeURIComponent(send.id)}`,
  };
}

function toBehindRow({ send, mailId, here, there }: Behind): BehindRow {
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

/** "billing, first-notice": the provider has no spaces between them. */
function shortenTags(tags: string): string {
  const spaced = tags.split(/,\s*/).join(", ");
  return spaced.length > SHOWN_TAGS_CHARS ? `${spaced.slice(0, SHOWN_TAGS_CHARS)}...` : spaced;
}

function titleOf({ type, payer }: { type: string; payer: string }): string {
  return `${type === "letter" ? "Letter" : "Postcard"} of ${payer}`;
}

/** The result in a few sentences. `isReached`: at least one account could be asked. */
function formatResult(
  { agreed, findings, moving, unseen }: Pick<Comparison, "agreed" | "findings" | "moving" | "unseen">,
  { isReached, isComplete }: { isReached: boolean; isComplete: boolean },
): string {
  const sentences: string[] = [];
  if (!isReached) sentences.push("The provider could not be asked, so nothing was compared.");
  else if (findings.length > 0) sentences.push(`${count(findings.length, "difference")} found.`);
  else
    sentences.push(isComplete ? ALL_AGREE : "No differences so far, but not everything could be compared.");
  if (isReached) sentences.push(`${count(agreed, "piece")} charged here and found at the provider.`);
  if (unseen > 0) {
    sentences.push(
      `${count(unseen, "charged piece")} could not be compared; try again when the provider answers.`,
    );
  }
  if (moving > 0) sentences.push(`${count(moving, "piece")} still being sent or cancelled; compare later.`);
  return sentences.join(" ");
}

/** The end of a comparison that the schedule started. @param problem why not everything could be compared, or null */
function formatDailyResult(differences: number, problem: string | null): string {
  const found = differences > 0 ? `${count(differences, "difference")}: see the alarms.` : null;
  return [found, problem].filter(Boolean).join(" ") || ALL_AGREE;
}
