import { parseProviderEvent, type ReportedPiece } from "~/outside/mail-provider/webhook.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { replaySpool, writeSpool } from "~/platform/spool.server";
import type { PrismaClient } from "../../../prisma/client/client";
import { isCancelledAtProvider } from "../cancel/cancel-call.server";
import { type CancelCase, findCaseById, findCasesByProviderId } from "../cancel/cancel-transitions.server";
import { isMailId } from "../mail-item";
import { formatMailedByEvent } from "../messages";
import { alarmIfReleased } from "../send/settle.server";
import { mayBeOfSend, parseSendId } from "../send-tag";
import { CANCELLED, findStatus, parseStatus } from "../status";
import { applyStatus, setProviderId } from "./apply-event.server";
import {
  isMailWord,
  type ReportedEvent,
  storeTaggedEvent,
  storeUntaggedEvent,
} from "./pending-events.server";

/**
 * The numbers of pieces that an event advanced, did not advance, may concern once they are stored, and that are not
 * ours.
 */
const NOTHING = { moved: 0, unchanged: 0, kept: 0, unknown: 0 };
type EventReceipt = typeof NOTHING;
/** Files in the spool have the time as `saidAt`. */
const SPOOL_KIND = "provider_event";

/** Applies events that the provider's webhook sent while the database was away. */
export const replayProviderEvents = replaySpool(SPOOL_KIND, (content) => {
  const { pieces, saidAt } = content as { pieces: ReportedPiece[]; saidAt: string | null };
  return applyPieces(pieces, saidAt === null ? null : new Date(saidAt));
});

/**
 * Handles an event of the provider's webhook: moves items forward, and refunds cancelled pieces, once, in any order
 * and however often it arrives. Events of unknown pieces are stored (pending-events.server.ts). If the database is
 * away, the event waits in the spool: the provider pauses its webhook after five failures in a day. Fails with
 * `not_found` (no secret is set), `bad_input` (forged, old, unreadable) or, if the disk fails too, as the database
 * does; then the provider sends the event again.
 */
export async function handleProviderEvent(
  rawBody: Uint8Array,
  headers: Headers,
  now = Date.now(),
): Promise<Outcome<EventReceipt>> {
  const secrets = env().providerWebhookSecrets;
  if (secrets.length === 0) return fail("not_found", "There is nothing here.");
  const event = parseProviderEvent(rawBody, headers, secrets, now);
  if (!event.ok) {
    log.warn("webhook.refused", { event: "mail_provider", reason: event.failure.message });
    return event;
  }
  if (event.value.kind !== "pieces") return succeed(NOTHING);
  const { pieces, reportedAt } = event.value;
  const applied = await applyPieces(pieces, reportedAt);
  const isAway = !applied.ok && applied.failure.code === "database_unavailable";
  return isAway && (await writeSpool(SPOOL_KIND, { pieces, saidAt: reportedAt }))
    ? succeed({ ...NOTHING, kept: pieces.length })
    : applied;
}

async function applyPieces(pieces: readonly ReportedPiece[], reportedAt: Date | null) {
  const receipt = { ...NOTHING };
  for (const piece of pieces) {
    const result = await takeEvent(piece, reportedAt);
    if (!result.ok) return result;
    receipt[result.value] += 1;
  }
  log.info("webhook.applied", {
    event: "mail_provider",
    reason: `${receipt.moved} moved, ${receipt.unchanged} unchanged, ${receipt.kept} kept, ${receipt.unknown} unknown`,
  });
  return succeed(receipt);
}

/** The action for an event. `confirm`: a charged piece is reported as cancelled, which the provider must confirm. */
type Read = { kind: keyof EventReceipt } | { kind: "confirm"; item: CancelCase; event: ReportedEvent };

async function takeEvent(
  piece: ReportedPiece,
  reportedAt: Date | null,
): Promise<Outcome<keyof EventReceipt>> {
  const read = await withDatabase((db) => applyEvent(db, piece, reportedAt));
  if (!read.ok) return read;
  if (read.value.kind !== "confirm") return succeed(read.value.kind);
  const { item, event } = read.value;
  const confirmed = await isCancelledAtProvider(item);
  return withDatabase(async (db) => {
    if (confirmed) return applyToItem(db, item, event);
    return (await storeTaggedEvent(db, item.id, event)) ? "kept" : "unknown";
  });
}

