import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { log } from "~/platform/log.server";
import type { PrismaClient } from "../../../prisma/client/client";
import { acceptSend, RECEIVED } from "../send/send-record.server";
import { reportReleased } from "../send/settle.server";
import { CANCELLED } from "../status";
import { learnProviderId, noteStatusWithin } from "./apply-event.server";
import { type DueNews, dropNews, dropOldNews, findDueNews } from "./pending-events.server";

/**
 * Hears what the provider's webhook said of pieces before they were booked. A send that waits for a person is booked
 * as mailed by it: the event is signed by the provider and carries the tag that this one send alone has, so the piece
 * exists, which is all that a person could say, and its id is known. Never one that is still `held` or `unknown`: the
 * call or the reconciler is at it, and brings the answer that its caller is to be told. Any number of processes may do
 * so at once, and be killed. Answers how many were heard.
 */
export async function hearEarlyNews(): Promise<number> {
  const due = await withDatabase(findDueNews);
  if (!due.ok) return 0;
  for (const news of due.value) {
    try {
      await withDatabase((db) => hear(db, news));
    } catch (error) {
      log.error("an early event could not be heard", {
        reason: news.providerId,
        errorName: error instanceof Error ? error.name : "unknown",
      });
    }
  }
  // Only now, so that what was kept while no console ran is heard first.
  await withDatabase(dropOldNews);
  return due.value.length;
}

async function hear(db: PrismaClient, news: DueNews): Promise<void> {
  const { providerId, sendId, itemId, status, saidAt } = news;
  await db.$transaction(async (tx) => {
    // A person may have decided since: then it is heard of its item in the next round, or there is none.
    if (itemId === null && !(await acceptByNews(tx, news))) return;
    if (sendId !== "") await learnProviderId(tx, sendId, providerId);
    await noteStatusWithin(tx, itemId ?? sendId, { status, source: "webhook", saidAt });
    await dropNews(tx, news);
  });
}

async function acceptByNews(tx: Db, { providerId, sendId, status }: DueNews): Promise<boolean> {
  const note = `the provider's webhook says that it is ${status.replaceAll("_", " ")} as item ${providerId}, so it was mailed.`;
  const account = await acceptSend(tx, sendId, providerId, null, {
    actorId: "system",
    note,
    status: RECEIVED,
  });
  if (account) log.info("a send was settled by an event", { reason: sendId, event: status });
  else if (status !== CANCELLED) await reportReleased(tx, sendId);
  return account !== null;
}
