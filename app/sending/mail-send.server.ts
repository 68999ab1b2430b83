import { createHash, randomUUID } from "node:crypto";
import { MAIL_PRICES } from "~/catalogue/prices";
import { type Account, ensureAccount, readAccount } from "~/credits/ledger.server";
import { isKnownUser } from "~/people/known-user.server";
import type { Viewer } from "~/people/viewer.server";
import { NOTHING_DONE } from "~/platform/body.server";
import { withDatabase } from "~/platform/database.server";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { createMask, describeAnswer, describeSent, describeSilence, type SendAnswer } from "./answer.server";
import { describeEarlierSend } from "./earlier-send.server";
import type { MailType } from "./envelope";
import { callWithMail, LEASE_MARGIN_MS, leaseMs, type MailResult } from "./mail-call.server";
import { describeCredits, explainShortage } from "./mail-credits";
import { type FrozenCall, freezeCall, hashCall, type PreparedCall } from "./prepare.server";
import { beginSend, findSendByKey, openSend, refuseSend, type SendRecord } from "./send-record.server";
import { type Settled, settleTry } from "./settle.server";
import { settleLater } from "./settle-later.server";
import { describeUnanswered } from "./unanswered";

/** What live mail is ordered by whom. */
export interface MailOrder {
  mailType: MailType;
  /** As classified. */
  path: string;
  /** Who pays. */
  payerId: string;
  /** Null: nobody will ask for this send again. */
  idempotencyKey: string | null;
}

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
  key: string,
): Promise<Outcome<SendAnswer>> {
  if (env().database.kind === "none") return succeed(await sendUntracked(call, order, viewer, key));
  const id = randomUUID().replaceAll("-", "");
  const cost = MAIL_PRICES[order.mailType];
  const requestHash = hashCall(call, order.payerId);
  const frozen = freezeCall(call, { idempotencyKey: id, tag: `mailroom-${id}` });
  const opened = await withDatabase(async (db): Promise<Opened> => {
    const idempotencyKey = order.idempotencyKey ?? id;
    const account = await openSend(db, {
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
      leaseMs: leaseMs(),
    });
    if (account) return { kind: "open" };
    const record = await findSendByKey(db, viewer.id, idempotencyKey);
    if (record) return { kind: "earlier", record, account: await readAccount(db, record.userId) };
    if (!(await isKnownUser(db, viewer, order.payerId))) return { kind: "unknown_payer" };
    await ensureAccount(db, order.payerId);
    return { kind: "short", account: await readAccount(db, order.payerId) };
  });
  if (!opened.ok) {
    // It may have been booked before the connection broke. Not begun, it is never sent; this gives it back early.
    settleLater(leaseMs(), (db) =>
      refuseSend(db, { id, attempts: 0 }, "the database went away before it was sent.", null),
    );
    return fail("database_unavailable", DATABASE_DOWN, opened.failure.details);
  }
  switch (opened.value.kind) {
    case "unknown_payer":
      return fail("not_found", `There is no such user to pay for this. ${NOTHING_DONE}`);
    case "short":
      return succeed(refuseShort(frozen.url, order, cost, opened.value.account));
    case "earlier":
      return describeEarlierSend(opened.value.record, opened.value.account, requestHash, createMask(key));
    case "open":
      return sendOpen({ id, order, cost }, frozen, key);
  }
}

async function sendOpen(open: OpenSend, frozen: FrozenCall, key: string): Promise<Outcome<SendAnswer>> {
  const askedAt = performance.now();
  const begun = await withDatabase((db) => beginSend(db, open.id, leaseMs()));
  const late = performance.now() - askedAt > LEASE_MARGIN_MS / 2;
  // A leave that came late may be over before the call is: then somebody else calls.
  if (!begun.ok || (begun.value && late)) return succeed(describeUnconfirmed(open, frozen, key));
  if (!begun.value) return fail("database_unavailable", DATABASE_DOWN);
  const mask = createMask(key);
  const { mailType, payerId, path } = open.order;
  const tried = await callWithMail(frozen, key, mask, { userId: payerId, providerPath: path });
  const settled = await settleTry({ id: open.id, mailType, userId: payerId }, tried);
  return succeed(describe(open, frozen, key, tried, settled));
}

/** Whether it may go out was asked and not answered: this process does not call, the reconciler finds out. */
function describeUnconfirmed({ id, order, cost }: OpenSend, frozen: FrozenCall, key: string): SendAnswer {
  const piece = { mailType: order.mailType, userId: order.payerId, cost };
  const why = `it is not known yet whether this ${order.mailType} goes out.`;
  const error = `The database went away while this was prepared. It is sent once or not at all; checking.`;
  const at = { url: createMask(key)(frozen.url), sent: null, durationMs: 0 };
  return describeSilence(202, error, at, describeCredits(piece, { kind: "held", why }, null), {
    pending: true,
    send_id: id,
    hint: "Follow it on its own page. Sending the same request again only shows this send.",
  });
}

function describe(
  { id, order, cost }: OpenSend,
  frozen: FrozenCall,
  key: string,
  tried: MailResult,
  settled: Settled,
): SendAnswer {
  const sent = describeSent(frozen, createMask(key));
  const piece = { mailType: order.mailType, userId: order.payerId, cost };
  const credits = describeCredits(piece, settled.standing, settled.account);
  const remarks = { send_id: id, ...settled.remarks };
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

/** The console without storage: the provider alone keeps a repeated key from mailing twice. */
async function sendUntracked(
  call: PreparedCall,
  order: MailOrder,
  viewer: Viewer,
  key: string,
): Promise<SendAnswer> {
  const parts = [viewer.id, order.idempotencyKey ?? randomUUID(), hashCall(call, order.payerId)];
  const idempotencyKey = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  const frozen = freezeCall(call, { idempotencyKey, tag: null });
  const mask = createMask(key);
  // Nobody has looked whether this user exists: the name is any text.
  const userId = mask(order.payerId);
  const tried = await callWithMail(frozen, key, mask, { userId, providerPath: order.path });
  const sent = describeSent(frozen, mask);
  const piece = { mailType: order.mailType, userId, cost: MAIL_PRICES[order.mailType] };
  const credits = describeCredits(piece, { kind: "untracked" }, null);
  const asked = { method: frozen.method, path: order.path, live: true };
  if (tried.answer) return describeAnswer(tried.answer, asked, sent, credits);
  const { httpStatus, error, hint, pending } = describeUnanswered(
    tried.result,
    { method: frozen.method, class: call.class, live: true },
    env().providerTimeoutMs,
  );
  const at = { url: sent.url, sent, durationMs: tried.result.durationMs };
  return describeSilence(httpStatus, error, at, credits, { hint, ...(pending ? { pending } : {}) });
}
