import { type Listing, listPieces, nameOf } from "~/outside/mail-provider/reporting.server";
import { learnProviderId } from "~/pieces/events/apply-event.server";
import { isMailId } from "~/pieces/mail-item";
import { readSendId } from "~/pieces/send-tag";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { DAY_MS, formatIsoDay } from "~/platform/time";
import { Prisma } from "../../prisma/client/client";
import { compare } from "./compare";
import type { Booked, Comparison, Listed, Period } from "./reconciliation";

/** One account, or one more address of it. */
export interface SettledCheckout {
  label: string;
  url: string;
  /** Pieces it lists. */
  pieces: number;
  /** Why it could not be listed, or null. */
  problem: string | null;
  /** The list was read to its end; or our key opens nothing there, and nothing of the period went there. */
  isDone: boolean;
}

export interface Reconciliation extends Comparison {
  period: Period;
  places: SettledCheckout[];
  /** Whether all that had to be looked at was. */
  isComplete: boolean;
}

/** A replay makes a piece up to 20 h after its send, and the provider's days may be of another zone. */
const PAD_MS = 2 * DAY_MS;

/**
 * Compares the sends of these days with what the provider lists, at every base URL, within a time limit and the rate
 * limit. Changes no credits and no state; a mailed piece without the provider's id gets it. Fails with `not_configured`
 * (no key), or as the database does; what the provider did not tell is in the value.
 */
export async function reconcile(
  period: Period,
  { limitMs, run = withDatabase }: { limitMs: number; run?: typeof withDatabase },
): Promise<Outcome<Reconciliation>> {
  const { providerKey, baseUrls } = env();
  if (providerKey === null) {
    return fail(
      "not_configured",
      "The mail API key is not configured: STANNP_API_KEY must be set in the server's environment. Nothing was compared.",
    );
  }
  const deadline = performance.now() + limitMs;
  const clock = await run((db) => db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`);
  if (!clock.ok) return clock;
  const startedAt = clock.value[0]?.now ?? new Date();
  const days = {
    from: formatIsoDay(Date.parse(period.from) - PAD_MS),
    to: formatIsoDay(Date.parse(period.to) + PAD_MS),
  };
  const listings = await Promise.all(
    baseUrls.map(async (place) => ({ place, listing: await listPieces(place, days, providerKey, deadline) })),
  );
  const pieces = merge(listings);
  const read = await run((db) => readBooked(db, period, pieces, startedAt));
  if (!read.ok) return read;
  const booked = read.value;
  const learned = await run((db) => learnIds(db, booked, pieces));
  if (!learned.ok) return learned;
  const seen = new Set(listings.flatMap(({ place, listing }) => (listing.problem ? [] : [place.url])));
  const places = listings.map(({ place, listing: { pieces: listed, problem } }) => ({
    label: place.label,
    url: place.url,
    pieces: listed.length,
    problem: problem?.reason ?? null,
    isDone:
      problem === null || (problem.kind === "key" && !booked.some(({ baseUrl }) => baseUrl === place.url)),
  }));
  const compared = compare(booked, pieces, seen, period, startedAt);
  return succeed({
    ...compared,
    period,
    places,
    isComplete: seen.size > 0 && compared.unseen === 0 && places.every(({ isDone }) => isDone),
  });
}

/** Each piece once, wherever it is listed. */
function merge(listings: readonly { place: { url: string }; listing: Listing }[]): Listed[] {
  const merged = new Map<string, Listed>();
  for (const { place, listing } of listings) {
    for (const piece of listing.pieces) {
      const name = nameOf(piece);
      const before = merged.get(name)?.baseUrls ?? [];
      merged.set(name, { ...piece, baseUrls: [...before, place.url] });
    }
  }
  return [...merged.values()];
}

const BASE_URL = Prisma.sql`regexp_replace(split_part(s.url, '?', 1), '/[^/]+/[^/]+$', '')`;
/** Of a create's answer, where the provider says what the piece costs: `"cost":"0.99"`. */
const COST = Prisma.sql`substring(left(s.answer_text, 4000) from '"cost"\\s*:\\s*"?([0-9]+(?:\\.[0-9]+)?)')`;
const COLUMNS = Prisma.sql`
  s.id, u.display_name AS payer, s.mail_type AS type, ${BASE_URL} AS "baseUrl", s.provider_id AS "providerId", s.state,
  s.cost, ${COST}::float8 AS "providerCost", i.status, s.created_at AS "createdAt",
  (SELECT coalesce(sum(CASE t.cause WHEN 'send' THEN t.amount ELSE -t.amount END), 0)
    FROM credit_transactions t WHERE t.cause IN ('send', 'refund') AND t.cause_key = s.id)::int AS paid`;
const TABLES = Prisma.sql`
  sends s JOIN users u ON u.id = s.user_id LEFT JOIN mail_items i ON i.send_id = s.id`;

/** The sends of the period, and those of whatever days that the pieces are of. */
async function readBooked(
  db: Db,
  period: Period,
  pieces: readonly Listed[],
  startedAt: Date,
): Promise<Booked[]> {
  const moving = Prisma.sql`
    coalesce(greatest(s.created_at, s.settled_at, s.cancel_asked_at, s.cancelled_at) >= ${startedAt}::timestamptz, false) AS "isMoving"`;
  const end = new Date(Date.parse(period.to) + DAY_MS);
  const inPeriod = await db.$queryRaw<Booked[]>`
    SELECT ${COLUMNS}, ${moving} FROM ${TABLES}
    WHERE s.created_at >= ${new Date(period.from)}::timestamptz AND s.created_at < ${end}::timestamptz
    ORDER BY s.created_at, s.id`;
  const known = new Set(inPeriod.map(({ id }) => id));
  const tags = pieces.flatMap(({ tags }) => readSendId(tags) ?? []).filter((id) => !known.has(id));
  const untagged = pieces.filter(({ tags }) => readSendId(tags) === null).map(({ id }) => id);
  const others = await db.$queryRaw<Booked[]>`
    SELECT ${COLUMNS}, ${moving} FROM ${TABLES}
    WHERE s.id IN (
      SELECT unnest(${tags}::text[])
      UNION SELECT send_id FROM mail_items WHERE provider_id = ANY(${untagged}::text[]) AND send_id IS NOT NULL
    ) ORDER BY s.created_at, s.id`;
  return [...inPeriod, ...others.filter(({ id }) => !known.has(id))];
}

/** A piece that only a person knew to be mailed has no id until its tag is found; without one it cannot be cancelled. */
async function learnIds(db: Db, booked: readonly Booked[], pieces: readonly Listed[]): Promise<void> {
  for (const { id } of booked.filter(
    ({ state, providerId }) => state === "accepted" && providerId === null,
  )) {
    const own = pieces.filter((piece) => readSendId(piece.tags) === id && piece.status !== "test");
    const [piece] = own;
    if (piece && own.length === 1 && isMailId(piece.id)) await learnProviderId(db, id, piece.id);
  }
}
