import { randomUUID } from "node:crypto";
import { MAIL_PRICES } from "~/catalogue/prices";
import { type Account, ensureAccount, loadAccount } from "~/credits/ledger/ledger.server";
import type { FrozenCall } from "~/outside/mail-provider/client.server";
import { maskKey } from "~/outside/mail-provider/mask.server";
import { ensureViewerStored, userExists } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { LEASE_MARGIN_MS, sendLeaseMs } from "~/pieces/lease.server";
import type { MailType } from "~/pieces/mail-type";
import { formatUnclearCall } from "~/pieces/messages";
import { bookUnlessSent, type Twin, tellTwin } from "~/pieces/send/duplicates.server";
import { findSendByKey, type SendRecord } from "~/pieces/send/find-send.server";
import { type CallResult, callWithPiece } from "~/pieces/send/piece-call.server";
import { beginSend, type NewSend, openSend, refuseSend } from "~/pieces/send/send-record.server";
import { type Settled, settleFirstCall } from "~/pieces/send/settle.server";
import { settleLater } from "~/pieces/send/settle-later.server";
import { saveSendSoon } from "~/pieces/send/store-responses.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { NOTHING_DONE } from "~/platform/http/messages";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { parseAddressee } from "~/recipients/addressee.server";
import { nameAddressCheck } from "./address-note";
import {
  describeAnswer,
  describeSent,
  describeSilence,
  type Remarks,
  type SendAnswer,
} from "./answer.server";
import { describeCredits, explainShortage } from "./credit-outcome";
import { describeEarlierSend } from "./earlier-send.server";
import { FOLLOW_PAGE, formatTreatedAsTest, MAY_BE_ACCEPTED } from "./messages";
import { freezeCall, hashCall, type PreparedCall } from "./prepare.server";
import type { MailOrder } from "./send-context";
import { describeUnanswered } from "./unanswered";
import { sendUntracked } from "./untracked-send.server";

/** A send with its cost set aside, on its way out. */
interface OpenSend {
  id: string;
  order: MailOrder;
  cost: number;
}

type Opened =
  | { kind: "open" }
  | { kind: "earlier"; record: SendRecord; account: Account }
  | { kind: "short"; account: Account }
  | { kind: "twin"; twin: Twin }
  | { kind: "unknown_payer" };

const DATABASE_DOWN = `The database is not available right now, and live mail is not sent without its ledger. ${NOTHING_DONE} Try again in a moment.`;

/**
 * Sends live mail: sets the cost aside, calls, then books what came of it (money.md §2). Fails before anything
 * goes out with `not_found` (payer), `key_reused`, `in_progress` or `database_unavailable`. Without a configured
 * database it calls and says that credits are not tracked.
 */
export async function sendMail(
  call: PreparedCall,
  order: MailOrder,
  viewer: Viewer,
): Promise<Outcome<SendAnswer>> {
  if (env().database.kind === "none") return succeed(await sendUntracked(call, order, viewer));
  const id = randomUUID().replaceAll("-", "");
  const cost = MAIL_PRICES[order.mailType];
  const requestHash = hashCall(call, order.payerId);
  const frozen = freezeCall(call, { idempotencyKey: id, tag: `mailroom-${id}` });
  const opened = await withDatabase(async (db): Promise<Opened> => {
    const idempotencyKey = order.idempotencyKey ?? id;
    const send: NewSend = {
      id,
      userId: order.payerId,
      actorId: viewer.id,
      idempotencyKey,
      requestHash,
      mailType: order.mailType,
      cost,
      method: frozen.method,
      path: order.path,
      url: frozen.url,
      requestHeaders: JSON.stringify(frozen.headers),
      requestBody: frozen.body ?? "",
      testedPieceId: order.testedPieceId,
      pieceHash: order.pieceHash,
      leaseMs: sendLeaseMs(),
      addressee: parseAddressee(call.body),
      addressCheck: nameAddressCheck(order.addressCheck),
      unsavedRequest: order.asked && JSON.stringify(order.asked),
    };
    const { pieceHash, knownDuplicate: known } = order;
    const opening =
      pieceHash !== null && known !== undefined
        ? await bookUnlessSent(db, pieceHash, known, send, (tx) => openSend(tx, send))
        : { twin: null, booked: await openSend(db, send) };
    if (opening.twin) return { kind: "twin", twin: opening.twin };
    if (opening.booked) return { kind: "open" };
    const record = await findSendByKey(db, viewer.id, idempotencyKey);
    if (record) return { kind: "earlier", record, account: await loadAccount(db, record.userId) };
    await ensureViewerStored(db, viewer);
    if (!(await userExists(db, order.payerId))) return { kind: "unknown_payer" };
    await ensureAccount(db, order.payerId);
    return { kind: "short", account: await loadAccount(db, order.payerId) };
  });
  if (!opened.ok) {
    // It may have been booked before the connection broke. Not begun, it is never sent; this gives it back early.
    settleLater(sendLeaseMs(), (db) =>
      refuseSend(db, { id, attempts: 0 }, "the database went away before it was sent.", null),
    );
    return fail("database_unavailable", DATABASE_DOWN, opened.failure.details);
  }
  switch (opened.value.kind) {
    case "unknown_payer":
      return fail("not_found", `There is no such user to pay for this. ${NOTHING_DONE}`);
    case "short":
      return succeed(refuseShort(frozen.url, order, cost, opened.value.account));
    case "twin":
      return succeed(refuseTwin(frozen.url, order, opened.value.twin));
    case "earlier": {
      const { record, account } = opened.value;
      if (order.asked) saveSendSoon(record.id);
      return describeEarlierSend(record, account, requestHash, nameResponse(order, record.id));
    }
    case "open":
      return sendOpen({ id, order, cost }, frozen);
  }
}

