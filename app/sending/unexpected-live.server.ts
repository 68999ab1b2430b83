import { randomUUID } from "node:crypto";
import { MAIL_PRICES } from "~/catalogue/prices";
import { ensureAccount, loadAccount } from "~/credits/ledger/ledger.server";
import type { FrozenCall, ProviderAnswer } from "~/outside/mail-provider/client.server";
import { ensureViewerStored, userExists } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { recordTestItem } from "~/pieces/item-record.server";
import type { MailType } from "~/pieces/mail-type";
import { parseProviderOutcome } from "~/pieces/send/provider-outcome";
import { recordUnaskedSend } from "~/pieces/send/send-record.server";
import { withDatabase } from "~/platform/database/database.server";
import { parseJson } from "~/platform/json-value";
import { log } from "~/platform/log.server";
import type { Addressee } from "~/recipients/addressee.server";
import type { Remarks } from "./answer.server";
import type { CreditOutcome } from "./proxy-types";

/** A test as it was asked for. */
interface TestOrder {
  mailType: MailType;
  path: string;
  payerId: string;
  requestHash: string;
  baseUrl: string;
  addressee: Addressee;
}

/**
 * After a test: when the provider says that it mailed a piece all the same, its cost is debited as far as the
 * payer can pay it, and the send is kept (money.md §2 "answer is live though we asked test"). A sample is only put on
 * the list of mail items, and any other answer is none of the ledger's business.
 */
export async function bookUnaskedMail(
  answer: ProviderAnswer,
  frozen: FrozenCall,
  order: TestOrder,
  viewer: Viewer,
): Promise<{ credits: CreditOutcome | null; remarks: Remarks }> {
  const outcome = parseProviderOutcome({ ...answer, parsed: parseJson(answer.text) });
  if (outcome.kind === "sample") {
    const { mailType: type, payerId: userId, path, baseUrl, addressee } = order;
    void recordTestItem({ userId, type, method: frozen.method, path, baseUrl, addressee }, viewer);
  }
  if (outcome.kind !== "accepted" || outcome.providerId === null) return { credits: null, remarks: {} };
  const { mailType } = order;
  const cost = MAIL_PRICES[mailType];
  const id = randomUUID().replaceAll("-", "");
  const note = `The provider mailed this ${mailType} although a test was asked for.`;
  log.error("live answer to a test", { userId: order.payerId, reason: `${mailType} ${outcome.providerId}` });
  const booked = await withDatabase(async (db) => {
    // A test may name anyone as payer; a piece has to be somebody's.
    await ensureViewerStored(db, viewer);
    const userId = (await userExists(db, order.payerId)) ? order.payerId : viewer.id;
    await ensureAccount(db, userId);
    const send = {
      id,
      userId,
      actorId: viewer.id,
      idempotencyKey: `unasked-${id}`,
      requestHash: order.requestHash,
      mailType,
      cost,
      method: frozen.method,
      path: order.path,
      url: frozen.url,
      requestHeaders: JSON.stringify(frozen.headers),
      requestBody: frozen.body ?? "",
      addressee: order.addressee,
    };
    const charged = await recordUnaskedSend(db, send, outcome.providerId, answer, note);
    return { charged, userId, ...(await loadAccount(db, userId)) };
  });
  const hint = `${note} Cancel it at once if it must not go out.`;
  const base = { mailType, userId: order.payerId };
  if (!booked.ok) {
    const error = `${note} ${booked.failure.message}`;
    return {
      credits: { ...base, success: false, creditsDeducted: 0, newBalance: null, error },
      remarks: { hint },
    };
  }
  const { charged, userId, balance } = booked.value;
  const error = charged < cost ? `${note} It costs ${cost}, and only ${charged} could be deducted.` : null;
  return {
    credits: {
      ...base,
      success: error === null,
      creditsDeducted: charged,
      newBalance: balance,
      userId,
      error,
    },
    remarks: { hint, send_id: id },
  };
}
