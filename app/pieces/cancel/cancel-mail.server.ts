import { formatCredits, formatHeldPart } from "~/credits/format-credits";
import { inProviderTurn } from "~/outside/mail-provider/call/pace.server";
import { type Exchange, isKnownBase } from "~/outside/mail-provider/piece.server";
import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { formatInteger } from "~/platform/format-integer";
import { type Failed, fail, isFailed, type Outcome, succeed } from "~/platform/outcome";
import type { PrismaClient } from "../../../prisma/client/client";
import { refreshItem } from "../events/refresh-status.server";
import { cancelLeaseMs, startCallTime } from "../lease.server";
import { CANNOT_CANCEL, isMailId } from "../mail-item";
import type { MailType } from "../mail-type";
import { NO_KEY_TO_CANCEL, NO_PIECE } from "../messages";
import { formatStatus, isStillWaiting, isTooLate } from "../status";
import { callCancelling } from "./cancel-call.server";
import { buildAlready, type CancelResult, failInProgress, settleCancel } from "./cancel-settle.server";
import {
  type CancelCase,
  findCaseById,
  findCasesByProviderId,
  startCancel,
} from "./cancel-transitions.server";

export interface CancelOrder {
  userId: string;
  mailItemId: string | null;
  type: MailType | null;
}

/** A cancel of one of our pieces, with the call that was made for it; null without one. */
export interface CancelRun {
  piece: CancelCase;
  exchange: Exchange | null;
  outcome: Outcome<CancelResult>;
}

const AMBIGUOUS = fail(
  "bad_input",
  "There are several pieces with this mail ID. Nothing was cancelled; use the piece's own id.",
);

/** Finds the piece to cancel; null when there is none. Fails with `bad_input` when it cannot tell which one is meant. */
type Find = (db: PrismaClient) => Promise<CancelCase | null | Failed>;
/** `outcome` is null when the piece is claimed, so that the provider is to be called. */
type Opened = { piece: CancelCase; outcome: Outcome<CancelResult> | null };

/**
 * Cancels a piece and refunds its charge once, however often it is requested. Fails with `bad_input` (a test, or no valid
 * id), `not_found`, `in_progress`, `not_configured` (no key, no database), `provider_refused`, `rate_limited`,
 * `overloaded`, `provider_unreachable` or `database_unavailable`.
 */
export async function cancelMail(
  { userId, mailItemId, type }: CancelOrder,
  viewer: Viewer,
): Promise<Outcome<CancelResult>> {
  if (!isMailId(mailItemId)) return fail("bad_input", CANNOT_CANCEL);
  const missing = `This user has no ${type ?? "piece"} with this mail ID. Nothing was cancelled.`;
  return cancelFound(viewer, missing, async (db) => {
    const own = await findCaseById(db, mailItemId);
    if (own && own.userId === userId && (type === null || own.type === type)) return own;
    const cases = await findCasesByProviderId(db, mailItemId, { userId, type });
    const newest = cases[0] ?? null;
    return cases.some(({ baseUrl }) => baseUrl !== newest?.baseUrl) ? AMBIGUOUS : newest;
  });
}

/** Cancels a piece by the id of its send, which is the item's too. Fails as {@link cancelMail}. */
export function cancelSend(sendId: string, viewer: Viewer): Promise<Outcome<CancelResult>> {
  const missing = "Mail Management does not list this piece. Nothing was cancelled.";
  return cancelFound(viewer, missing, (db) => findCaseById(db, sendId));
}

async function cancelFound(viewer: Viewer, missing: string, find: Find): Promise<Outcome<CancelResult>> {
  const run = await runCancel(find, viewer);
  return run.ok ? (run.value?.outcome ?? fail("not_found", missing)) : run;
}

/**
 * Cancels a piece of ours by its provider's id and base, for the proxy; null for one that is not ours. Fails as
 * {@link cancelMail}, and with `bad_input` when the piece is of the other type: letters and postcards share their ids.
 */
export function cancelByProviderId(
  { providerId, baseUrl, type }: { providerId: string; baseUrl: string; type: MailType },
  viewer: Viewer,
): Promise<Outcome<CancelRun | null>> {
  return runCancel(async (db) => {
    const [piece = null] = await findCasesByProviderId(db, providerId, { baseUrl });
    if (piece === null || piece.type === type) return piece;
    const { type: other } = piece;
    return fail("bad_input", `This is a ${other}: cancel it by ${other}s/cancel. Nothing was cancelled.`);
  }, viewer);
}

