import { formatCredits } from "~/credits/format-credits";
import { canSimulate } from "~/outside/mail-provider/piece.server";
import { toActorId } from "~/people/actor";
import { formatInteger } from "~/platform/format-integer";
import { capitalise } from "~/platform/sentence";
import { type FormattedMoment, formatMoment } from "~/ui/moment";
import type { CreditTransaction, MailItem } from "../../../prisma/client/client";
import { formatAddressCheck } from "../address-note";
import type { EventSource } from "../cancel/cancel-transitions.server";
import { findCancelObstacle } from "../mail-item";
import { type PieceEvent, RECOVERY } from "../piece-events.server";
import type { SendRecord } from "../send/send-record.server";
import { isOpen, type PieceState } from "../states";
import { findStatus, formatStatus, isTooLate, type StatusTone, toneOf } from "../status";
import { STATE_WORDS } from "./messages";

export interface ReportedStatus {
  status: string;
  source: "send" | EventSource;
  at: Date;
  reportedAt: Date | null;
}

const EVENT_SOURCES = {
  send: "provider's answer",
  webhook: "reported by the provider",
  refresh: "status refresh",
  cancel: "cancel",
  [RECOVERY]: "checked by Mailroom",
} as const;

type NameOf = (id: string) => string;
export interface TimelineEvent {
  at: FormattedMoment;
  text: string;
  by: string;
  tone: "plain" | "ok" | "warn" | "bad";
}

type Dated = Omit<TimelineEvent, "at"> & { time: Date };

/** Lists everything that happened to a piece and its credits, oldest first. */
export function listEvents(
  send: SendRecord,
  parts: { rows: CreditTransaction[]; statuses: ReportedStatus[]; history: PieceEvent[] },
  nameOf: NameOf,
  now: Date,
): TimelineEvent[] {
  const events = [
    ...listUnrecordedEvents(send, nameOf, now),
    ...dropRepeated(parts.history.flatMap((event) => toHistoryEvents(event, send, nameOf))),
    ...dropUnchanged(parts.statuses).map((status) => toStatusEvent(status, send.settledAt ?? send.createdAt)),
    ...parts.rows.map((row) => toLedgerEvent(row, send, nameOf)),
  ];
  return events
    .sort((a, b) => a.time.getTime() - b.time.getTime())
    .map(({ time, ...rest }) => ({ at: formatMoment(time, now), ...rest }));
}

/** Lists events without a row in the history: the address check and the checks of recovery. */
function listUnrecordedEvents(send: SendRecord, nameOf: NameOf, now: Date): Dated[] {
  const { createdAt, settledAt, attempts } = send;
  const checked = formatAddressCheck(send.addressCheck, nameOf(toActorId(send.actorId, send.via)));
  const events: Dated[] = checked ? [{ ...checked, time: createdAt, by: "" }] : [];
  if (attempts > 1) {
    const times = attempts === 2 ? "once" : `${attempts - 1} times`;
    const text = `Checked ${times}; a check cannot mail it twice`;
    events.push({ text, by: EVENT_SOURCES[RECOVERY], tone: "plain", time: settledAt ?? now });
  }
  return events;
}

/** Formats a row of the history. Statuses and ledger rows are added from their own tables. */
function toHistoryEvents(event: PieceEvent, send: SendRecord, nameOf: NameOf): Dated[] {
  const { kind, note, at: time, source } = event;
  const isPerson = event.actorId !== "provider" && event.actorId !== "system";
  const by = isPerson ? nameOf(event.actorId) : source === RECOVERY ? EVENT_SOURCES[RECOVERY] : "";
  const toNote = (tone: Dated["tone"]): Dated[] =>
    note === null ? [] : [{ time, text: capitalise(note), by, tone }];
  const accepted: Dated = {
    time,
    text: `Accepted by the provider${event.providerId ? `, mail ID ${event.providerId}` : ""}`,
    by: event.durationMs === null ? "" : `${formatInteger(event.durationMs)} ms`,
    tone: "ok",
  };
  const credits = formatCredits(event.credits ?? send.cost);
  switch (kind) {
    case "reserve":
      return [{ time, text: `${credits} reserved, ${send.mailType} sent`, by, tone: "plain" }];
    case "recordUnexpected": {
      const text = `${capitalise(send.mailType)} mailed without a reservation`;
      const sender = nameOf(toActorId(send.actorId, send.via));
      return [{ time, text, by: sender, tone: "plain" }, ...toNote("warn"), accepted];
    }
    case "accept":
      return [...toNote("warn"), accepted];
    case "refuse":
      return [...toNote("bad"), { time, text: `${credits} released, nothing charged`, by: "", tone: "ok" }];
    case "decideNotMailed":
    case "giveUp":
      return toNote("plain");
    case "startCancel":
      return [{ time, text: `${nameOf(event.actorId)} requested a cancel`, by: "", tone: "plain" }];
    case "postpone":
    case "cancelUnclear":
    case "dropCancel":
      return toNote("warn");
    case "askForReview":
      return toNote("bad");
    case "alarm":
      return [{ time, text: `Alarm: ${note ?? ""}`, by, tone: "bad" }];
    case "begin":
    case "confirmCancel":
      return [];
  }
}

