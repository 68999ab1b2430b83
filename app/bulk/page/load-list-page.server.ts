import { MAIL_PRICES } from "~/catalogue/prices";
import { loadAccount, loadRemaining } from "~/credits/ledger/ledger.server";
import { formatCost } from "~/credits/purchases/format-money";
import { findRate } from "~/outside/mail-provider/call/pace.server";
import { loadNames } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import type { PieceState } from "~/pieces/states";
import { findShownStatus } from "~/pieces/status";
import type { Db } from "~/platform/database/client";
import { env } from "~/platform/env.server";
import { formatInteger } from "~/platform/format-integer";
import { succeed, type ValueOf } from "~/platform/outcome";
import { MINUTE_MS } from "~/platform/time";
import { formatMoment } from "~/ui/moment";
import { ACTIVE_STATES, type ListState, OPEN_STATES, type ProblemCode, type RowState } from "../bulk-list";
import { formatCountry, listUnmapped } from "../columns";
import { listRowsOwners } from "../import/import-list.server";
import type { BulkList } from "../list-record.server";
import {
  type ListToSend,
  listAtProvider,
  listCountries,
  listRequired,
  withTemplate,
} from "../list-template.server";
import { formatStartTime } from "../messages";
import { mayDecide, needsApproval } from "../sending/list-approval.server";
import { estimateMinutes } from "../sending/list-pace.server";
import { MAILED, PROOF_ROWS } from "./list-proof.server";
import type { RowFilter, Tone } from "./list-view";
import { drawRow, listUses, loadColumns, loadRows, toEntry, toForm } from "./load-rows.server";

export type ListView = ValueOf<typeof loadListPage>;
export type AddressChecksView = NonNullable<ListView["addressChecks"]>;
export type Quote = NonNullable<ListView["quote"]>;
export type Approval = NonNullable<ListView["approval"]>;

interface Counts
  extends Record<RowFilter | RowState | "valid" | "notFound" | "unchecked" | "notChecked", number> {
  firstReady: number | null;
}

/** Pieces of a list with the same states. */
interface PieceCount {
  rowState: RowState;
  state: PieceState;
  status: string | null;
  count: number;
  charged: number;
}