async function applyEvent(db: PrismaClient, piece: ReportedPiece, reportedAt: Date | null): Promise<Read> {
  const status = parseStatus(piece.status);
  if (status === null || !isMailId(piece.id)) return { kind: "unknown" };
  const event = { providerId: piece.id, status, reportedAt };
  // A tag of ours decides if it agrees with the id; without one the id decides.
  const sendId = parseSendId(piece.tags);
  if (sendId !== null) {
    const own = await findCaseById(db, sendId);
    if (own) {
      const agrees = (own.providerId ?? piece.id) === piece.id;
      return agrees ? applyOrConfirm(db, own, event) : { kind: "unknown" };
    }
    if (await storeTaggedEvent(db, sendId, event)) return { kind: "kept" };
    return { kind: (await alarmIfMailed(db, sendId, event)) ? "kept" : "unknown" };
  }
  const found = await findCasesByProviderId(db, piece.id);
  const untagged = piece.tags.trim() === "";
  // A piece with tags but none of ours belongs to another program or account, whose id may be equal.
  const cases = untagged ? found : found.filter(({ id }) => mayBeOfSend(piece.tags, id));
  const [one] = cases;
  if (!one) return { kind: untagged && (await storeUntaggedEvent(db, event)) ? "kept" : "unknown" };
  if (cases.every(({ baseUrl }) => baseUrl === one.baseUrl)) return applyOrConfirm(db, one, event);
  // Ids of several accounts may be equal, and an event does not say which account it is of.
  log.warn("webhook.ambiguous_piece", { reason: piece.id.slice(0, 40) });
  return { kind: "unknown" };
}

/** Opens an alarm for a signed event with the tag of a send that was released as not mailed, unless it is cancelled. */
async function alarmIfMailed(db: PrismaClient, sendId: string, event: ReportedEvent): Promise<boolean> {
  const { providerId, status } = event;
  if (!isMailWord(status) || status === CANCELLED) return false;
  const text = formatMailedByEvent(status, providerId);
  return alarmIfReleased(db, sendId, { text, source: "webhook", facts: { provider_id: providerId, status } });
}

async function applyOrConfirm(db: PrismaClient, item: CancelCase, event: ReportedEvent): Promise<Read> {
  if (event.status === CANCELLED && item.state !== "cancelled" && item.charged > 0) {
    return { kind: "confirm", item: { ...item, providerId: event.providerId }, event };
  }
  return { kind: await applyToItem(db, item, event) };
}

async function applyToItem(db: PrismaClient, { id }: CancelCase, event: ReportedEvent) {
  const { providerId, status, reportedAt } = event;
  await setProviderId(db, id, providerId);
  const { moved } = await applyStatus(db, id, { status, source: "webhook", reportedAt });
  return moved ? "moved" : "unchanged";
}

/** Older pieces than this are left to reconciliation. */
const PRODUCED_WITHIN_DAYS = 14;

/**
 * Finds out if events have stopped: the last one came over a day ago, although a piece accepted over a day ago is in
 * production. Null if all is well. Older pieces move too rarely to tell.
 */
export async function findWebhookSilence(db: PrismaClient): Promise<{ lastEventAt: Date | null } | null> {
  const [silence] = await db.$queryRaw<{ lastEventAt: Date | null }[]>`
    WITH last AS (
      SELECT (SELECT at FROM mail_events WHERE source = 'webhook' ORDER BY id DESC LIMIT 1) AS at
    )
    SELECT at AS "lastEventAt" FROM last
    WHERE coalesce(at < now() - interval '1 day', true)
      AND NOT EXISTS (SELECT 1 FROM pending_events WHERE received_at > now() - interval '1 day')
      AND EXISTS (
        SELECT 1 FROM mail_items WHERE NOT test AND NOT is_cancelled
          AND status_rank < ${findStatus("handed_over")?.rank ?? 0}::int
          AND created_at > now() - ${PRODUCED_WITHIN_DAYS}::int * interval '1 day'
          AND created_at < now() - interval '1 day')`;
  return silence ?? null;
}