/** Drops repeated events: recovery may learn the same fact several times. */
function dropRepeated(events: Dated[]): Dated[] {
  const seen = new Set<string>();
  return events.filter(({ text, by }) => {
    const size = seen.size;
    return seen.add(`${text}\n${by}`).size > size;
  });
}

/** Drops reports of a status that was known already, by a webhook after a refresh for example. */
function dropUnchanged(statuses: ReportedStatus[]): ReportedStatus[] {
  return statuses.filter(({ status }, place) => status !== statuses[place - 1]?.status);
}

/** Dates a status no earlier than the acceptance: the provider rounds its times to seconds. */
function toStatusEvent({ status, source, at, reportedAt }: ReportedStatus, acceptedAt: Date): Dated {
  const time = reportedAt !== null && reportedAt < at ? reportedAt : at;
  return {
    time: time < acceptedAt ? acceptedAt : time,
    text: `Status ${formatStatus(status)}`,
    by: EVENT_SOURCES[source],
    tone: toneOf(status) === "bad" ? "bad" : "plain",
  };
}

const LEDGER_VERBS: Record<string, string> = { debit: "charged", refund: "refunded", release: "released" };

function toLedgerEvent(row: CreditTransaction, send: SendRecord, nameOf: NameOf): Dated {
  const verb = LEDGER_VERBS[row.transactionType] ?? "recorded";
  return {
    time: row.createdAt,
    text: `${formatCredits(row.amount || send.cost)} ${verb}, balance ${formatInteger(row.balanceAfter)}`,
    by: nameOf(row.actorId),
    tone: row.transactionType === "debit" ? "plain" : "ok",
  };
}

/** Lists the hold, if there was one, and the ledger rows of a piece. */
export function listMoney({ state, cost }: SendRecord, rows: CreditTransaction[], history: PieceEvent[]) {
  const end = isOpen(state) ? "not charged yet" : state === "refused" ? "then released" : "then charged";
  // The hold is no row of the ledger.
  const hold = { id: null, what: `${formatCredits(cost)} reserved, ${end}`, change: "", balance: null };
  const booked = rows.map((row) => ({
    id: Number(row.id),
    what:
      { debit: "Charge", refund: "Refund", release: "Release" }[row.transactionType] ?? row.transactionType,
    change: row.transactionType === "debit" ? `−${row.amount}` : row.amount === 0 ? "0" : `+${row.amount}`,
    balance: row.balanceAfter,
  }));
  const isUnexpected = history.some(({ kind }) => kind === "recordUnexpected");
  return isUnexpected ? booked : [hold, ...booked];
}

/** The provider's usual statuses, without cancelled and returned. */
const USUAL_STEPS = ["received", "producing", "handed_over", "local_delivery", "delivered"];

/** Finds the word beside a piece's title: the provider's status once it is mailed, else our state. */
export function findStateWord(state: PieceState, status: string | null): { word: string; tone: StatusTone } {
  if (state !== "accepted" || status === null) return STATE_WORDS[state];
  return { word: capitalise(formatStatus(status)), tone: toneOf(status) };
}

export type ItemView = ReturnType<typeof toItemView>;

/** Describes a mailed piece: its progress and its possible actions. */
export function toItemView(state: PieceState, item: MailItem, statuses: ReportedStatus[], now: Date) {
  const { status, isCancelled, providerId: mailItemId, test: isTest } = item;
  const refreshable = !isTest && !isCancelled && mailItemId !== null;
  const ranks = statuses.map((reported) => rankOf(reported.status));
  const lastUsual = Math.max(0, ...ranks.filter((rank) => USUAL_STEPS.some((word) => rankOf(word) === rank)));
  const words =
    status === "cancelled" || status === "returned"
      ? [...USUAL_STEPS.filter((word) => rankOf(word) <= lastUsual), status]
      : USUAL_STEPS;
  return {
    status,
    tone: toneOf(status),
    meaning: findStatus(status)?.meaning ?? "",
    cancellable: findCancelObstacle(isTest, mailItemId, state) === null,
    /** True when production has begun, so that a cancel will probably be refused. */
    tooLate: isTooLate(status),
    refreshable,
    simulatable:
      refreshable &&
      canSimulate(item.baseUrl) &&
      state === "accepted" &&
      rankOf(status) < rankOf("delivered"),
    steps: words.map((word) => {
      const reported = statuses.find((one) => rankOf(one.status) === rankOf(word));
      const at = reported ? (reported.reportedAt ?? reported.at) : null;
      return {
        status: reported?.status ?? word,
        at: at && formatMoment(at, now),
        reached: ranks.some((rank) => rank >= rankOf(word)) || word === status,
      };
    }),
  };
}

function rankOf(status: string): number {
  return findStatus(status)?.rank ?? 0;
}
