import { randomUUID } from "node:crypto";
import { MAIL_PRICES } from "~/catalogue/prices";
import { ensureAccount, loadAccount } from "~/credits/ledger/ledger.server";
import type { FrozenCall, ProviderAnswer } from "~/outside/mail-provider/client.server";
import { ensureViewerStored, userExists } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { recordTestItem } from "~/pieces/item-record.server";
import type { MailType } from "~/pieces/mail-type";
import { parseProviderOutcome } from "~/pieces/send/provider-outcome";
import { recordUnexpectedSend } from "~/pieces/send/send-transitions.server";
import { withDatabase } from "~/platform/database/database.server";
import { parseJson } from "~/platform/json-value";
import { log } from "~/platform/log.server";
import type { Addressee } from "~/recipients/addressee.server";
import type { Remarks } from "./answer.server";
import { CANCEL_AT_ONCE, formatMailedThoughTest, formatPartlyCharged } from "./messages";
import type { CreditOutcome } from "./proxy-types";

/** A test as it was asked for. */
interface TestSend {
  mailType: MailType;
  path: string;
  payerId: string;
  requestHash: string;
  baseUrl: string;
  addressee: Addressee;
}

/**
 * Checks the answer to a test. When the provider says that it mailed the piece all the same, the payer is charged as far
 * as the balance allows and the send is recorded. A sample only joins the list of mail items.
 */
export async function recordUnexpectedLive(
  answer: ProviderAnswer,
  frozen: FrozenCall,
  test: TestSend,
  viewer: Viewer,
): Promise<{ credits: CreditOutcome | null; remarks: Remarks }> {
  const outcome = parseProviderOutcome({ ...answer, parsed: parseJson(answer.text) });
  if (outcome.kind === "sample") {
    const { mailType: type, payerId: userId, path, baseUrl, addressee } = test;
    void recordTestItem({ userId, type, method: frozen.method, path, baseUrl, addressee }, viewer);
  }
  if (outcome.kind !== "accepted" || outcome.providerId === null) return { credits: null, remarks: {} };
  const { mailType } = test;
  const cost = MAIL_PRICES[mailType];
  const id = randomUUID().replaceAll("-", "");
  const note = formatMailedThoughTest(mailType);
  log.error("send.unexpected_live", { userId: test.payerId, reason: `${mailType} ${outcome.providerId}` });
  const booked = await withDatabase(async (db) => {
    // A test may name anyone as payer; a piece has to be somebody's.
    await ensureViewerStored(db, viewer);
    const userId = (await userExists(db, test.payerId)) ? test.payerId : viewer.id;
    await ensureAccount(db, userId);
    const send = {
      id,
      userId,
      actorId: viewer.id,
      idempotencyKey: `unexpected-${id}`,
      requestHash: test.requestHash,
      mailType,
      cost,
      method: frozen.method,
      path: test.path,
      url: frozen.url,
      requestHeaders: JSON.stringify(frozen.headers),
      requestBody: frozen.body ?? "",
      addressee: test.addressee,
    };
    const charged = await recordUnexpectedSend(db, send, outcome.providerId, answer, note);
    return { charged, userId, ...(await loadAccount(db, userId)) };
  });
  const hint = `${note} ${CANCEL_AT_ONCE}`;
  const base = { mailType, userId: test.payerId };
  if (!booked.ok) {
    const error = `${note} ${booked.failure.message}`;
    return {
      credits: { ...base, success: false, creditsDeducted: 0, newBalance: null, error },
      remarks: { hint },
    };
  }
  const { charged, userId, balance } = booked.value;
  const error = charged < cost ? `${note} ${formatPartlyCharged(cost, charged)}` : null;
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