async function sendOpen(open: OpenSend, frozen: FrozenCall): Promise<Outcome<SendAnswer>> {
  const askedAt = performance.now();
  const begun = await withDatabase((db) => beginSend(db, open.id, sendLeaseMs()));
  const late = performance.now() - askedAt > LEASE_MARGIN_MS / 2;
  // A leave that came late may be over before the call is: then somebody else calls.
  if (!begun.ok || (begun.value && late)) return succeed(describeUnconfirmed(open, frozen));
  if (!begun.value) return fail("database_unavailable", DATABASE_DOWN);
  const { mailType, payerId, path } = open.order;
  const tried = await callWithPiece(frozen, { userId: payerId, providerPath: path });
  const settled = await settleFirstCall({ id: open.id, mailType, userId: payerId }, tried);
  if (open.order.asked) saveSendSoon(open.id);
  return succeed(describe(open, frozen, tried, settled));
}

/** Whether it may go out was asked and not answered: this process does not call, the reconciler finds out. */
function describeUnconfirmed({ id, order, cost }: OpenSend, frozen: FrozenCall): SendAnswer {
  const piece = { mailType: order.mailType, userId: order.payerId, cost };
  const why = `it is not known yet whether this ${order.mailType} goes out.`;
  const error = `The database went away while this was prepared. It is sent once or not at all; checking.`;
  const at = { url: maskKey(frozen.url), sent: null, durationMs: 0 };
  return describeSilence(202, error, at, describeCredits(piece, { kind: "held", why }, null), {
    pending: true,
    send_id: id,
    ...nameResponse(order, id),
    hint: FOLLOW_PAGE,
  });
}

function describe(
  { id, order, cost }: OpenSend,
  frozen: FrozenCall,
  tried: CallResult,
  settled: Settled,
): SendAnswer {
  const sent = describeSent(frozen);
  const piece = { mailType: order.mailType, userId: order.payerId, cost };
  const credits = describeCredits(piece, settled.credits, settled.account);
  const notice = order.notice ? { hint: order.notice } : {};
  const remarks = {
    send_id: id,
    ...nameResponse(order, id),
    ...notice,
    ...buildRemarks(order.mailType, tried),
  };
  if (tried.answer) {
    return describeAnswer(
      tried.answer,
      { method: frozen.method, path: order.path, live: true },
      sent,
      credits,
      remarks,
    );
  }
  const at = { url: sent.url, sent, durationMs: tried.result.durationMs };
  const { error, hint, httpStatus } = describeUnanswered(
    tried.result,
    {
      method: frozen.method,
      class: { kind: "mail", mailType: order.mailType, path: order.path, test: false },
      live: true,
    },
    env().providerTimeoutMs,
  );
  return describeSilence(httpStatus, error, at, credits, { hint, ...remarks });
}

/** What is told of an outcome beside the provider's own answer. */
function buildRemarks(mailType: MailType, called: CallResult): Remarks {
  if (called.outcome.kind === "sample") {
    return { hint: formatTreatedAsTest(mailType) };
  }
  if (called.outcome.kind !== "unknown") return {};
  return {
    pending: true,
    error: `${formatUnclearCall(called, env().providerTimeoutMs)} ${MAY_BE_ACCEPTED}`,
    hint: FOLLOW_PAGE,
  };
}

/** A send's response is stored under its own id. */
function nameResponse({ asked }: MailOrder, id: string): Remarks {
  return asked ? { response_id: id } : {};
}

function refuseShort(url: string, order: MailOrder, cost: number, account: Account): SendAnswer {
  const piece = { mailType: order.mailType, userId: order.payerId, cost };
  const available = account.balance - account.held;
  const credits = describeCredits(piece, { kind: "short", available }, account);
  const error = `${explainShortage(piece, available)} ${NOTHING_DONE}`;
  return describeSilence(402, error, { url, sent: null, durationMs: 0 }, credits, {
    hint: "Buy credits or have some added on the User Credits tab, then send again.",
    balance: account.balance,
    cost,
    shortfall: cost - available,
    buy_url: `/users?${new URLSearchParams({ view: "purchase", user_id: order.payerId })}`,
  });
}

function refuseTwin(url: string, order: MailOrder, twin: Twin): SendAnswer {
  const error = `${tellTwin(order.mailType, twin)} ${NOTHING_DONE}`;
  return describeSilence(409, error, { url, sent: null, durationMs: 0 }, null, {
    hint: "Look at that send; if this one is to be mailed as well, send it anyway.",
    duplicate_of: { send_id: twin.id, tested_piece_id: order.testedPieceId },
  });
}
