import type { PrismaClient } from "../../../prisma/client/client";
import type { MailProvider } from "../../emulators/mail-provider";
import type { MailAnswer, MailRequest } from "./calls";
import type { CancelAnswer, MailedPiece } from "./cancel-routes";

/** What a caller was told of a key, time after time. */
export interface Promised {
  order: MailRequest & { key: string };
  answers: MailAnswer[];
}

/** What a caller was told of a cancel, time after time. */
export interface PromisedCancel {
  piece: MailedPiece;
  answers: CancelAnswer[];
}

const NOTHING_DONE = "Nothing was sent and nothing was charged.";

/**
 * What callers were told, compared with what happened once all is settled: each that was told wrong, in words. A
 * success is mailed and charged so, what was said to be refused or not sent is not.
 */
export async function findBrokenPromises(
  db: PrismaClient,
  provider: MailProvider,
  told: readonly Promised[],
): Promise<string[]> {
  const sends = await db.send.findMany({
    select: { id: true, actorId: true, idempotencyKey: true, state: true, charged: true },
  });
  const byKey = new Map(sends.map((send) => [`${send.actorId} ${send.idempotencyKey}`, send]));
  const keys = new Set(provider.pieces.flatMap(({ test, idempotencyKey }) => (test ? [] : [idempotencyKey])));
  return told.flatMap(({ order, answers }) => {
    const send = byKey.get(`auth-${order.caller ?? "ana"} ${order.key}`);
    const mailed = send !== undefined && keys.has(send.id);
    return answers.flatMap((answer, place) => {
      const wrong = findLie(answer, mailed, send?.charged ?? 0, place === 0);
      const { status, json } = answer;
      const words = `${status} ${json.error} ${JSON.stringify(json.credits)}`;
      return wrong === null ? [] : [`${order.key} ${wrong}; answer ${place + 1} was ${words}`];
    });
  });
}

/** The same of cancels: a piece that was said to be cancelled is, and one cancel at most said that it refunded. */
export async function findBrokenCancels(
  db: PrismaClient,
  told: readonly PromisedCancel[],
): Promise<string[]> {
  const cancelled = await db.send.findMany({ where: { state: "cancelled" }, select: { id: true } });
  const ids = new Set(cancelled.map(({ id }) => id));
  return told.flatMap(({ piece, answers }) => [
    ...answers.flatMap((answer) =>
      answer.cancelled && !ids.has(piece.id)
        ? [`${piece.id} is not cancelled; the answer was ${JSON.stringify(answer)}`]
        : [],
    ),
    ...(answers.filter(({ refunded }) => (refunded ?? 0) > 0).length > 1
      ? [`${piece.id} was said to be refunded twice`]
      : []),
  ]);
}

function findLie(
  { status, json }: MailAnswer,
  mailed: boolean,
  charged: number,
  first: boolean,
): string | null {
  const { credits, error } = json;
  if (credits?.success && !mailed) return "was not mailed";
  if (credits?.success && credits.creditsDeducted !== charged) return `was charged ${charged}`;
  if (mailed && credits?.error?.startsWith("Nothing was charged")) return "was mailed";
  // A later one speaks of itself; what the first one did is for the first one's answer to say.
  if (mailed && first && status !== null && error?.includes(NOTHING_DONE)) return "was mailed";
  return null;
}