/** Loads the page of a list for its address. Fails with `not_found`. */
export async function loadListPage(id: string, url: URL, viewer: Pick<Viewer, "id">, now: Date) {
  const loaded = await withTemplate(id, async (db, found) => {
    const { list, template, rules } = found;
    const counts = await countRows(db, list);
    const { rows, chosen, ...shown } = await loadRows(db, list, counts, url);
    const pieces = await countPieces(db, id);
    const sum = (field: "count" | "charged", isWanted: (piece: PieceCount) => boolean) =>
      pieces.filter(isWanted).reduce((all, piece) => all + piece[field], 0);
    const { actorId, starterId, userId, approvedBy } = list;
    const people = [actorId, starterId, userId, approvedBy, list.approval?.askedBy ?? null];
    const nameOf = await loadNames(db, people);
    const account = await loadAccount(db, userId);
    const available = account.balance - account.held;
    const isDraft = list.state === "draft";
    const imported = list.columns.length > 0;
    const required = listRequired(template);
    const approval = list.state === "awaiting_approval" ? list.approval : null;
    const view = {
      ...shown,
      id,
      counts,
      name: list.name,
      mailType: list.mailType,
      state: list.state,
      /** Why the list waits or is paused. */
      note: list.note,
      payer: nameOf(userId),
      by: nameOf(actorId),
      /** The actor of its pieces. */
      startedBy: nameOf(starterId),
      approvedBy: approvedBy && nameOf(approvedBy),
      /** About every row. */
      warnings: [...(template.warnings ?? []), ...listAtProvider(template)],
      createdAt: formatMoment(list.createdAt, now),
      startedAt: list.startedAt && formatMoment(list.startedAt, now),
      /** The end of its last start, unless it was started again. */
      endedAt: list.endedAt && OPEN_STATES.includes(list.state) ? formatMoment(list.endedAt, now) : null,
      /** A start that can still be undone, or waits for approval. */
      starting: list.startsAt && toStarting(list.startsAt, list.state, counts.ready, now),
      erased: list.erasedAt && formatMoment(list.erasedAt, now),
      importPercent: list.importPercent,
      importLost: list.importLost,
      /** Lists whose rows this list can take while it has none. */
      rowsOwners: isDraft && !imported ? await listRowsOwners(db, id) : [],
      addressChecks:
        OPEN_STATES.includes(list.state) && imported
          ? {
              isRunning: list.checkingAddresses,
              minutes: estimateMinutes(counts.notChecked, findRate(template.baseUrl)),
            }
          : null,
      columns: await loadColumns(db, list, required, rows[0]?.cells),
      uses: isDraft ? listUses(template, list.columns) : [],
      /** Placeholders without a default in the text. */
      required,
      country: list.country,
      countries: isDraft
        ? listCountries(list.mailType).map((code) => ({ code, name: formatCountry(code) }))
        : [],
      unmapped: imported ? listUnmapped(list.mapping, required, list.country) : [],
      /** Rows to correct that a person may allow. */
      allowable: imported ? await countAllowable(db, id) : [],
      money: {
        reserved: list.reservationId === null ? 0 : await loadRemaining(db, list.reservationId),
        charged: sum("charged", () => true),
        refunded: sum("charged", ({ state }) => state === "cancelled"),
      },
      statuses: sumStatuses(pieces.filter(isHandedOver)),
      /** Parts of its proof of mailing; 0 when nothing was mailed. */
      proofs: Math.ceil(sum("count", ({ state }) => MAILED.includes(state)) / PROOF_ROWS),
      cancellable: sum("count", (piece) => isHandedOver(piece) && isCancellable(piece)),
      cancelling: list.cancelActorId !== null,
      rows: rows.map((row) => toEntry(row, list, rules)),
      form: chosen && toForm(chosen, list),
      quote: await loadQuote(db, found, counts.ready, available, viewer.id),
      progress: await loadProgress(db, list, counts),
      approval: approval && {
        askedBy: nameOf(approval.askedBy),
        askedAt: formatMoment(new Date(approval.askedAt), now),
        rows: approval.rows,
        cost: approval.rows * MAIL_PRICES[list.mailType],
        available,
        /** False for the requester, the list's maker, and people who changed its rows. */
        mayDecide: await mayDecide(db, list, viewer.id),
      },
      /** True when this server does background work; else nothing is sent. */
      background: env().reconcileIntervalMs > 0,
    };
    return { found, chosen, view };
  });
  if (!loaded.ok) return loaded;
  const { found, chosen, view } = loaded.value;
  const preview = chosen && !found.list.erasedAt ? await drawRow(chosen, found, url) : null;
  return succeed({ ...view, preview });
}

/** Counts the rows of a list by their states and checks. Counts nothing during an import, or after a failed one. */
async function countRows(db: Db, { id, columns }: BulkList): Promise<Counts> {
  const [counts] = await db.$queryRaw<[Counts]>`
    SELECT count(*)::int AS "all", count(*) FILTER (WHERE state = 'ready')::int AS ready,
      count(*) FILTER (WHERE state = 'problem')::int AS problem, count(*) FILTER (WHERE state = 'left_out')::int AS left_out,
      count(*) FILTER (WHERE state = 'sending')::int AS sending, count(*) FILTER (WHERE state = 'checking')::int AS checking,
      count(*) FILTER (WHERE state = 'sent')::int AS sent, count(*) FILTER (WHERE state = 'refused')::int AS refused,
      count(warning) FILTER (WHERE state = 'ready')::int AS warned, min(number) FILTER (WHERE state = 'ready')::int AS "firstReady",
      count(*) FILTER (WHERE address_check = 'valid')::int AS valid,
      count(*) FILTER (WHERE address_check = 'not_found')::int AS "notFound",
      count(*) FILTER (WHERE address_check = 'unchecked')::int AS unchecked,
      count(*) FILTER (WHERE state = 'ready' AND address_check IS NULL)::int AS "notChecked"
    FROM bulk_rows WHERE list_id = ${id} AND ${columns.length > 0}`;
  return counts;
}

