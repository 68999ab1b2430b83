import { z } from "zod";
import { currentFingerprint, findKey } from "~/outside/mail-provider/call/keys.server";
import { formatPieceKey, type Listing, listPieces } from "~/outside/mail-provider/reporting.server";
import { setProviderId } from "~/pieces/events/apply-event.server";
import { BASE_URL } from "~/pieces/item-record.server";
import { isMailId } from "~/pieces/mail-item";
import { disproveRelease } from "~/pieces/send/send-transitions.server";
import { parseSendId } from "~/pieces/send-tag";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { DATE_OUT_OF_RANGE, isDateInRange, NOT_A_DATE } from "~/platform/input.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { DAY_MS, formatIsoDay } from "~/platform/time";
import { Prisma } from "../../prisma/client/client";
import { compare } from "./compare";
import { type Comparison, endOf, type Listed, type OurPiece, type Period } from "./reconciliation";

/** A base URL whose list was requested. */
interface ListedBaseUrl {
  label: string;
  url: string;
  /** Number of pieces that it lists. */
  pieces: number;
  /** Why it could not be listed, or null. */
  problem: string | null;
  /** True when the list was read to its end, or the key is refused there and nothing of the period needs it. */
  isDone: boolean;
}

export interface Reconciliation extends Comparison {
  period: Period;
  baseUrls: ListedBaseUrl[];
  /** True when the provider's lists were read to their end. */
  isRead: boolean;
  /** True when everything could be compared. */
  isComplete: boolean;
}

/** A retry may create a piece 20 hours after the send, and the provider's days may be in another time zone. */
const PAD_MS = 2 * DAY_MS;

/**
 * Compares the pieces of these days with the provider's lists at every base URL, within `limitMs` and the rate limit. Stores the provider's
 * id of a mailed piece that has none, and that a released piece was mailed, so that it is not sent again. Changes no credits and no state.
 * Fails with `not_configured` (no key) or as the database does. A provider that does not answer is no failure but a `problem` in the value.
 */
