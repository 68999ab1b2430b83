import { MAIL_PRICES } from "~/catalogue/prices";
import { listNeedsApproval } from "~/credits/approval-limit.server";
import { loadAccount } from "~/credits/ledger/ledger.server";
import { loadRemaining } from "~/credits/ledger/reservations.server";
import { findRate } from "~/outside/mail-provider/call/rate.server";
import type { Viewer } from "~/people/viewer.server";
import { findShownStatus } from "~/pieces/shown-status";
import type { PieceState } from "~/pieces/states";
import { SELECT_STATE } from "~/pieces/transition-sql.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { AddressVerdict } from "~/sending/address-note";
import { formatMoment } from "~/ui/moment";
import { Prisma } from "../../../prisma/client/client";
import {
  ACTIVE_STATES,
  type BulkList,
  type Design,
  isTested,
  OPEN_STATES,
  type RowState,
} from "../bulk-list";
import { listUnmapped, RECIPIENT_FIELDS } from "../columns";
import { formatCountry } from "../countries";
import { buildRules, listCountries, listPlaceholders, loadDesign } from "../design.server";
import { findList } from "../list-record.server";
import { NO_LIST } from "../messages";
import { isCorrectable, listOwnUses } from "../rows/edit-rows.server";
import { mayDecide } from "../sending/list-approval.server";
import { estimateMinutes } from "../sending/list-pace";
import {
  type AddressChecks,
  type ListView,
  ROW_FILTERS,
  ROWS_PER_PAGE,
  type RowFilter,
  type Tone,
} from "./list-view";
import { buildPreview, selectRows, toEntry, toForm } from "./row-views.server";

const RATE_WINDOW_SECONDS = 60;
const EMPTY_COUNTS: Record<RowState, number> = {
  ready: 0,
  problem: 0,
  left_out: 0,
  sending: 0,
  checking: 0,
  sent: 0,
  refused: 0,
};

/** The page of a list as its address asks for it. Fails with `not_found`, or as the database does. */
export async function loadListPage(
  id: string,
  url: URL,
  viewer: Pick<Viewer, "id">,
  now: Date,
): Promise<Outcome<ListView>> {
  const loaded = await withDatabase(async (db) => {
    const list = await findList(db, id);
    const design = list && (await loadDesign(db, id));
    return list && design ? { list, design, ...(await loadParts(db, list, url)) } : null;
  });
  if (!loaded.ok) return loaded;
  if (!loaded.value) return fail("not_found", NO_LIST);
  const {
    list,
    design,
    counts,
    rows,
    chosen,
    statuses,
    names,
    money,
    account,
    testCost,
    recent,
    page,
    pages,
    filter,
    sample,
    checks,
  } = loaded.value;
  const rules = buildRules(list, design);
  const placeholders = listPlaceholders(design);
  const editable = list.state === "draft";
  const total = counts.ready + counts.sending + counts.checking + counts.sent + counts.refused;
  const done = counts.sent + counts.refused + counts.checking;
  const cost = counts.ready * MAIL_PRICES[list.mailType];
  const available = account.balance - account.held;
  const rate = findRate(design.baseUrl);
  const left = total - done;
  return succeed({
    id,
    name: list.name,
    mailType: list.mailType,
    state: list.state,
    note: list.note,
    payer: names.payer,
    by: names.actor,
    createdAt: formatMoment(list.createdAt, now),
    startedAt: list.startedAt && formatMoment(list.startedAt, now),
    endedAt: list.endedAt && formatMoment(list.endedAt, now),
    erased: list.erasedAt !== null,
    importPercent: list.importPercent,
    importLost: list.importLost,
    addressChecks:
      OPEN_STATES.includes(list.state) && list.columns.length > 0 ? sumChecks(checks, counts, list) : null,
    columns: list.columns.map((name, at) => ({
      name,
      use: list.mapping[at] ?? "",
      sample: sample[at] ?? "",
    })),
    uses: editable ? listUses(listOwnUses(design, list.columns)) : [],
    country: list.country,
    countries: editable
      ? listCountries(list.mailType).map((code) => ({ code, name: formatCountry(code) }))
      : [],
    unmapped: list.columns.length > 0 ? listUnmapped(list.mapping, placeholders, list.country) : [],
    counts,
    statuses: sumStatuses(statuses),
    money,
    cancellable: statuses
      .filter(({ state, status }) => state === "accepted" && (status === "received" || status === "queued"))
      .reduce((sum, { count }) => sum + count, 0),
    cancelling: list.cancelActorId !== null,
    filter,
    page,
    pages,
    rows: rows.map((row) => toEntry(row, list, rules)),
    form: chosen && isCorrectable(list, chosen.state) ? toForm(chosen, list) : null,
    preview: chosen && !list.erasedAt ? await buildPreview(chosen, list, design, url) : null,
    quote:
      OPEN_STATES.includes(list.state) && counts.ready > 0
        ? {
            rows: counts.ready,
            cost,
            available,
            missing: Math.max(0, cost - available),
            providerCost: formatProviderCost(testCost, counts.ready, design.home),
            minutes: estimateMinutes(counts.ready, rate),
            tested: isTested(list),
            needsApproval: listNeedsApproval(cost),
            buyUrl: `/users?${new URLSearchParams({ view: "purchase", user_id: list.userId })}`,
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
            mayDecide: mayDecide(list, viewer.id),
          }
        : null,
    approvedBy: names.approver,
    background: env().reconcileIntervalMs > 0,
  });
}

