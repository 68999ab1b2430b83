import { formatCredits } from "~/credits/format-credits";
import { findPaidWith, formatPaidPart, paidPartAddress } from "~/credits/ledger/paid-with.server";
import { formatCost } from "~/credits/purchases/format-money";
import { formatSentHeaders } from "~/outside/mail-provider/call/client.server";
import { maskHeaders, maskKey } from "~/outside/mail-provider/call/keys.server";
import { parseInlineRecipient } from "~/outside/mail-provider/request-fields";
import { formatActorName, personOf } from "~/people/actor";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { fail, type ValueOf } from "~/platform/outcome";
import { capitalise } from "~/platform/sentence";
import { formatIsoDay } from "~/platform/time";
import { formatName, parseSentBody, selectText } from "~/recipients/addressee.server";
import { formatDay, formatMoment } from "~/ui/moment";
import type { CreditTransaction, MailItem, PrismaClient } from "../../../prisma/client/client";
import { NO_PIECE } from "../messages";
import { listPieceEvents } from "../piece-events.server";
import { findPiecePdf, PDF_DAYS } from "../piece-pdf.server";
import { isErasedRequest, loadRequestBody, reduceFiles } from "../send/request-body.server";
import { findSend, IS_LIST_OF_SEND, type SendRecord } from "../send/send-record.server";
import { isChecking } from "../states";
import { findTestedPiece } from "../tested/tested-piece.server";
import { formatNoPdf, formatOutcome, formatRepeatRisk, MAILED_UNPAID } from "./messages";
import { findStateWord, listEvents, listMoney, type ReportedStatus, toItemView } from "./piece-view.server";

export type PieceDetails = ValueOf<typeof loadPieceDetails>;

/** Loads everything that is known of one piece. Fails with `not_found`, or as the database does. */
export function loadPieceDetails(id: string, now: Date) {
  return withDatabase(async (db) => {
    const send = await findSend(db, id);
    return send ? describe(db, send, now) : fail("not_found", NO_PIECE);
  });
}

async function describe(db: PrismaClient, send: SendRecord, now: Date) {
  const { id, state, answerStatus, answerText } = send;
  const body = await loadRequestBody(db, id);
  const isErased = isErasedRequest(body);
  const orderBy = { id: "asc" } as const;
  const rows = await db.creditTransaction.findMany({ where: { referenceResponseId: id }, orderBy });
  const history = await listPieceEvents(db, id);
  const item = await db.mailItem.findUnique({ where: { id } });
  const events = await db.mailEvent.findMany({ where: { itemId: id }, orderBy });
  const statuses = events.map(({ saidAt, ...event }) => ({
    ...event,
    reportedAt: saidAt,
  })) as ReportedStatus[];
  const stored = await db.storedResponse.findFirst({ where: { sendId: id, deletedAt: null } });
  const tested = send.testedPieceId === null ? null : await findTestedPiece(db, send.testedPieceId);
  const pdf = await findPiecePdf(db, id, send.ageSeconds);
  const purchases = await findPaidWith(db, id);
  const [sentTo] = await db.$queryRaw<SentTo[]>`
    SELECT s.recipient_name AS addressee, s.recipient_place AS place, l.id AS "listId", l.name AS "listName"
    FROM sends s LEFT JOIN bulk_lists l ON ${IS_LIST_OF_SEND} WHERE s.id = ${id}`;
  const actors = [send.userId, send.actorId, ...[...history, ...rows].map(({ actorId }) => actorId)];
  const people = await db.user.findMany({ where: { id: { in: actors.map(personOf) } } });
  const names = new Map(people.map((person) => [person.id, person.displayName]));
  const nameOf = (who: string) => formatActorName(who, names.get(personOf(who)) ?? null);
  const payer = nameOf(send.userId);
  // Its cause was deleted, and an alarm opened. Old pieces have no cause either.
  const isDisproved =
    state === "refused" &&
    send.releaseCause === null &&
    (await db.alarm.count({ where: { subjectType: "piece", subjectId: id } })) > 0;
  const delivery = item?.status === "delivered" && statuses.find(({ status }) => status === "delivered");
  return {
    id,
    type: send.mailType,
    title: formatTitle(send.mailType, parseSentBody(body), formatKnown(item ?? sentTo)),
    state,
    shown: isDisproved ? MAILED_UNPAID : findStateWord(state, item?.status ?? null),
    ...formatOutcome(
      send,
      payer,
      delivery ? formatDay(formatIsoDay(delivery.reportedAt ?? delivery.at)) : null,
      isDisproved,
    ),
    checking: isChecking(state),
    /** True while recovery may send it again. A person can end that. */
    retried: state === "unknown" && send.givenUpBy === null,
    payer,
    list: sentTo?.listId ? { id: sentTo.listId, name: sentTo.listName } : null,
    piece: item && toItemView(state, item, statuses, now),
    pdf:
      pdf === "shown"
        ? { url: `/sends/${id}/piece.pdf` }
        : { missing: formatNoPdf(state, isErased ? "erased" : pdf, PDF_DAYS) },
    events: listEvents(send, { rows, statuses, history }, nameOf, now),
    tested: tested && { at: formatMoment(tested.createdAt, now), price: formatQuote(tested.cost) },
    money: listMoney(send, rows, history),
    purchases: purchases.map((part) => ({ text: formatPaidPart(part), to: paidPartAddress(part) })),
    /** Empty when the records agree, null while it is not settled. */
    disagreements: findDisagreements(send, rows, item),
    request: {
      method: send.method,
      url: maskKey(send.url),
      headers: Object.entries(maskHeaders(formatSentHeaders(JSON.parse(send.requestHeaders)))),
      body: maskKey(reduceFiles(body)),
    },
    answer: answerStatus === null ? null : { status: answerStatus, text: answerText ?? "" },
    price: item?.providerCost ? formatCost(Number(item.providerCost), env().providerCurrency, 2) : null,
    /** The danger of sending it again; null when it was not mailed. */
    repeatRisk: formatRepeatRisk(send, isDisproved),
    isErased,
    stored: stored && {
      url: `/stored/${encodeURIComponent(stored.id)}`,
      at: formatMoment(stored.createdAt, now),
      tags: stored.tags,
    },
  };
}

