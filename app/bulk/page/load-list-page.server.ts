import { MAIL_PRICES } from "~/catalogue/prices";
import { findRate, type Rate } from "~/outside/mail-provider/call/pace.server";
import type { Viewer } from "~/people/viewer.server";
import type { PieceState } from "~/pieces/states";
import { findShownStatus } from "~/pieces/status";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { fail, succeed, type ValueOf } from "~/platform/outcome";
import { MINUTE_MS } from "~/platform/time";
import { formatMoment } from "~/ui/moment";
import { ACTIVE_STATES, type BulkList, type Design, OPEN_STATES, type RowState } from "../bulk-list";
import { listUnmapped, parseUse, RECIPIENT_FIELDS } from "../columns";
import { formatCountry } from "../countries";
import { buildRules, listAtProvider, listCountries, listRequired, loadDesign } from "../design.server";
import { listRowsOwners } from "../import/import-rows-of.server";
import { findList } from "../list-record.server";
import { NO_LIST } from "../messages";
import { isCorrectable, listOwnUses } from "../rows/edit-rows.server";
import { mayDecide, needsApproval } from "../sending/list-approval.server";
import { estimateMinutes } from "../sending/list-pace.server";
import { formatStarting, formatStartTime } from "../sending/messages";
import { MAILED, PROOF_ROWS } from "./list-proof.server";
import type { Tone } from "./list-view";
import { drawRow, toEntry, toForm } from "./row-views.server";
import { type CheckCount, selectList } from "./select-list.server";

/** The page of a list. */
export type ListView = ValueOf<typeof loadListPage>;
export type AddressChecks = NonNullable<ListView["addressChecks"]>;
export type Quote = NonNullable<ListView["quote"]>;
export type Approval = NonNullable<ListView["approval"]>;

/** Loads the page of a list for its address. Fails with `not_found`, or as the database does. */
export async function loadListPage(id: string, url: URL, viewer: Pick<Viewer, "id">, now: Date) {
  const loaded = await withDatabase(async (db) => {
    const list = await findList(db, id);
    const design = list && (await loadDesign(db, id));
    if (!list || !design) return fail("not_found", NO_LIST);
    const selected = await selectList(db, list, url);
    const cost = selected.view.counts.ready * MAIL_PRICES[list.mailType];
    return {
      list,
      design,
      selected,
      cost,
      rowsOwners: list.state === "draft" && list.columns.length === 0 ? await listRowsOwners(db, id) : [],
      toApprove: await needsApproval(db, list, cost, viewer.id),
      decides: await mayDecide(db, list, viewer.id),
    };
  });
  if (!loaded.ok) return loaded;
  const { list, design, selected, rowsOwners, cost, toApprove, decides } = loaded.value;
  const { view, rows, chosen, statuses, names, account, recent, sample, filled } = selected;
  const { counts } = view;
  const rules = buildRules(list, design);
  const editable = list.state === "draft";
  const total = counts.ready + counts.sending + counts.checking + counts.sent + counts.refused;
  const done = counts.sent + counts.refused + counts.checking;
  const available = account.balance - account.held;
  const rate = findRate(design.baseUrl);
  const left = total - done;
  return succeed({
    ...view,
    id,
    name: list.name,
    mailType: list.mailType,
    state: list.state,
    /** Why the list waits or is paused. */
    note: list.note,
    payer: names.payer,
    by: names.actor,
    /** The actor of its pieces. */
    startedBy: names.starter,
    atProvider: listAtProvider(design),
    createdAt: formatMoment(list.createdAt, now),
    startedAt: list.startedAt && formatMoment(list.startedAt, now),
    endedAt: list.endedAt && formatMoment(list.endedAt, now),
    /** A start that can still be undone, or waits for approval. */
    starting: list.startsAt && toStarting(list.startsAt, counts.ready, now),
    erased: list.erasedAt && formatMoment(list.erasedAt, now),
    importPercent: list.importPercent,
    importLost: list.importLost,
    /** Lists whose rows this list can take while it has none. */
    rowsOwners,
    addressChecks:
      OPEN_STATES.includes(list.state) && list.columns.length > 0
        ? sumChecks(selected.checks, counts, list, rate)
        : null,
    columns: list.columns.map((name, at) => ({
      name,
      ...parseUse(list.mapping[at] ?? ""),
      sample: sample[at] ?? "",
      /** Rows of a draft with a value in this unused column. */
      filled: filled.find((column) => column.at === at)?.count ?? null,
    })),
    uses: editable ? listUses(listOwnUses(design, list.columns)) : [],
    /** Placeholders without a default in the text. */
    required: listRequired(design),
    country: list.country,
    countries: editable
      ? listCountries(list.mailType).map((code) => ({ code, name: formatCountry(code) }))
      : [],
    unmapped: list.columns.length > 0 ? listUnmapped(list.mapping, listRequired(design), list.country) : [],
    statuses: sumStatuses(statuses),
    /** Parts of its proof of mailing; 0 when nothing was mailed. */
    proofs: Math.ceil(
      statuses.reduce((sum, { state, count }) => (MAILED.includes(state) ? sum + count : sum), 0) /
        PROOF_ROWS,
    ),
    /** Pieces that may still be cancelled, by their status. */
    cancellable: statuses
      .filter(({ state, status }) => state === "accepted" && (status === "received" || status === "queued"))
      .reduce((sum, { count }) => sum + count, 0),
    cancelling: list.cancelActorId !== null,
    rows: rows.map((row) => toEntry(row, list, rules)),
    form: chosen && isCorrectable(list, chosen.state) ? toForm(chosen, list) : null,
    preview: chosen && !list.erasedAt ? await drawRow(chosen, list, design, url) : null,
    quote:
      OPEN_STATES.includes(list.state) && counts.ready > 0
        ? {
            rows: counts.ready,
            cost,
            available,
            missing: Math.max(0, cost - available),
            providerCost: formatProviderCost(selected.testCost, counts.ready, design.home),
            minutes: estimateMinutes(counts.ready, rate),
            tested: list.tested,
            needsApproval: toApprove,
            buyUrl: `/users?${new URLSearchParams({ view: "purchase", user_id: list.userId, list: id })}`,
          }
        : null,
    progress: ACTIVE_STATES.includes(list.state)
      ? {
          done,
          total,
          perMinute: recent,
          minutesLeft: left > 0 && recent > 0 ? Math.ceil(left / recent) : null,
        }
      : null,
    approval:
      list.state === "awaiting_approval" && list.approval
        ? {
            askedBy: names.asker,
            askedAt: formatMoment(list.approval.askedAt, now),
            rows: list.approval.rows,
            cost: list.approval.rows * MAIL_PRICES[list.mailType],
            available,
            /** False for the requester, the list's maker, and people who changed its rows. */
            mayDecide: decides,
          }
        : null,
    approvedBy: names.approver,
    /** True when this server does background work; else nothing is sent. */
    background: env().reconcileIntervalMs > 0,
  });
}

