import { toActorId } from "~/people/actor";
import { formatMoment } from "~/ui/moment";
import { formatAddressCheck } from "../address-note";
import type { EventSource } from "../cancel/cancel-transitions.server";
import { RECOVERY } from "../event-sources";
import { formatMailedThoughTest } from "../messages";
import type { PieceEvent } from "../piece-events.server";
import type { SendRecord } from "../send/find-send.server";
import { toneOf } from "../status";
import { capitalise, EVENT_SOURCES, EVENTS, formatHold } from "./messages";
import type { MoneyRow, TimelineEvent } from "./piece-details";

/** A ledger row of the piece. */
export interface LedgerRow {
  id: bigint;
  transactionType: string;
  amount: number;
  balanceAfter: number;
  actorId: string;
  createdAt: Date;
}

/** A status that the provider reported. */
export interface ReportedStatus {
  status: string;
  source: "send" | EventSource;
  at: Date;
  saidAt: Date | null;
}

type NameOf = (id: string) => string;
type Dated = Omit<TimelineEvent, "at"> & { time: Date };

/** Everything that happened to a piece and its credits, oldest first. */
export function listEvents(
  send: SendRecord,
  parts: { rows: LedgerRow[]; statuses: ReportedStatus[]; history: PieceEvent[] },
  nameOf: NameOf,
  now: Date,
): TimelineEvent[] {
  const events = [
    ...listAround(send, nameOf, now),
    ...dropRepeated(parts.history.flatMap((event) => toHistoryEvents(event, send, nameOf))),
    ...dropUnchanged(parts.statuses).map((status) => toStatusEvent(status, send.settledAt ?? send.createdAt)),
    ...parts.rows.map((row) => toLedgerEvent(row, send, nameOf)),
  ];
  return events
    .map((event, place) => ({ event, place }))
    .sort((a, b) => a.event.time.getTime() - b.event.time.getTime() || a.place - b.place)
    .map(({ event: { time, ...rest } }) => ({ at: formatMoment(time, now), ...rest }));
}

/** What the history has no row of. */
function listAround(send: SendRecord, nameOf: NameOf, now: Date): Dated[] {
  const checked = formatAddressCheck(send.addressCheck, nameOf(toActorId(send.actorId, send.via)));
  const lookedFor = {
    text: EVENTS.checked(send.attempts - 1),
    by: EVENT_SOURCES[RECOVERY],
    tone: "plain",
  } as const;
  return [
    ...(checked ? [{ ...checked, time: send.createdAt, by: "" }] : []),
    ...(send.attempts > 1 ? [{ ...lookedFor, time: send.settledAt ?? now }] : []),
  ];
}

/** What a row of the history says. Statuses and bookings have rows of their own. */
function toHistoryEvents(event: PieceEvent, send: SendRecord, nameOf: NameOf): Dated[] {
  const { kind, note, at: time, source } = event;
  const known = event.actorId !== "provider" && event.actorId !== "system";
  const by = known ? nameOf(event.actorId) : source === RECOVERY ? EVENT_SOURCES[RECOVERY] : "";
  const noted = (tone: Dated["tone"]): Dated[] =>
    note === null ? [] : [{ time, text: capitalise(note), by, tone }];
  const accepted: Dated = {
    time,
    text: EVENTS.accepted(event.providerId),
    by: event.durationMs === null ? "" : `${event.durationMs.toLocaleString("en")} ms`,
    tone: "ok",
  };
  switch (kind) {
    case "reserve":
      return [{ time, text: EVENTS.sent(event.credits ?? send.cost, send.mailType), by, tone: "plain" }];
    case "recordUnexpected":
      return [
        {
          time,
          text: EVENTS.sentAsTest(send.mailType),
          by: nameOf(toActorId(send.actorId, send.via)),
          tone: "plain",
        },
        ...noted("warn"),
        accepted,
      ];
    case "accept":
      return [...noted("warn"), accepted];
    case "refuse":
      return [
        ...noted("bad"),
        { time, text: EVENTS.released(event.credits ?? send.cost), by: "", tone: "ok" },
      ];
    case "decideNotMailed":
    case "giveUp":
      return noted("plain");
    case "startCancel":
      return [{ time, text: EVENTS.cancelRequested(nameOf(event.actorId)), by: "", tone: "plain" }];
    case "postpone":
    case "cancelUnclear":
    case "dropCancel":
      return noted("warn");
    case "askForReview":
      return noted("bad");
    case "alarm":
      return [{ time, text: EVENTS.alarm(note ?? ""), by, tone: "bad" }];
    case "begin":
    case "confirmCancel":
      return [];
  }
}

/** Recovery may learn the same again and again: the first time is enough. */
function dropRepeated(events: Dated[]): Dated[] {
  const seen = new Set<string>();
  return events.filter(({ text, by }) => {
    const said = `${text}\n${by}`;
    if (seen.has(said)) return false;
    seen.add(said);
    return true;
  });
}

/** Drops reports of a status that was known already, by a webhook after a refresh for example. */
function dropUnchanged(statuses: ReportedStatus[]): ReportedStatus[] {
  return statuses.filter(({ status }, place) => status !== statuses[place - 1]?.status);
}

/** The provider rounds its times to seconds, so a status may seem older than the acceptance. */
function toStatusEvent({ status, source, at, saidAt }: ReportedStatus, acceptedAt: Date): Dated {
  const said = saidAt !== null && saidAt < at ? saidAt : at;
  return {
    time: said < acceptedAt ? acceptedAt : said,
    text: EVENTS.status(status),
    by: EVENT_SOURCES[source],
    tone: toneOf(status) === "bad" ? "bad" : "plain",
  };
}

function toLedgerEvent(row: LedgerRow, send: SendRecord, nameOf: NameOf): Dated {
  return {
    time: row.createdAt,
    text: EVENTS.ledger(row.transactionType, row.amount || send.cost, row.balanceAfter),
    by: `${nameOf(row.actorId)}, ledger #${row.id}`,
    tone: row.transactionType === "debit" ? "plain" : "ok",
  };
}

/** False for a test that the provider mailed: nothing was held for it. */
function hadHold({ mailType, note }: SendRecord): boolean {
  return note !== formatMailedThoughTest(mailType);
}

/** The hold, where there was one, and the ledger rows of a piece. */
export function listMoney(send: SendRecord, rows: LedgerRow[]): MoneyRow[] {
  const hold: MoneyRow = { id: null, what: formatHold(send), change: "", balance: null };
  const booked = rows.map((row) => ({
    id: Number(row.id),
    what:
      { debit: "Charge", refund: "Refund", release: "Release" }[row.transactionType] ?? row.transactionType,
    change: row.transactionType === "debit" ? `−${row.amount}` : row.amount === 0 ? "0" : `+${row.amount}`,
    balance: row.balanceAfter,
  }));
  return hadHold(send) ? [hold, ...booked] : booked;
}
