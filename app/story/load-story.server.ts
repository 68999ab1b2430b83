import { countDigits, formatMoney } from "~/credits/purchases/format-money";
import { IS_LIST_OF_SEND } from "~/mail/piece-sql.server";
import { formatSentHeaders } from "~/outside/mail-provider/call/client.server";
import { maskHeaders, maskKey } from "~/outside/mail-provider/call/mask.server";
import { canSimulate } from "~/outside/mail-provider/simulate.server";
import { formatActorName, personOf } from "~/people/actor";
import { listPieceEvents } from "~/pieces/piece-events.server";
import { findPiecePdf, KEPT_DAYS } from "~/pieces/piece-pdf.server";
import { findSend, isErasedRequest, loadRequestBody } from "~/pieces/send/find-send.server";
import { reduceFiles } from "~/pieces/send/reduce-requests.server";
import { isChecking, isRetried } from "~/pieces/states";
import { findTestedPiece } from "~/pieces/tested/tested-record.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { parseJson } from "~/platform/json-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { formatMoment } from "~/ui/moment";
import type { PrismaClient } from "../../prisma/client/client";
import { findDisagreements } from "./books-agree";
import { formatNoPdf, formatOutcome, formatRepeatRisk, NOT_FOUND, REQUEST_ERASED } from "./messages";
import { toShown, toStoryPiece } from "./piece-view";
import { listPurchasesOf } from "./purchase.server";
import type { Story } from "./story";
import { listEvents, listMoney, type StoryStatus } from "./timeline";
import { formatTitle } from "./title";

/** Everything that is known of one piece. Fails with `not_found`, or as the database does. */
export async function loadStory(id: string, now: Date): Promise<Outcome<Story>> {
  const loaded = await withDatabase((db) => loadRecords(db, id));
  if (!loaded.ok) return loaded;
  if (!loaded.value) return fail("not_found", NOT_FOUND);
  const {
    send,
    list,
    addressee,
    body,
    pdf,
    history,
    tested,
    rows,
    item,
    statuses,
    stored,
    purchases,
    names,
  } = loaded.value;
  const nameOf = (who: string) => formatActorName(who, names.get(personOf(who)) ?? null);
  const { answerStatus, answerText, state } = send;
  const isErased = isErasedRequest(body);
  return succeed({
    id,
    type: send.mailType,
    title: formatTitle(send.mailType, parseFields(body), formatKnown(item ?? addressee)),
    state,
    shown: toShown(state, item?.status ?? null),
    ...formatOutcome(send),
    checking: isChecking(state),
    retried: isRetried(send),
    payer: nameOf(send.userId),
    list,
    piece: item && toStoryPiece(send, { ...item, canSimulate: canSimulate(item.baseUrl) }, statuses, now),
    pdf:
      pdf === "shown"
        ? { url: `/sends/${id}/piece.pdf` }
        : { missing: formatNoPdf(state, isErased ? "erased" : pdf, KEPT_DAYS) },
    events: listEvents(send, { rows, statuses, history }, nameOf, now),
    tested: tested && { at: formatMoment(tested.createdAt, now), price: formatQuote(tested.cost) },
    money: listMoney(send, rows),
    purchases,
    disagreements: findDisagreements({ ...send, rows, item }),
    request: {
      method: send.method,
      url: maskKey(send.url),
      headers: Object.entries(maskHeaders(formatSentHeaders(JSON.parse(send.requestHeaders)))),
      body: maskKey(reduceFiles(body)),
    },
    answer: answerStatus === null ? null : { status: answerStatus, text: answerText ?? "" },
    price: item?.providerCost ? formatProviderPrice(Number(item.providerCost)) : null,
    repeatRisk: formatRepeatRisk(send),
    obstacleToRepeat: isErased ? REQUEST_ERASED : null,
    stored: stored && {
      url: `/stored/${encodeURIComponent(stored.id)}`,
      at: formatMoment(stored.createdAt, now),
      tags: stored.tags,
    },
  });
}

/** All rows about one piece; null where there is no such piece. */
async function loadRecords(db: PrismaClient, id: string) {
  const send = await findSend(db, id);
  if (!send) return null;
  const rows = await db.creditTransaction.findMany({
    where: { referenceResponseId: id },
    orderBy: { id: "asc" },
  });
  const history = await listPieceEvents(db, id);
  const item = await db.mailItem.findUnique({ where: { id } });
  const events = await db.mailEvent.findMany({ where: { itemId: id }, orderBy: { id: "asc" } });
  const stored = await db.storedResponse.findFirst({ where: { sendId: id, deletedAt: null } });
  const actors = [send.userId, send.actorId, ...[...history, ...rows].map(({ actorId }) => actorId)];
  const people = await db.user.findMany({
    where: { id: { in: actors.map(personOf) } },
  });
  const sentTo = await db.send.findUnique({
    where: { id },
    select: { recipientName: true, recipientPlace: true },
  });
  const [list] = await db.$queryRaw<{ id: string; name: string }[]>`
    SELECT l.id, l.name FROM sends s JOIN bulk_lists l ON ${IS_LIST_OF_SEND} WHERE s.id = ${id}`;
  return {
    send,
    list: list ?? null,
    // The piece is no mail item yet.
    addressee: { addressee: sentTo?.recipientName ?? null, place: sentTo?.recipientPlace ?? null },
    body: await loadRequestBody(db, id),
    pdf: await findPiecePdf(db, id, send.ageSeconds),
    rows,
    history,
    item,
    statuses: events.map(({ status, source, at, saidAt }) => ({
      status,
      source: source as StoryStatus["source"],
      at,
      saidAt,
    })),
    stored,
    tested: send.testedPieceId === null ? null : await findTestedPiece(db, send.testedPieceId),
    purchases: await listPurchasesOf(db, id),
    names: new Map(people.map((person) => [person.id, person.displayName])),
  };
}

/** Null where the item itself only knows an ID. */
function formatKnown({
  addressee,
  place,
}: {
  addressee: string | null;
  place: string | null;
}): string | null {
  if (addressee === null || addressee.startsWith("Recipient ")) return null;
  return [addressee, place].filter(Boolean).join(", ");
}

/** What a test said it would cost; as the provider wrote it where that is no number. */
function formatQuote(cost: string | null): string | null {
  return cost === null || !Number.isFinite(Number(cost)) ? cost : formatProviderPrice(Number(cost));
}

/** "$0.99"; without a currency where none is configured. */
function formatProviderPrice(price: number): string {
  const currency = env().providerCurrency;
  return currency === null ? price.toFixed(2) : formatMoney(price * 10 ** countDigits(currency), currency, 2);
}

function parseFields(body: string): Record<string, unknown> {
  const parsed = parseJson(body);
  if (typeof parsed === "object" && parsed !== null) return parsed as Record<string, unknown>;
  return Object.fromEntries(new URLSearchParams(body));
}