function countPieces(db: Db, id: string): Promise<PieceCount[]> {
  return db.$queryRaw<PieceCount[]>`
    SELECT r.state AS "rowState", p.state, i.status, count(*)::int AS count, sum(p.charged)::int AS charged
    FROM bulk_rows r JOIN (SELECT id, charged, state FROM sends) p ON p.id = r.send_id
      LEFT JOIN mail_items i ON i.send_id = r.send_id
    WHERE r.list_id = ${id} AND r.send_id IS NOT NULL GROUP BY r.state, p.state, i.status`;
}

function countAllowable(db: Db, id: string) {
  return db.$queryRaw<{ code: ProblemCode; count: number }[]>`
    SELECT problem_code AS code, count(*)::int AS count FROM bulk_rows
    WHERE list_id = ${id} AND state = 'problem' AND problem_code IS NOT NULL GROUP BY problem_code ORDER BY problem_code`;
}

function isHandedOver({ rowState }: PieceCount): boolean {
  return rowState === "checking" || rowState === "sent";
}

/** True when a piece may still be cancelled, by its status. */
function isCancellable({ state, status }: PieceCount): boolean {
  return state === "accepted" && (status === "received" || status === "queued");
}

/** Shows the time of a start unless it is less than a minute away and needs no approval. */
function toStarting(at: Date, state: ListState, rows: number, now: Date) {
  const isSoon = state === "running" && at.getTime() - now.getTime() < MINUTE_MS;
  return {
    text: isSoon ? `Starting ${formatInteger(rows)} pieces…` : `${formatStartTime(at)}.`,
    isSoon,
    value: at.toISOString().slice(0, 16),
  };
}

function sumStatuses(pieces: readonly PieceCount[]) {
  const sums = new Map<string, { word: string; tone: Tone; count: number }>();
  for (const { state, status, count } of pieces) {
    const { word, tone } = findShownStatus(state, status);
    sums.set(word, { word, tone, count: (sums.get(word)?.count ?? 0) + count });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count);
}

async function loadQuote(
  db: Db,
  { list, template }: ListToSend,
  rows: number,
  available: number,
  viewerId: string,
) {
  if (!OPEN_STATES.includes(list.state) || rows === 0) return null;
  const cost = rows * MAIL_PRICES[list.mailType];
  const [test] = await db.$queryRaw<{ cost: string | null }[]>`
    SELECT t.cost FROM bulk_rows r JOIN tested_pieces t ON t.id = r.tested_piece_id
    WHERE r.list_id = ${list.id} AND r.tested_version = ${list.version}::int AND t.cost IS NOT NULL LIMIT 1`;
  const providerCost = Number(test?.cost ?? Number.NaN) * rows;
  return {
    rows,
    cost,
    available,
    missing: Math.max(0, cost - available),
    providerCost: Number.isFinite(providerCost) ? formatCost(providerCost, env().providerCurrency) : null,
    minutes: estimateMinutes(rows, findRate(template.baseUrl)),
    tested: list.tested,
    needsApproval: await needsApproval(db, list.id, cost, viewerId),
    buyUrl: `/users?${new URLSearchParams({ view: "purchase", user_id: list.userId, list: list.id })}`,
  };
}

async function loadProgress(db: Db, list: BulkList, counts: Counts) {
  if (!ACTIVE_STATES.includes(list.state)) return null;
  const [recent] = await db.$queryRaw<[{ pieces: number }]>`
    SELECT count(*)::int AS pieces FROM sends
    WHERE credit_reservation_id = ${list.reservationId} AND state <> 'refused' AND created_at > now() - interval '1 minute'`;
  const done = counts.sent + counts.refused + counts.checking;
  const left = counts.ready + counts.sending;
  const perMinute = recent.pieces;
  const minutesLeft = left > 0 && perMinute > 0 ? Math.ceil(left / perMinute) : null;
  return { done, total: done + left, perMinute, minutesLeft };
}
