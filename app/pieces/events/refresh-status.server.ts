import { z } from "zod";
import { parseCallsLeft, parseWaitSeconds } from "~/outside/mail-provider/call/answer";
import { inProviderTurn } from "~/outside/mail-provider/call/pace.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { loadProviderStatus } from "../cancel/cancel-call.server";
import { type CancelCase, findCaseById, findCasesByProviderId } from "../cancel/cancel-transitions.server";
import { formatRefresh } from "../messages";
import { parseStatus } from "../status";
import { applyStatus } from "./apply-event.server";

/** The result for one item. */
export interface RefreshedItem {
  id: string;
  /** The provider's status; the last known one when it could not be asked. */
  status: string;
  /** True when its status has advanced. */
  changed: boolean;
  /** Credits that were refunded, because the provider had cancelled it. */
  refunded: number;
  /** The reason why the provider could not be asked, or did not say; null when it did. */
  problem: string | null;
}

export interface RefreshResult {
  items: RefreshedItem[];
  /** Ids that were not asked for. */
  left: string[];
  /** Set when the provider's rate limit is nearly used up; null when nothing is left, or the rest may be asked at once. */
  retryAfterSeconds: number | null;
  /** The result in words. */
  message: string;
}

const MAX_ITEMS = 200;
export const refreshBody = z.object({ ids: z.array(z.string().min(1).max(64)).min(1).max(MAX_ITEMS) });
/** Calls per minute that are left to others. */
const RESERVE = 10;
/** Limit of one request. */
const TIME_LIMIT_MS = 20_000;

/**
 * Fetches the statuses of these items, by our ids, one after the other, within the provider's rate limit and 20 s;
 * `left` names the rest. Skips tests and cancelled items. Refunds a piece that the provider cancelled, once. Fails
 * with `bad_input`, `not_configured`, `overloaded`, or as the database does.
 */
export async function refreshStatus(
  ids: readonly string[],
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<RefreshResult>> {
  if (ids.length > MAX_ITEMS) return fail("bad_input", `Ask for ${MAX_ITEMS} pieces at most at once.`);
  if (env().providerKey === null) {
    return fail(
      "not_configured",
      "The mail API key is not configured: STANNP_API_KEY must be set in the server's environment. No status was asked for.",
    );
  }
  return inProviderTurn(() => refreshInTurn(ids, viewer));
}

async function refreshInTurn(
  ids: readonly string[],
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<RefreshResult>> {
  const startedAt = performance.now();
  const items: RefreshedItem[] = [];
  for (const [place, id] of ids.entries()) {
    if (performance.now() - startedAt > TIME_LIMIT_MS) return conclude(items, ids.slice(place), null, viewer);
    const refreshed = await refreshItem(id);
    if (!refreshed.ok) return refreshed;
    const { item, waitSeconds } = refreshed.value;
    if (item) items.push(item);
    if (waitSeconds !== null)
      return conclude(items, ids.slice(item ? place + 1 : place), waitSeconds, viewer);
  }
  return conclude(items, [], null, viewer);
}

/** Fetches the statuses of all pieces with this provider's id, for a caller whose turn it is. */
export async function refreshByProviderId(providerId: string, viewer: Pick<Viewer, "id">): Promise<void> {
  const cases = await withDatabase((db) => findCasesByProviderId(db, providerId));
  const ids = cases.ok ? cases.value.map(({ id }) => id) : [];
  if (ids.length > 0) await refreshInTurn(ids, viewer);
}

function conclude(
  items: RefreshedItem[],
  left: string[],
  waitSeconds: number | null,
  viewer: Pick<Viewer, "id">,
): Outcome<RefreshResult> {
  log.info("status.refreshed", { userId: viewer.id, reason: `${items.length} asked, ${left.length} left` });
  const retryAfterSeconds = left.length > 0 ? waitSeconds : null;
  return succeed({
    items,
    left,
    retryAfterSeconds,
    message: formatRefresh(items, left.length, retryAfterSeconds),
  });
}

/** Parses the body of `POST /api/mail/refresh`: our ids of items. Fails with `bad_input`. */
export function parseRefresh(input: unknown): Outcome<string[]> {
  const parsed = refreshBody.safeParse(input);
  if (parsed.success) return succeed(parsed.data.ids);
  return fail("bad_input", `Give ids, a list of 1 to ${MAX_ITEMS} pieces. No status was asked for.`);
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
  const look = await loadProviderStatus(piece);
  if (look.kind === "rate_limited") return succeed({ item: null, waitSeconds: look.waitSeconds });
  const item =
    look.kind === "found" ? await storeStatus(piece, look) : succeed({ ...quiet, problem: look.reason });
  if (!item.ok) return item;
  const remaining = parseCallsLeft(look.headers);
  const scarce = remaining !== null && remaining <= RESERVE;
  return succeed({ item: item.value, waitSeconds: scarce ? parseWaitSeconds(look.headers) : null });
}

async function storeStatus(
  piece: CancelCase,
  look: { status: string; saidAt: Date | null },
): Promise<Outcome<RefreshedItem>> {
  const status = parseStatus(look.status);
  if (status === null) {
    const problem = "The provider's status cannot be read.";
    return succeed({ id: piece.id, status: piece.status, changed: false, refunded: 0, problem });
  }
  const applied = await withDatabase((db) =>
    applyStatus(db, piece.id, { status, source: "refresh", saidAt: look.saidAt }),
  );
  if (!applied.ok) return applied;
  const { moved, refunded } = applied.value;
  return succeed({ id: piece.id, status, changed: moved, refunded: refunded?.charged ?? 0, problem: null });
}