/** Shows the time of a start unless it is less than a minute away. */
function toStarting(at: Date, rows: number, now: Date) {
  const isSoon = at.getTime() - now.getTime() < MINUTE_MS;
  return {
    text: isSoon ? formatStarting(rows) : `${formatStartTime(at)}.`,
    isSoon,
    value: at.toISOString().slice(0, 16),
  };
}

function listUses(own: readonly string[]) {
  return [
    ...Object.entries(RECIPIENT_FIELDS).map(([value, label]) => ({ value, label })),
    ...own
      .filter((name) => !Object.hasOwn(RECIPIENT_FIELDS, name))
      .map((name) => ({ value: `{${name}}`, label: `{${name}}` })),
  ];
}

function sumStatuses(statuses: { state: PieceState; status: string | null; count: number }[]) {
  const sums = new Map<string, { word: string; tone: Tone; count: number }>();
  for (const { state, status, count } of statuses) {
    const { word, tone } = findShownStatus(state, status);
    const sum = sums.get(word) ?? { word, tone, count: 0 };
    sums.set(word, { ...sum, count: sum.count + count });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count);
}

function sumChecks(
  checks: readonly CheckCount[],
  counts: Record<RowState, number>,
  list: Pick<BulkList, "checkingAddresses">,
  rate: Rate | null,
) {
  const sum = (fits: (check: CheckCount) => boolean) =>
    checks.filter(fits).reduce((all, { count }) => all + count, 0);
  const left = counts.ready - sum(({ state }) => state === "ready");
  return {
    valid: sum(({ verdict }) => verdict === "valid"),
    notFound: sum(({ verdict }) => verdict === "not_found"),
    unchecked: sum(({ verdict }) => verdict === "unchecked"),
    left,
    minutes: estimateMinutes(left, rate),
    checking: list.checkingAddresses,
  };
}

function formatProviderCost(cost: string | null, rows: number, home: Design["home"]): string | null {
  const each = Number(cost ?? "");
  if (cost === null || !Number.isFinite(each)) return null;
  const sum = (each * rows).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return home === "US" ? `$${sum}` : sum;
}
