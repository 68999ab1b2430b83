import { z } from "zod";
import { inProviderTurn } from "~/outside/mail-provider/call/provider-turn.server";
import { parseCallsLeft, parseWaitSeconds } from "~/outside/mail-provider/call/rate-limit";
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
  /** The provider's word now; the last known one where it could not be asked. */
  status: string;
  /** True when its status has advanced. */
  changed: boolean;
  /** Credits that came back, because the provider had cancelled it. */
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
  /** All of it in words. */
  message: string;
}

const MAX_ITEMS = 200;
export const refreshBody = z.object({ ids: z.array(z.string().min(1).max(64)).min(1).max(MAX_ITEMS) });
/** Calls that are left to everybody else in this minute. */
const RESERVE = 10;
/** One answer of ours takes no longer. */
const TIME_LIMIT_MS = 20_000;

/**
 * Asks the provider where these items stand, by our ids, one after the other, within its rate limit and 20 s: what is
 * left is named. Test items and cancelled ones are not asked for. A piece that the provider cancelled is refunded, once.
 * Fails with `bad_input`, `not_configured`, `overloaded`, or as the database does.
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
  return inProviderTurn(() => askInTurn(ids, viewer));
}

async function askInTurn(
  ids: readonly string[],
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<RefreshResult>> {
  const startedAt = performance.now();
  const items: RefreshedItem[] = [];
  for (const [place, id] of ids.entries()) {
    if (performance.now() - startedAt > TIME_LIMIT_MS) return conclude(items, ids.slice(place), null, viewer);
    const asked = await refreshItem(id);
    if (!asked.ok) return asked;
    const { item, waitSeconds } = asked.value;
    if (item) items.push(item);
    if (waitSeconds !== null)
      return conclude(items, ids.slice(item ? place + 1 : place), waitSeconds, viewer);
  }
  return conclude(items, [], null, viewer);
}

/** The same for whatever pieces the provider knows by this id, by a caller whose turn it is; without saying what came of it. */
export async function refreshByProviderId(providerId: string, viewer: Pick<Viewer, "id">): Promise<void> {
  const cases = await withDatabase((db) => findCasesByProviderId(db, providerId));
  const ids = cases.ok ? cases.value.map(({ id }) => id) : [];
  if (ids.length > 0) await askInTurn(ids, viewer);
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

/** The body of `POST /api/mail/refresh`: our ids of items. Fails with `bad_input`. */
export function parseRefresh(input: unknown): Outcome<string[]> {
  const parsed = refreshBody.safeParse(input);
  if (parsed.success) return succeed(parsed.data.ids);
  return fail("bad_input", `Give ids, a list of 1 to ${MAX_ITEMS} pieces. No status was asked for.`);
}

interface Asked {
  /** Null where the rate limit kept it from being asked, or there is no such item. */
  item: RefreshedItem | null;
  /** Not null: no further call before then. */
  waitSeconds: number | null;
}

/** One item, by our id. Fails as the database does. */
export async function refreshItem(id: string): Promise<Outcome<Asked>> {
  const found = await withDatabase((db) => findCaseById(db, id));
  if (!found.ok) return found;
  if (!found.value) return succeed({ item: null, waitSeconds: null });
  const piece = found.value;
  const quiet = { id, status: piece.status, changed: false, refunded: 0 };
  if (piece.isTest || piece.providerId === null || piece.state === "cancelled") {
    return succeed({ item: { ...quiet, problem: null }, waitSeconds: null });
  }
  const said = await loadProviderStatus(piece);
  if (said.kind === "rate_limited") return succeed({ item: null, waitSeconds: said.waitSeconds });
  const item =
    said.kind === "found" ? await keepStatus(piece, said) : succeed({ ...quiet, problem: said.reason });
  if (!item.ok) return item;
  const remaining = parseCallsLeft(said.headers);
  const scarce = remaining !== null && remaining <= RESERVE;
  return succeed({ item: item.value, waitSeconds: scarce ? parseWaitSeconds(said.headers) : null });
}

async function keepStatus(
  piece: CancelCase,
  said: { status: string; saidAt: Date | null },
): Promise<Outcome<RefreshedItem>> {
  const status = parseStatus(said.status);
  if (status === null) {
    const problem = "The provider's status cannot be read.";
    return succeed({ id: piece.id, status: piece.status, changed: false, refunded: 0, problem });
  }
  const noted = await withDatabase((db) =>
    applyStatus(db, piece.id, { status, source: "refresh", saidAt: said.saidAt }),
  );
  if (!noted.ok) return noted;
  const { moved, refunded } = noted.value;
  return succeed({ id: piece.id, status, changed: moved, refunded: refunded?.charged ?? 0, problem: null });
}
