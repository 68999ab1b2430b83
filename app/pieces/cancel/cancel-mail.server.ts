import { inProviderTurn } from "~/outside/mail-provider/call/provider-turn.server";
import { type Exchange, isKnownBase } from "~/outside/mail-provider/piece.server";
import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { PrismaClient } from "../../../prisma/client/client";
import { cancelLeaseMs, startCallTime } from "../lease.server";
import { isMailId } from "../mail-item";
import type { MailType } from "../mail-type";
import { callCancelling } from "./cancel-call.server";
import type { CancelResult } from "./cancel-result";
import { buildAlready, failInProgress, settleCancel } from "./cancel-settle.server";
import {
  type CancelCase,
  findCaseById,
  findCasesByProviderId,
  startCancel,
} from "./cancel-transitions.server";
import {
  CANNOT_CANCEL,
  formatNoItem,
  formatOtherType,
  formatUnknownBase,
  NO_ITEM_OF_SEND,
  NO_MAIL_KEY,
  SEVERAL_WITH_THIS_ID,
} from "./messages";

/** The request of `POST /api/mail/cancel`. */
export interface CancelOrder {
  /** Whose item it is. */
  userId: string;
  /** The provider's id, or ours. */
  mailItemId: string | null;
  type: MailType | null;
}

/** A cancel of one of our pieces, with the call that was made for it; null where none was. */
export interface CancelRun {
  piece: CancelCase;
  exchange: Exchange | null;
  outcome: Outcome<CancelResult>;
}

type Found =
  | { kind: "none" }
  | { kind: "several" }
  | { kind: "other_type"; piece: CancelCase }
  | { kind: "one"; piece: CancelCase };
type Find = (db: PrismaClient) => Promise<Found>;
/** `claimed`: the provider is to be called now. */
type Opened = { piece: CancelCase; claimed: boolean; outcome: Outcome<CancelResult> };

const NONE: Found = { kind: "none" };

/**
 * Cancels a piece and refunds what was charged for it, once, however often and by whichever way it is asked. Fails with `bad_input` (a test, or no valid id), `not_found`, `in_progress`, `not_configured` (no key,
 * no database), `provider_refused`, `rate_limited`, `overloaded`, `provider_unreachable` or `database_unavailable`.
 */
export async function cancelMail(
  { userId, mailItemId, type }: CancelOrder,
  viewer: Viewer,
): Promise<Outcome<CancelResult>> {
  if (!isMailId(mailItemId)) return fail("bad_input", CANNOT_CANCEL);
  const run = await runCancel(async (db) => {
    const own = await findCaseById(db, mailItemId);
    if (own && own.userId === userId && (type === null || own.type === type))
      return { kind: "one", piece: own };
    const cases = await findCasesByProviderId(db, mailItemId, { userId, type });
    const [newest] = cases;
    if (!newest) return NONE;
    return cases.some(({ baseUrl }) => baseUrl !== newest.baseUrl)
      ? { kind: "several" }
      : { kind: "one", piece: newest };
  }, viewer);
  if (!run.ok) return run;
  return run.value?.outcome ?? fail("not_found", formatNoItem(type));
}

/** The same by the id of its send, which is the item's too; for the stored response of a live send. */
export async function cancelSend(sendId: string, viewer: Viewer): Promise<Outcome<CancelResult>> {
  const run = await runCancel(async (db) => {
    const piece = await findCaseById(db, sendId);
    return piece ? { kind: "one", piece } : NONE;
  }, viewer);
  if (!run.ok) return run;
  return run.value?.outcome ?? fail("not_found", NO_ITEM_OF_SEND);
}

/**
 * The same through the proxy: a piece of ours by its provider's id and base; null for one that is not ours. Fails as
 * {@link cancelMail}, and with `bad_input` when the piece is of the other type: letters and postcards share their ids.
 */
export function cancelByProviderId(
  { providerId, baseUrl, type }: { providerId: string; baseUrl: string; type: MailType },
  viewer: Viewer,
): Promise<Outcome<CancelRun | null>> {
  return runCancel(async (db) => {
    const [piece] = await findCasesByProviderId(db, providerId, { baseUrl });
    if (!piece) return NONE;
    return piece.type === type ? { kind: "one", piece } : { kind: "other_type", piece };
  }, viewer);
}

/** A piece is claimed only when it is its turn at the provider: a claim ends before a long wait does. */
async function runCancel(find: Find, viewer: Viewer): Promise<Outcome<CancelRun | null>> {
  if (env().providerKey === null) return fail("not_configured", NO_MAIL_KEY);
  return inProviderTurn(() => claimAndCancel(find, viewer));
}

async function claimAndCancel(find: Find, viewer: Viewer): Promise<Outcome<CancelRun | null>> {
  const reason = `Cancelled by ${viewer.displayName}`;
  const time = startCallTime(cancelLeaseMs(1));
  const opened = await withDatabase((db) => open(db, find, viewer, reason));
  if (!opened.ok) return opened;
  if (!opened.value.ok) return opened.value;
  if (opened.value.value === null) return succeed(null);
  const { piece, claimed, outcome } = opened.value.value;
  if (!claimed) return succeed({ piece, exchange: null, outcome });
  const { exchange, outcome: answer } = await callCancelling(piece, time);
  const settled = await settleCancel(piece, answer, { actorId: viewer.actorId, reason, source: "cancel" });
  return succeed({ piece, exchange, outcome: settled });
}

/** Finds the piece and claims it, or says why not. */
async function open(
  db: PrismaClient,
  find: Find,
  viewer: Viewer,
  reason: string,
): Promise<Outcome<Opened | null>> {
  const found = await find(db);
  if (found.kind === "none") return succeed(null);
  if (found.kind === "several") {
    return fail("bad_input", SEVERAL_WITH_THIS_ID);
  }
  const { piece } = found;
  if (found.kind === "other_type") {
    return fail("bad_input", formatOtherType(piece.type));
  }
  const refusal = findRefusal(piece);
  if (refusal) return succeed({ piece, claimed: false, outcome: refusal });
  await ensureViewerStored(db, viewer);
  const attempts = await startCancel(db, piece.id, {
    actorId: viewer.actorId,
    reason,
    leaseMs: cancelLeaseMs(1),
  });
  if (attempts !== null)
    return succeed({ piece: { ...piece, attempts }, claimed: true, outcome: failInProgress(piece) });
  const now = (await findCaseById(db, piece.id)) ?? piece;
  return succeed({ piece: now, claimed: false, outcome: findRefusal(now) ?? failInProgress(now) });
}

/** Finds the answer that needs no call; null for a piece that may be cancelled. */
function findRefusal(piece: CancelCase): Outcome<CancelResult> | null {
  if (piece.isTest || !isMailId(piece.providerId)) return fail("bad_input", CANNOT_CANCEL);
  if (piece.state === "cancelled") return succeed(buildAlready(piece));
  if (piece.state === "cancelling") return failInProgress(piece);
  if (isKnownBase(piece.baseUrl)) return null;
  return fail("not_configured", formatUnknownBase(piece.type));
}
