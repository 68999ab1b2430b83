import type { EventSource } from "~/pieces/cancel/cancel-transitions.server";
import type { SendRecord } from "~/pieces/send/find-send.server";
import { formatAddressCheck } from "~/sending/address-note";
import { formatMailedThoughTest } from "~/sending/messages";
import { formatMoment } from "~/ui/moment";
import { capitalise, EVENT_SOURCES, EVENTS, formatHold } from "./messages";
import type { StoryEvent, StoryMoney } from "./story";

/** A ledger row of the piece. */
export interface StoryLedgerRow {
  id: bigint;
  transactionType: string;
  amount: number;
  balanceAfter: number;
  actorId: string;
  createdAt: Date;
}

/** A status that the provider reported. */
export interface StoryStatus {
  status: string;
  source: "send" | EventSource;
  at: Date;
  saidAt: Date | null;
}

/** Who asked for a cancel, and when. */
export interface StoryCancel {
  actorId: string | null;
  askedAt: Date | null;
  reason: string | null;
  note: string | null;
}

type NameOf = (id: string) => string;
type Dated = Omit<StoryEvent, "at"> & { time: Date };

/** Everything that happened to a piece and its credits, oldest first. */
export function listEvents(
  send: SendRecord,
  parts: { rows: StoryLedgerRow[]; statuses: StoryStatus[]; cancel: StoryCancel },
  nameOf: NameOf,
  now: Date,
): StoryEvent[] {
  const events = [
    ...listSending(send, parts.rows, nameOf, now),
    ...listCancelling(parts.cancel, nameOf),
    ...parts.statuses.map((heard) => toStatusEvent(heard, send.settledAt ?? send.createdAt)),
    ...parts.rows.map((row) => toLedgerEvent(row, send, nameOf)),
  ];
  return events
    .map((event, place) => ({ event, place }))
    .sort((a, b) => a.event.time.getTime() - b.event.time.getTime() || a.place - b.place)
    .map(({ event: { time, ...rest } }) => ({ at: formatMoment(time, now), ...rest }));
}

function listSending(send: SendRecord, rows: StoryLedgerRow[], nameOf: NameOf, now: Date): Dated[] {
  const settled = send.settledAt ?? now;
  const asked = hadHold(send);
  const checked = formatAddressCheck(send.addressCheck, nameOf(send.actorId));
  const events: Dated[] = [
    ...(checked ? [{ ...checked, time: send.createdAt, by: "" }] : []),
    {
      time: send.createdAt,
      text: asked ? EVENTS.sent(send.cost, send.mailType) : EVENTS.sentAsTest(send.mailType),
      by: nameOf(send.actorId),
      tone: "plain",
    },
  ];
  if (send.attempts > 1) {
    events.push({
      time: settled,
      text: EVENTS.retried(send.attempts - 1),
      by: EVENT_SOURCES.reconcile,
      tone: "plain",
    });
  }
  if (send.note) {
    const tone = send.state === "needs_review" ? "bad" : send.state === "refused" ? "plain" : "warn";
    events.push({ time: settled, text: capitalise(send.note), by: "", tone });
  }
  if (["accepted", "cancelling", "cancelled"].includes(send.state)) {
    const by = send.durationMs === null ? "" : `${send.durationMs.toLocaleString("en")} ms`;
    events.push({ time: settled, text: EVENTS.accepted(send.providerId), by, tone: "ok" });
  }
  if (send.state === "refused" && rows.length === 0) {
    events.push({ time: settled, text: EVENTS.released(send.cost), by: "", tone: "ok" });
  }
  return events;
}

function listCancelling({ actorId, askedAt, reason, note }: StoryCancel, nameOf: NameOf): Dated[] {
  if (askedAt === null) return [];
  const by = actorId === null ? "" : nameOf(actorId);
  const events: Dated[] = [{ time: askedAt, text: reason ?? EVENTS.cancelAsked, by, tone: "plain" }];
  return note === null ? events : [...events, { time: askedAt, text: note, by: "", tone: "warn" }];
}

/** The provider rounds its times to seconds, so a status may seem older than the acceptance. */
function toStatusEvent({ status, source, at, saidAt }: StoryStatus, acceptedAt: Date): Dated {
  const said = saidAt !== null && saidAt < at ? saidAt : at;
  const stopped = status === "cancelled" || status === "returned";
  return {
    time: said < acceptedAt ? acceptedAt : said,
    text: EVENTS.status(status),
    by: EVENT_SOURCES[source],
    tone: stopped ? "bad" : "plain",
  };
}

function toLedgerEvent(row: StoryLedgerRow, send: SendRecord, nameOf: NameOf): Dated {
  return {
    time: row.createdAt,
    text: EVENTS.booked(row.transactionType, row.amount || send.cost, row.balanceAfter),
    by: `${nameOf(row.actorId)}, ledger #${row.id}`,
    tone: row.transactionType === "debit" ? "plain" : "ok",
  };
}

/** False for a test that the provider mailed: nothing was held for it. */
function hadHold({ mailType, note }: SendRecord): boolean {
  return note !== formatMailedThoughTest(mailType);
}

/** The hold, where there was one, and the ledger rows of a piece. */
export function listMoney(send: SendRecord, rows: StoryLedgerRow[]): StoryMoney[] {
  const hold: StoryMoney = { id: null, what: formatHold(send), change: "", balance: null };
  const booked = rows.map((row) => ({
    id: Number(row.id),
    what:
      { debit: "Charge", refund: "Refund", release: "Release" }[row.transactionType] ?? row.transactionType,
    change: row.transactionType === "debit" ? `−${row.amount}` : row.amount === 0 ? "0" : `+${row.amount}`,
    balance: row.balanceAfter,
  }));
  return hadHold(send) ? [hold, ...booked] : booked;
}