/** The recipient, shown while the piece has no mail item, and the list that sent it; null for none. */
interface SentTo extends Pick<MailItem, "addressee" | "place"> {
  listId: string | null;
  listName: string;
}

/**
 * Formats a title like "Postcard 4x6 to recipient 1001" from the request.
 * @param known details of a recipient whom it names by an ID: "Ana Lopez, Austin"
 */
function formatTitle(mailType: string, fields: Record<string, unknown>, known: string | null): string {
  const size = mailType === "postcard" && typeof fields.size === "string" ? ` ${fields.size}` : "";
  return `${capitalise(mailType)}${size}${formatRecipient(fields, known)}`;
}

function formatRecipient(fields: Record<string, unknown>, known: string | null): string {
  const { recipient } = fields;
  if (typeof recipient === "string" || typeof recipient === "number") {
    return ` to ${known ?? `recipient ${recipient}`}`;
  }
  const details = parseInlineRecipient(fields);
  const name = formatName(details);
  if (name === null) return "";
  return ` to ${[name, selectText(details, "city")].filter(Boolean).join(", ")}`;
}

/** Formats the recipient that the item knows; null when it only knows an ID. */
function formatKnown(sentTo: Pick<MailItem, "addressee" | "place"> | undefined): string | null {
  if (!sentTo?.addressee || sentTo.addressee.startsWith("Recipient ")) return null;
  return [sentTo.addressee, sentTo.place].filter(Boolean).join(", ");
}

/** Formats the price that a test quoted; as the provider wrote it when that is no number. */
function formatQuote(cost: string | null): string | null {
  return cost === null || !Number.isFinite(Number(cost))
    ? cost
    : formatCost(Number(cost), env().providerCurrency, 2);
}

/**
 * Compares the ledger and the mail item with the piece: a sentence for each difference, none when they agree. Null while
 * the piece is not settled.
 */
function findDisagreements({ state, charged }: SendRecord, rows: CreditTransaction[], item: MailItem | null) {
  const sum = (type: string) =>
    rows.filter((row) => row.transactionType === type).reduce((total, row) => total + row.amount, 0);
  const debited = sum("debit");
  const refunded = sum("refund");
  const faults: string[] = [];
  if (state === "refused") {
    if (debited > 0) faults.push(`Nothing was mailed, but ${formatCredits(debited)} were charged.`);
    if (item) faults.push("Nothing was mailed, but Mail Management lists it.");
    return faults;
  }
  if (state !== "accepted" && state !== "cancelled") return null;
  const cancelled = state === "cancelled";
  const owed = cancelled ? charged : 0;
  if (debited !== charged) {
    faults.push(`The piece says ${formatCredits(charged)} charged, the ledger says ${debited}.`);
  }
  if (refunded !== owed) {
    faults.push(`${formatCredits(owed)} should be refunded, the ledger says ${refunded}.`);
  }
  if (!item) faults.push("Mail Management does not list this piece.");
  if (item && item.isCancelled !== cancelled) {
    const word = item.isCancelled ? "cancelled" : "not cancelled";
    faults.push(`The piece is ${state}, but Mail Management shows it as ${word}.`);
  }
  return faults;
}