async function loadParts(db: Db, list: BulkList, url: URL) {
  const { id } = list;
  const asked = url.searchParams.get("show") ?? "all";
  const filter: RowFilter = Object.hasOwn(ROW_FILTERS, asked) ? (asked as RowFilter) : "all";
  const found = await db.$queryRaw<{ state: RowState; count: number }[]>`
    SELECT state, count(*)::int AS count FROM bulk_rows WHERE list_id = ${id} GROUP BY state`;
  // While a file is imported, or after an import that failed, there is nothing to show.
  const imported = list.columns.length > 0;
  const counts = { ...EMPTY_COUNTS };
  if (imported) for (const { state, count } of found) counts[state] = count;
  const shown = filter === "all" ? Object.values(counts).reduce((a, b) => a + b, 0) : counts[filter];
  const pages = Math.max(1, Math.ceil(shown / ROWS_PER_PAGE));
  const page = Math.min(pages, Math.max(1, Number.parseInt(url.searchParams.get("page") ?? "1", 10) || 1));
  const inFilter = filter === "all" ? Prisma.empty : Prisma.sql`AND r.state = ${filter}`;
  const rows = imported
    ? await selectRows(
        db,
        id,
        Prisma.sql`${inFilter} ORDER BY r.number LIMIT ${ROWS_PER_PAGE}::int OFFSET ${(page - 1) * ROWS_PER_PAGE}::int`,
      )
    : [];
  const number = Number.parseInt(url.searchParams.get("row") ?? "", 10);
  const wanted = Number.isInteger(number) && number > 0 && number < 1e7 ? number : null;
  const [chosen = null] = imported
    ? await selectRows(
        db,
        id,
        wanted !== null
          ? Prisma.sql`AND r.number = ${wanted}::int`
          : list.state === "awaiting_approval" || OPEN_STATES.includes(list.state)
            ? Prisma.sql`AND r.state = 'ready' ORDER BY r.number LIMIT 1`
            : Prisma.sql`AND false`,
      )
    : [];
  const pieces = await db.$queryRaw<
    { rowState: RowState; state: PieceState; status: string | null; count: number; charged: number }[]
  >`
    SELECT r.state AS "rowState", p.state, i.status, count(*)::int AS count, sum(p.charged)::int AS charged
    FROM bulk_rows r JOIN (SELECT id, charged, ${SELECT_STATE} FROM sends) p ON p.id = r.send_id
      LEFT JOIN mail_items i ON i.send_id = r.send_id
    WHERE r.list_id = ${id} AND r.send_id IS NOT NULL GROUP BY r.state, p.state, i.status`;
  const sumCharged = (some: typeof pieces) => some.reduce((sum, { charged }) => sum + charged, 0);
  const checks = await db.$queryRaw<CheckCount[]>`
    SELECT state, address_check AS verdict, count(*)::int AS count FROM bulk_rows
    WHERE list_id = ${id} AND address_check IS NOT NULL GROUP BY state, address_check`;
  const [recent] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM sends
    WHERE credit_reservation_id = ${list.reservationId} AND state <> 'refused' AND created_at > now() - ${RATE_WINDOW_SECONDS}::int * interval '1 second'`;
  const [test] = await db.$queryRaw<{ cost: string | null }[]>`
    SELECT t.cost FROM bulk_rows r JOIN tested_pieces t ON t.id = r.tested_piece_id
    WHERE r.list_id = ${id} AND r.tested_version = ${list.version}::int AND t.cost IS NOT NULL LIMIT 1`;
  const people = await db.$queryRaw<{ id: string; name: string }[]>`
    SELECT id, display_name AS name FROM users 
    WHERE id IN (${list.actorId}, ${list.userId}, ${list.approval?.askedBy ?? null}, ${list.approvedBy})`;
  const nameOf = (who: string) => people.find((person) => person.id === who)?.name ?? who;
  return {
    counts,
    filter,
    page,
    pages,
    rows,
    chosen,
    statuses: pieces.filter(({ rowState }) => rowState === "checking" || rowState === "sent"),
    money: {
      reserved: list.reservationId === null ? 0 : await loadRemaining(db, list.reservationId),
      charged: sumCharged(pieces),
      refunded: sumCharged(pieces.filter(({ state }) => state === "cancelled")),
    },
    recent: recent?.count ?? 0,
    testCost: test?.cost ?? null,
    account: await loadAccount(db, list.userId),
    names: {
      actor: nameOf(list.actorId),
      payer: nameOf(list.userId),
      asker: nameOf(list.approval?.askedBy ?? ""),
      approver: list.approvedBy === null ? null : nameOf(list.approvedBy),
    },
    checks,
    sample: rows[0] ? (JSON.parse(rows[0].cells) as string[]) : [],
  };
}

function listUses(own: readonly string[]): ListView["uses"] {
  return [
    ...Object.entries(RECIPIENT_FIELDS).map(([value, label]) => ({ value, label })),
    ...own
      .filter((name) => !Object.hasOwn(RECIPIENT_FIELDS, name))
      .map((name) => ({ value: `{${name}}`, label: `{${name}}` })),
  ];
}

function sumStatuses(
  statuses: { state: PieceState; status: string | null; count: number }[],
): ListView["statuses"] {
  const sums = new Map<string, { word: string; tone: Tone; count: number }>();
  for (const { state, status, count } of statuses) {
    const { word, tone } = findShownStatus(state, status);
    const sum = sums.get(word) ?? { word, tone, count: 0 };
    sums.set(word, { ...sum, count: sum.count + count });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count);
}

/** Rows of a state by what the provider said of their addresses. */
interface CheckCount {
  state: RowState;
  verdict: AddressVerdict;
  count: number;
}

function sumChecks(
  checks: readonly CheckCount[],
  counts: Record<RowState, number>,
  list: Pick<BulkList, "checkingAddresses">,
): AddressChecks {
  const sum = (fits: (check: CheckCount) => boolean) =>
    checks.filter(fits).reduce((all, { count }) => all + count, 0);
  return {
    valid: sum(({ verdict }) => verdict === "valid"),
    notFound: sum(({ verdict }) => verdict === "not_found"),
    unchecked: sum(({ verdict }) => verdict === "unchecked"),
    left: counts.ready - sum(({ state }) => state === "ready"),
    checking: list.checkingAddresses,
  };
}

function formatProviderCost(cost: string | null, rows: number, home: Design["home"]): string | null {
  const each = Number(cost ?? "");
  if (cost === null || !Number.isFinite(each)) return null;
  const sum = (each * rows).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return home === "US" ? `$${sum}` : sum;
}
