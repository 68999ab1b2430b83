import { z } from "zod";
import { inProviderTurn } from "~/outside/mail-provider/call/pace.server";
import { parseCallsLeft, parseWaitSeconds } from "~/outside/mail-provider/call/rate-headers";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { fetchProviderStatus } from "../cancel/cancel-call.server";
import { type CancelCase, findCaseById, findCasesByProviderId } from "../cancel/cancel-transitions.server";
import { formatRefresh } from "../messages";
import { parseStatus } from "../status";
import { applyStatus } from "./apply-event.server";

export interface RefreshedItem {
  id: string;
  /** The provider's status; the last known one when it could not be asked. */
  status: string;
  changed: boolean;
  /** Credits that were refunded, because the provider had cancelled it. */
  refunded: number;
  /** The reason why the provider could not be asked, or did not say; null when it did. */
  problem: string | null;
}

const MAX_ITEMS = 200;
export const refreshBody = z.object({ ids: z.array(z.string().min(1).max(64)).min(1).max(MAX_ITEMS) });
const NO_KEY_TO_REFRESH =
  "The mail API key is not configured: STANNP_API_KEY must be set in the server's environment. No status was fetched.";
/** Calls per minute that are left to others. */
const RESERVE = 10;
const TIME_LIMIT_MS = 20_000;

/**
 * Fetches the statuses of these items, by our ids, one after the other, within the provider's rate limit and 20 s;
 * `left` names the rest. Skips tests and cancelled items. Refunds a piece that the provider cancelled, once. Fails
 * with `bad_input`, `not_configured`, `overloaded`, or as the database does.
 */
export async function refreshStatus(ids: readonly string[], viewer: Pick<Viewer, "id">) {
  if (ids.length > MAX_ITEMS)
    return fail("bad_input", `Refresh at most ${MAX_ITEMS} pieces at once. No status was fetched.`);
  if (env().providerKey === null) return fail("not_configured", NO_KEY_TO_REFRESH);
  return inProviderTurn(() => refreshInTurn(ids, viewer));
}

async function refreshInTurn(ids: readonly string[], viewer: Pick<Viewer, "id">) {
  const startedAt = performance.now();
  const items: RefreshedItem[] = [];
  let position = 0;
  let stopSeconds: number | null = null;
  while (position < ids.length && stopSeconds === null && performance.now() - startedAt <= TIME_LIMIT_MS) {
    const refreshed = await refreshItem(ids[position] ?? "");
    if (!refreshed.ok) return refreshed;
    const { item, waitSeconds } = refreshed.value;
    if (item) items.push(item);
    stopSeconds = waitSeconds;
    // A piece that the rate limit kept back is left.
    if (item || waitSeconds === null) position += 1;
  }
  const left = ids.slice(position);
  log.info("status.refreshed", { userId: viewer.id, reason: `${items.length} asked, ${left.length} left` });
  // Null when nothing is left, or the rest may be asked at once.
  const retryAfterSeconds = left.length > 0 ? stopSeconds : null;
  const message = formatRefresh(items, left.length, retryAfterSeconds);
  return succeed({ items, left, retryAfterSeconds, message });
}

/** Fetches the statuses of all pieces with this provider's id, for a caller whose turn it is. */
export async function refreshByProviderId(providerId: string, viewer: Pick<Viewer, "id">): Promise<void> {
  const cases = await withDatabase((db) => findCasesByProviderId(db, providerId));
  const ids = cases.ok ? cases.value.map(({ id }) => id) : [];
  if (ids.length > 0) await refreshInTurn(ids, viewer);
}

/** Parses the body of `POST /api/mail/refresh`: our ids of items. Fails with `bad_input`. */
export function parseRefresh(input: unknown): Outcome<string[]> {
  const parsed = refreshBody.safeParse(input);
  if (parsed.success) return succeed(parsed.data.ids);
  return fail("bad_input", `Give ids, a list of 1 to ${MAX_ITEMS} pieces. No status was fetched.`);
}

interface Refreshed {
  /** Null when the rate limit prevented the call, or there is no such item. */
  item: RefreshedItem | null;
  /** Set when no further call may be made before then. */
  waitSeconds: number | null;
}

/** Fetches the status of one item, by our id. Fails as the database does. */
export async function refreshItem(id: string): Promise<Outcome<Refreshed>> {
  const found = await withDatabase((db) => findCaseById(db, id));
  if (!found.ok) return found;
  if (!found.value) return succeed({ item: null, waitSeconds: null });
  const piece = found.value;
  const quiet = { id, status: piece.status, changed: false, refunded: 0 };
  if (piece.isTest || piece.providerId === null || piece.state === "cancelled") {
    return succeed({ item: { ...quiet, problem: null }, waitSeconds: null });
  }
  const fetched = await fetchProviderStatus(piece);
  if (fetched.kind === "rate_limited") return succeed({ item: null, waitSeconds: fetched.waitSeconds });
  const item =
    fetched.kind === "found"
      ? await storeStatus(piece, fetched)
      : succeed({ ...quiet, problem: fetched.reason });
  if (!item.ok) return item;
  const remaining = parseCallsLeft(fetched.headers);
  const scarce = remaining !== null && remaining <= RESERVE;
  return succeed({ item: item.value, waitSeconds: scarce ? parseWaitSeconds(fetched.headers) : null });
}

async function storeStatus(
  { id, status: known }: CancelCase,
  fetched: { status: string; reportedAt: Date | null },
) {
  const status = parseStatus(fetched.status);
  if (status === null) {
    const problem = "The provider's status cannot be read.";
    return succeed({ id, status: known, changed: false, refunded: 0, problem });
  }
  return withDatabase(async (db) => {
    const report = { status, source: "refresh", reportedAt: fetched.reportedAt } as const;
    const { moved, refunded } = await applyStatus(db, id, report);
    return { id, status, changed: moved, refunded: refunded?.charged ?? 0, problem: null };
  });
}