export async function reconcile(
  period: Period,
  { limitMs, run = withDatabase }: { limitMs: number; run?: typeof withDatabase },
): Promise<Outcome<Reconciliation>> {
  if (env().providerKey === null) {
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
  const retired = await run((db) => loadRetiredKeys(db, period));
  if (!retired.ok) return retired;
  const listings = await Promise.all(
    [null, ...retired.value].flatMap((key) =>
      env().baseUrls.map(async (base) => {
        const listing = await listPieces(base, days, deadline, key);
        return { base, key, account: nameAccount(base.url, key), listing };
      }),
    ),
  );
  const pieces = mergeListings(listings);
  const loaded = await run((db) => loadOurs(db, period, pieces, startedAt));
  if (!loaded.ok) return loaded;
  const ours = loaded.value;
  const stored = await run((db) => storeMissingIds(db, ours, pieces));
  if (!stored.ok) return stored;
  const seen = new Set(listings.flatMap(({ account, listing }) => (listing.problem ? [] : [account])));
  const baseUrls = listings.map(({ base, key, account, listing: { pieces: listed, problem } }) => ({
    label: key === null ? base.label : `${base.label}, earlier key`,
    url: base.url,
    pieces: listed.length,
    problem: problem?.reason ?? null,
    // An earlier key may be revoked: its pieces may be listed by the current one.
    isDone:
      problem === null ||
      (problem.kind === "key" && (key !== null || !ours.some(({ baseUrl }) => baseUrl === account))),
  }));
  const compared = compare(ours, pieces, seen, period, startedAt);
  const released = compared.findings.flatMap(({ kind, send }) =>
    kind === "released" && send ? [send.id] : [],
  );
  const kept = await run(async (db) => {
    for (const id of released) await disproveRelease(db, id);
  });
  if (!kept.ok) return kept;
  const isRead = seen.size > 0 && baseUrls.every(({ isDone }) => isDone);
  return succeed({ ...compared, period, baseUrls, isRead, isComplete: isRead && compared.unseen === 0 });
}

/** Names the account of a base URL. An earlier key, named by its fingerprint, may be of another account. */
function nameAccount(baseUrl: string, retiredKey: string | null): string {
  return retiredKey === null ? baseUrl : `${baseUrl} ${retiredKey}`;
}

/** Loads the fingerprints of earlier keys that sent pieces of these days and that this server has. */
async function loadRetiredKeys(db: Db, period: Period): Promise<string[]> {
  const rows = await db.$queryRaw<{ key: string }[]>`
    SELECT DISTINCT key_fingerprint AS key FROM sends
    WHERE created_at >= ${new Date(period.from)}::timestamptz AND created_at < ${endOf(period)}::timestamptz
      AND key_fingerprint <> ${currentFingerprint()}`;
  return rows.flatMap(({ key }) => (findKey(key) === null ? [] : [key]));
}

/** Merges lists, because several base URLs may list the same account. */
function mergeListings(listings: readonly { account: string; listing: Listing }[]): Listed[] {
  const merged = new Map<string, Listed>();
  for (const { account, listing } of listings) {
    for (const piece of listing.pieces) {
      const name = formatPieceKey(piece);
      const before = merged.get(name)?.baseUrls ?? [];
      merged.set(name, { ...piece, baseUrls: [...before, account] });
    }
  }
  return [...merged.values()];
}

const selectColumns = () => Prisma.sql`
  s.id, u.display_name AS payer, s.mail_type AS type, s.provider_id AS "providerId",
  ${BASE_URL} || CASE WHEN s.key_fingerprint <> ${currentFingerprint()} THEN ' ' || s.key_fingerprint ELSE '' END AS "baseUrl",
  state, s.cost, i.provider_cost::float8 AS "providerCost", i.status, s.created_at AS "createdAt",
  (SELECT coalesce(sum(CASE t.cause WHEN 'send' THEN t.amount ELSE -t.amount END), 0)
    FROM credit_transactions t WHERE t.cause IN ('send', 'refund') AND t.cause_key = s.id)::int AS paid`;
const TABLES = Prisma.sql`
  sends s JOIN users u ON u.id = s.user_id LEFT JOIN mail_items i ON i.send_id = s.id`;

/** Loads our pieces of the period, and those of other days that the listed pieces belong to. */
async function loadOurs(db: Db, period: Period, pieces: readonly Listed[], startedAt: Date) {
  const moving = Prisma.sql`
    coalesce(greatest(s.created_at, s.settled_at, s.cancel_asked_at, s.cancelled_at) >= ${startedAt}::timestamptz, false) AS "isMoving"`;
  const inPeriod = await db.$queryRaw<OurPiece[]>`
    SELECT ${selectColumns()}, ${moving} FROM ${TABLES}
    WHERE s.created_at >= ${new Date(period.from)}::timestamptz AND s.created_at < ${endOf(period)}::timestamptz
    ORDER BY s.created_at, s.id`;
  const known = new Set(inPeriod.map(({ id }) => id));
  const sendIds = pieces.flatMap(({ tags }) => parseSendId(tags) ?? []).filter((id) => !known.has(id));
  const untagged = pieces.filter(({ tags }) => parseSendId(tags) === null).map(({ id }) => id);
  const others = await db.$queryRaw<OurPiece[]>`
    SELECT ${selectColumns()}, ${moving} FROM ${TABLES}
    WHERE s.id IN (
      SELECT unnest(${sendIds}::text[])
      UNION SELECT send_id FROM mail_items WHERE provider_id = ANY(${untagged}::text[]) AND send_id IS NOT NULL
    ) ORDER BY s.created_at, s.id`;
  return [...inPeriod, ...others.filter(({ id }) => !known.has(id))];
}

/** Stores the provider's id of pieces that a person declared mailed; without it they cannot be cancelled. */
async function storeMissingIds(db: Db, ours: readonly OurPiece[], pieces: readonly Listed[]): Promise<void> {
  for (const { id } of ours.filter(({ state, providerId }) => state === "accepted" && providerId === null)) {
    const own = pieces.filter((piece) => parseSendId(piece.tags) === id && piece.status !== "test");
    const [piece] = own;
    if (piece && own.length === 1 && isMailId(piece.id)) await setProviderId(db, id, piece.id);
  }
}

const DEFAULT_DAYS = 30;
const MAX_DAYS = 92;

const day = z.iso.date(NOT_A_DATE).refine(isDateInRange, DATE_OUT_OF_RANGE);

/** Returns the last 30 days, including today. */
export function choosePeriod(now: Date): Period {
  return { from: formatIsoDay(now.getTime() - (DEFAULT_DAYS - 1) * DAY_MS), to: formatIsoDay(now.getTime()) };
}

/** Parses two days; a missing one has the default of {@link choosePeriod}. Fails with `bad_input`. */
export function parsePeriod(
  input: { [Name in keyof Period]?: string | undefined },
  now: Date,
): Outcome<Period> {
  const usual = choosePeriod(now);
  const period = { from: input.from?.trim() || usual.from, to: input.to?.trim() || usual.to };
  for (const name of ["from", "to"] as const) {
    const parsed = day.safeParse(period[name]);
    if (!parsed.success) return refuse(`${name} ${parsed.error.issues[0]?.message}`);
  }
  const days = (Date.parse(period.to) - Date.parse(period.from)) / DAY_MS + 1;
  if (days < 1) return refuse("from is after to");
  if (days > MAX_DAYS) return refuse(`${days} days are more than ${MAX_DAYS}`);
  return succeed(period);
}

function refuse(problem: string): Outcome<never> {
  return fail("bad_input", `These days cannot be compared: ${problem}. Nothing was compared.`);
}
