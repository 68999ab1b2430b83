import type { EventSource } from "~/pieces/cancel/cancel-record.server";
import type { SendRecord } from "~/pieces/send/find-send.server";
import { tellAddressCheck } from "~/sending/address-note";
import { countCredits } from "~/sending/credit-outcome";
import { formatMoment } from "~/ui/moment";
import { capitalise } from "./outcome";
import type { StoryEvent, StoryMoney } from "./story";

/** A ledger row of the send. */
export interface StoryLedgerRow {
  id: bigint;
  transactionType: string;
  amount: number;
  balanceAfter: number;
  actorId: string;
  createdAt: Date;
}

/** A word of the provider's, as it was heard. */
export interface StoryStatus {
  status: string;
  source: "send" | EventSource;
  at: Date;
  saidAt: Date | null;
}

/** When somebody asked for the piece to be cancelled. */
export interface StoryCancel {
  actorId: string | null;
  askedAt: Date | null;
  reason: string | null;
  note: string | null;
}

type NameOf = (id: string) => string;
type Dated = Omit<StoryEvent, "at"> & { time: Date };

const SOURCES: Record<StoryStatus["source"], string> = {
  send: "its answer",
  webhook: "webhook",
  refresh: "status refresh",
  cancel: "its cancelling",
  reconcile: "reconciler",
};

/** All that happened to a send, its piece and its credits, in the order it happened. */
export function listEvents(
  send: SendRecord,
  parts: { rows: StoryLedgerRow[]; statuses: StoryStatus[]; cancel: StoryCancel },
  nameOf: NameOf,
  now: Date,
): StoryEvent[] {
  const events = [
    ...listSending(send, parts.rows, nameOf, now),
    ...listCancelling(parts.cancel, nameOf),
    ...parts.statuses.map((heard) => tellStatus(heard, send.settledAt ?? send.createdAt)),
    ...parts.rows.map((row) => tellRow(row, send, nameOf)),
  ];
  return events
    .map((event, place) => ({ event, place }))
    .sort((a, b) => a.event.time.getTime() - b.event.time.getTime() || a.place - b.place)
    .map(({ event: { time, ...rest } }) => ({ at: formatMoment(time, now), ...rest }));
}

function listSending(send: SendRecord, rows: StoryLedgerRow[], nameOf: NameOf, now: Date): Dated[] {
  const settled = send.settledAt ?? now;
  const asked = wasAskedFor(send);
  const checked = tellAddressCheck(send.addressCheck, nameOf(send.actorId));
  const events: Dated[] = [
    ...(checked ? [{ ...checked, time: send.createdAt, by: "" }] : []),
    {
      time: send.createdAt,
      text: asked
        ? `${countCredits(send.cost)} held, ${send.mailType} sent`
        : `${send.mailType} sent as a test`,
      by: nameOf(send.actorId),
      tone: "plain",
    },
  ];
  if (send.attempts > 1) {
    const times = send.attempts === 2 ? "once" : `${send.attempts - 1} times`;
    const text = `Asked again ${times}, with the same key and bytes`;
    events.push({ time: settled, text, by: "reconciler", tone: "plain" });
  }
  if (send.note) {
    const tone = send.state === "needs_review" ? "bad" : send.state === "refused" ? "plain" : "warn";
    events.push({ time: settled, text: capitalise(send.note), by: "", tone });
  }
  if (["accepted", "cancelling", "cancelled"].includes(send.state)) {
    const item = send.providerId ? `, item ${send.providerId}` : "";
    const by = send.durationMs === null ? "" : `${send.durationMs.toLocaleString("en")} ms`;
    events.push({ time: settled, text: `Provider accepted${item}`, by, tone: "ok" });
  }
  if (send.state === "refused" && rows.length === 0) {
    const text = `${countCredits(send.cost)} given back, nothing charged`;
    events.push({ time: settled, text, by: "", tone: "ok" });
  }
  return events;
}

function listCancelling({ actorId, askedAt, reason, note }: StoryCancel, nameOf: NameOf): Dated[] {
  if (askedAt === null) return [];
  const by = actorId === null ? "" : nameOf(actorId);
  const events: Dated[] = [{ time: askedAt, text: reason ?? "Cancelling asked for", by, tone: "plain" }];
  return note === null ? events : [...events, { time: askedAt, text: note, by: "", tone: "warn" }];
}

/** The provider tells its times by whole seconds: nothing is heard of a piece before it was accepted. */
function tellStatus({ status, source, at, saidAt }: StoryStatus, acceptedAt: Date): Dated {
  const said = saidAt !== null && saidAt < at ? saidAt : at;
  const stopped = status === "cancelled" || status === "returned";
  return {
    time: said < acceptedAt ? acceptedAt : said,
    text: `Status ${status.replaceAll("_", " ")}`,
    by: SOURCES[source],
    tone: stopped ? "bad" : "plain",
  };
}

function tellRow(row: StoryLedgerRow, send: SendRecord, nameOf: NameOf): Dated {
  const words =
    { debit: "charged", refund: "refunded", release: "released" }[row.transactionType] ?? "booked";
  return {
    time: row.createdAt,
    text: `${countCredits(row.amount || send.cost)} ${words}, balance ${row.balanceAfter.toLocaleString("en")}`,
    by: `${nameOf(row.actorId)}, ledger #${row.id}`,
    tone: row.transactionType === "debit" ? "plain" : "ok",
  };
}

/** False for a test that was mailed all the same, which nothing was held for. */
function wasAskedFor({ note }: SendRecord): boolean {
  return !note?.includes("although a test was asked for");
}

/** The hold, where there was one, and the ledger rows of a send. */
export function listMoney(send: SendRecord, rows: StoryLedgerRow[]): StoryMoney[] {
  const open = ["held", "unknown", "needs_review"].includes(send.state);
  const outcome = open ? "held now" : send.state === "refused" ? "given back" : "captured";
  const hold: StoryMoney = { id: null, what: `Hold of ${send.cost}, ${outcome}`, change: "", balance: null };
  const booked = rows.map((row) => ({
    id: Number(row.id),
    what:
      { debit: "Charge", refund: "Refund", release: "Release" }[row.transactionType] ?? row.transactionType,
    change: row.transactionType === "debit" ? `−${row.amount}` : row.amount === 0 ? "0" : `+${row.amount}`,
    balance: row.balanceAfter,
  }));
  return wasAskedFor(send) ? [hold, ...booked] : booked;
}
