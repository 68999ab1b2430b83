import { describeHeaders } from "~/outside/mail-provider/client.server";
import { createMask, maskPairs } from "~/outside/mail-provider/mask.server";
import { hasPiecePdf } from "~/pieces/provider-pdf.server";
import { findSend, type SendRecord } from "~/pieces/send/find-send.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { parseJson } from "~/platform/json-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { findTestedPiece } from "~/sending/tested/tested-record.server";
import { formatMoment } from "~/ui/moment";
import type { PrismaClient } from "../../prisma/client/client";
import { findDisagreements } from "./agreement";
import { describePiece, tellOutcome } from "./outcome";
import { describeStoryPiece } from "./piece-view";
import { findPurchase } from "./purchase.server";
import type { SendStory } from "./story";
import { listEvents, listMoney, type StoryStatus } from "./timeline";

/** The whole story of one send (design §3). Fails with `not_found`, or as the database does. */
export async function readSendStory(id: string, now: Date): Promise<Outcome<SendStory>> {
  const read = await withDatabase((db) => readRecords(db, id));
  if (!read.ok) return read;
  if (!read.value) return fail("not_found", "There is no send with this id.");
  const { send, hasPdf, cancel, proof, rows, item, statuses, stored, purchase, names } = read.value;
  const nameOf = (who: string) => names.get(who) ?? who;
  const { providerKey } = env();
  const mask = providerKey === null ? (text: string) => text : createMask(providerKey);
  const { answerStatus, answerText, state } = send;
  return succeed({
    id,
    title: describePiece(send.mailType, readFields(send.requestBody)),
    state,
    ...tellOutcome(send),
    checking: state === "held" || state === "unknown" || state === "cancelling",
    payer: nameOf(send.userId),
    piece: item && describeStoryPiece(send, item, statuses, now),
    pdf: hasPdf ? `/sends/${id}/piece.pdf` : null,
    events: listEvents(send, { rows, statuses, cancel }, nameOf, now),
    proved: proof && { at: formatMoment(proof.createdAt, now), price: proof.cost },
    money: listMoney(send, rows),
    purchase,
    disagreements: findDisagreements({ ...send, rows, item, stored }),
    request: {
      method: send.method,
      url: mask(send.url),
      headers: Object.entries(maskPairs(describeHeaders(JSON.parse(send.requestHeaders)), mask)),
      body: mask(elide(send.requestBody)),
    },
    answer: answerStatus === null ? null : { status: answerStatus, text: answerText ?? "" },
    stored: stored ? `/stored/${encodeURIComponent(stored.id)}` : null,
  });
}

/** Everything that is kept of one send; null where there is none. */
async function readRecords(db: PrismaClient, id: string) {
  const send = await findSend(db, id);
  if (!send) return null;
  const rows = await db.creditTransaction.findMany({
    where: { referenceResponseId: id },
    orderBy: { id: "asc" },
  });
  const cancelled = await db.send.findUnique({
    where: { id },
    select: { cancelActorId: true, cancelAskedAt: true, cancelReason: true, cancelNote: true },
  });
  const item = await db.mailItem.findUnique({ where: { id } });
  const heard = await db.mailEvent.findMany({ where: { itemId: id }, orderBy: { id: "asc" } });
  const stored = await db.storedResponse.findFirst({ where: { sendId: id, deletedAt: null } });
  const actors = [send.userId, send.actorId, cancelled?.cancelActorId, ...rows.map((row) => row.actorId)];
  const people = await db.user.findMany({
    where: { id: { in: actors.filter((actor) => actor !== null && actor !== undefined) } },
  });
  return {
    send,
    hasPdf: await hasPiecePdf(db, id, send.ageSeconds),
    rows,
    cancel: {
      actorId: cancelled?.cancelActorId ?? null,
      askedAt: cancelled?.cancelAskedAt ?? null,
      reason: cancelled?.cancelReason ?? null,
      note: cancelled?.cancelNote ?? null,
    },
    item,
    statuses: heard.map(({ status, source, at, saidAt }) => ({
      status,
      source: source as StoryStatus["source"],
      at,
      saidAt,
    })),
    stored,
    proof: send.testedPieceId === null ? null : await findTestedPiece(db, send.testedPieceId),
    purchase: await findPurchase(db, id),
    names: new Map(people.map((person) => [person.id, person.displayName])),
  };
}

function readFields(body: SendRecord["requestBody"]): Record<string, unknown> {
  const parsed = parseJson(body);
  if (typeof parsed === "object" && parsed !== null) return parsed as Record<string, unknown>;
  return Object.fromEntries(new URLSearchParams(body));
}

/** Files as base64 are told by their size; everything else stands as it was sent. */
function elide(body: string): string {
  return body.replace(
    /[A-Za-z0-9+/=%]{1000,}/g,
    (file) => `[${file.length.toLocaleString("en")} characters of a file]`,
  );
}