/** Claims a piece only when it is its turn at the provider: a claim ends before a long wait does. */
async function runCancel(find: Find, viewer: Viewer): Promise<Outcome<CancelRun | null>> {
  if (env().providerKey === null) return fail("not_configured", NO_KEY_TO_CANCEL);
  return inProviderTurn(async (): Promise<Outcome<CancelRun | null>> => {
    const time = startCallTime(cancelLeaseMs(1));
    const opened = await withDatabase((db) => open(db, find, viewer));
    if (!opened.ok || opened.value === null) return opened.ok ? succeed(null) : opened;
    const { piece, outcome } = opened.value;
    if (outcome) return succeed({ piece, exchange: null, outcome });
    const { exchange, outcome: answer } = await callCancelling(piece, time);
    const by = { actorId: viewer.actorId, reason: formatReason(viewer), source: "cancel" } as const;
    const settled = await settleCancel(piece, answer, by);
    return succeed({ piece, exchange, outcome: settled });
  });
}

/** Finds the piece and claims it; null when there is none. */
async function open(db: PrismaClient, find: Find, viewer: Viewer): Promise<Opened | null | Failed> {
  const piece = await find(db);
  if (piece === null || isFailed(piece)) return piece;
  const refusal = findRefusal(piece);
  if (refusal) return { piece, outcome: refusal };
  await ensureViewerStored(db, viewer);
  const claim = { actorId: viewer.actorId, reason: formatReason(viewer), leaseMs: cancelLeaseMs(1) };
  const attempts = await startCancel(db, piece.id, claim);
  if (attempts !== null) return { piece: { ...piece, attempts }, outcome: null };
  const now = (await findCaseById(db, piece.id)) ?? piece;
  return { piece: now, outcome: findRefusal(now) ?? failInProgress(now) };
}

function formatReason({ displayName }: Viewer): string {
  return `Cancelled by ${displayName}`;
}

/** Finds the answer that needs no call; null when the piece may be cancelled. */
function findRefusal(piece: CancelCase): Outcome<CancelResult> | null {
  if (piece.isTest || !isMailId(piece.providerId)) return fail("bad_input", CANNOT_CANCEL);
  if (piece.state === "cancelled") return succeed(buildAlready(piece));
  if (piece.state === "cancelling") return failInProgress(piece);
  if (isKnownBase(piece.baseUrl)) return null;
  return fail(
    "not_configured",
    `This ${piece.type} was sent through a base URL that STANNP_BASE_URLS no longer names. Nothing was cancelled.`,
  );
}

/**
 * Formats the effect of a cancel, to be shown before it is confirmed: "Not printed yet. 1 credit back, balance 100."; or
 * the reason why it cannot be done. Fetches the status from the provider and stores it.
 */
export async function quoteCancel(itemId: string): Promise<string> {
  if (env().providerKey === null) return NO_KEY_TO_CANCEL;
  const before = await withDatabase((db) => findCaseById(db, itemId));
  if (!before.ok) return before.failure.message;
  if (!before.value) return NO_PIECE;
  if (before.value.isTest || !isMailId(before.value.providerId)) return CANNOT_CANCEL;
  const refreshed = await refreshItem(itemId);
  const item = refreshed.ok ? refreshed.value.item : null;
  const status = item?.problem === null ? item.status : null;
  const found = await withDatabase((db) => findCaseById(db, itemId));
  if (!found.ok) return found.failure.message;
  const piece = found.value ?? before.value;
  // An item never goes back to an earlier status, but only the provider's latest one tells whether it can be cancelled.
  return formatQuote({ ...piece, status: status ?? piece.status }, status !== null);
}

/** @param fresh true when the status was fetched just now */
function formatQuote({ type, state, status, charged, balance, held }: CancelCase, fresh: boolean): string {
  const credits = (total: number) => `${formatInteger(total)}${formatHeldPart(held)}.`;
  if (state === "cancelled") {
    return `This ${type} is cancelled already. Refunded: ${formatCredits(charged)}. Balance ${credits(balance)}`;
  }
  if (state === "cancelling") {
    return `This ${type} is being cancelled already; the provider has not confirmed it yet.`;
  }
  const back = `${formatCredits(charged)} back, balance ${credits(balance + charged)}`;
  const word = formatStatus(status);
  const start = fresh
    ? `The provider says ${word}`
    : `The provider last said ${word}, and did not answer just now`;
  if (isTooLate(status)) return `${start}: it can hardly be cancelled. If it works: ${back}`;
  return fresh && isStillWaiting(status)
    ? `Not printed yet. ${back}`
    : `${start}: it may still be possible. ${back}`;
}
