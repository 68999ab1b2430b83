import { createHash } from "node:crypto";
import { formatCategory } from "../app/catalogue/categories";
import { findPreset } from "../app/catalogue/presets";
import { CREDIT_PACKAGE, MAIL_PRICES } from "../app/catalogue/prices";
import { countResponses } from "../app/responses/response-record.server";
import { Prisma, type PrismaClient } from "./client/client";

/** Six weeks of a small team's mail, so that every list and chart of a new development database has data. */

const DAYS = 42;
const DAY_MS = 86_400_000;
const FIRST_PROVIDER_ID = 16_790_001;

/** The people of the local identity provider, so that each of them has mail after signing in. */
const PEOPLE = [
  { id: "auth-ana", displayName: "Ana Ruiz", email: "ana@example.com", opening: 6 },
  { id: "auth-benedikt", displayName: "Benedikt Amann", email: "benedikt@example.com", opening: 5 },
  { id: "auth-zoe", displayName: "Zoë Müller", email: "zoe@example.org", opening: 40 },
] as const;

const ADDRESSEES = [
  ["Amelia Hartwell", "1001", "Portland"],
  ["Zoë Müller", "1002", "Barnstaple"],
  ["José Álvarez", "1003", "Montréal"],
  ["Siobhán O'Connor", "1004", "Fremantle"],
  ["Björn Åkesson", "1005", "Austin"],
  ["Chloé Tremblay", "1006", "Leeds"],
  ["Łukasz Wiśniewski", "1007", "Boise"],
  ["Priya Raghunathan", "1008", "Hobart"],
  ["Noël D'Arcy", "1009", "Asheville"],
  ["Anaïs Gagné", "1010", "Halifax"],
] as const;

const POSTCARDS = [
  { templateId: "21001", message: "The spring sale begins on Monday. Come early." },
  { templateId: "21003", message: "Your appointment is on Thursday at ten." },
  {
    templateId: "21001",
    message: "Thank you for ten years with us. Your spring present waits at the counter.",
  },
  { templateId: "21001", message: "We have moved. See the spring range in the new shop on Elm Street." },
];
const LETTER = { templateId: "21005", message: "" };

/** The countries of these places in the format of the provider's answers. */
const COUNTRIES: Record<string, string> = {
  Barnstaple: "GB",
  Fremantle: "AU",
  Halifax: "CA",
  Hobart: "AU",
  Leeds: "GB",
  Montréal: "CA",
};

/** A piece's status by its age in days. */
const STATUS_BY_AGE: readonly [days: number, status: string, rank: number][] = [
  [1, "received", 10],
  [2, "producing", 20],
  [4, "handed_over", 40],
  [7, "local_delivery", 50],
  [Number.POSITIVE_INFINITY, "delivered", 60],
];

type Outcome = "mailed" | "cancelled" | "returned" | "refused" | "open";

/** A live piece in the provider's terms. */
export interface SeededPiece {
  /** The provider's id. */
  id: number;
  type: "letter" | "postcard";
  status: string;
  createdAt: Date;
  recipientId: string | null;
  /** The printed content; null when only the request has it. */
  design: { templateId: string; message: string } | null;
}

/** Draws the provider's PDF of a piece. */
export type Print = (piece: SeededPiece) => Promise<Uint8Array<ArrayBuffer>>;

interface Piece {
  id: string;
  userId: string;
  type: "letter" | "postcard";
  cost: number;
  outcome: Outcome;
  addressee: (typeof ADDRESSEES)[number];
  providerId: string | null;
  status: string;
  rank: number;
  design: { templateId: string; message: string };
  body: string;
  answer: string | null;
  at: Date;
  settledAt: Date | null;
  cancelledAt: Date | null;
}

/**
 * Fills a database that has no live mail yet; changes nothing in one that has. Returns the number of pieces.
 * @param baseUrl the provider account of the pieces
 */
export async function seedLife(
  db: PrismaClient,
  baseUrl: string,
  print: Print,
  now = new Date(),
): Promise<number> {
  if ((await db.send.count()) > 0) return 0;
  const pieces = planPieces(now);
  const pdfs = await printPieces(pieces, print);
  await db.$transaction(
    async (tx) => {
      await tx.user.createMany({
        data: PEOPLE.map(({ id, displayName, email }) => ({ id, displayName, username: email, email })),
        skipDuplicates: true,
      });
      await insertPieces(tx, pieces, baseUrl);
      await tx.piecePdf.createMany({ data: pdfs });
      await insertLedger(tx, pieces, now);
      await insertResponses(tx, pieces);
    },
    { timeout: 60_000 },
  );
  return pieces.length;
}

/** Creates the stored copies of the PDFs, each dated when its piece was settled. */
async function printPieces(
  pieces: readonly Piece[],
  print: Print,
): Promise<Prisma.PiecePdfCreateManyInput[]> {
  const pdfs: Prisma.PiecePdfCreateManyInput[] = [];
  for (const { id, providerId, at, settledAt, addressee, ...about } of pieces) {
    if (providerId === null) continue;
    const pdf = await print({ ...about, id: Number(providerId), createdAt: at, recipientId: addressee[1] });
    pdfs.push({ sendId: id, pdf, triedAt: settledAt ?? at });
  }
  return pdfs;
}

function planPieces(now: Date): Piece[] {
  const random = createRandom();
  const pieces: Piece[] = [];
  for (let age = DAYS; age >= 0; age--) {
    const day = new Date(now.getTime() - age * DAY_MS);
    const weekend = [0, 6].includes(day.getUTCDay());
    const count = weekend ? Math.floor(random() * 1.4) : 1 + Math.floor(random() * 3);
    for (let index = 0; index < count; index++) pieces.push(planPiece(pieces.length, age, day, random));
  }
  const open = pieces.findLast(
    ({ outcome, at }) => outcome === "mailed" && now.getTime() - at.getTime() > DAY_MS,
  );
  if (open) Object.assign(open, { outcome: "open", providerId: null, answer: null, settledAt: null });
  return pieces.filter(({ at }) => at <= now).sort((a, b) => a.at.getTime() - b.at.getTime());
}

function planPiece(index: number, age: number, day: Date, random: () => number): Piece {
  const at = new Date(Math.min(day.getTime() - random() * 6 * 3_600_000, day.getTime()));
  const type = random() < 0.35 ? "letter" : "postcard";
  const outcome = chooseOutcome(index, age);
  const addressee = choose(ADDRESSEES, random);
  const byAge = STATUS_BY_AGE.find(([days]) => age < days) ?? [0, "delivered", 60];
  const ended = { cancelled: 80, returned: 70 }[outcome as string];
  const [, status, rank] = ended === undefined ? byAge : [0, outcome, ended];
  const providerId = outcome === "refused" ? null : String(FIRST_PROVIDER_ID + index);
  const design = type === "postcard" ? choose(POSTCARDS, random) : LETTER;
  const fields = {
    ...(type === "postcard" ? { size: "4x6", message: design.message } : {}),
    template: design.templateId,
    recipient: addressee[1],
    test: false,
  };
  return {
    id: createHash("md5").update(`life ${index}`).digest("hex"),
    userId: choose(PEOPLE, random).id,
    type,
    cost: MAIL_PRICES[type],
    outcome,
    addressee,
    providerId,
    status,
    rank,
    design,
    body: JSON.stringify(fields),
    answer:
      outcome === "refused"
        ? JSON.stringify({ success: false, error: "The recipient's address could not be verified" })
        : JSON.stringify({
            success: true,
            data: {
              ...ANSWER_FIELDS,
              id: Number(providerId),
              status: "received",
              cost: PROVIDER_PRICES[type],
              city: addressee[2],
              country: countryOf(addressee[2]),
            },
          }),
    at,
    settledAt: new Date(at.getTime() + 400),
    cancelledAt: outcome === "cancelled" ? new Date(at.getTime() + 20 * 60_000) : null,
  };
}

/** Uses the position instead of a random number, so that each outcome occurs on every day of the week. */
function chooseOutcome(index: number, age: number): Outcome {
  if (index % 17 === 8) return "cancelled";
  if (index % 25 === 9) return "refused";
  return index % 23 === 11 && age > 12 ? "returned" : "mailed";
}

/** Other fields of the provider's answer. Without them the first piece would raise the alarm about a changed format. */
const ANSWER_FIELDS = Object.fromEntries(
  "pdf created format type title firstname lastname company address1 address2 address3 county postcode tags updated"
    .split(" ")
    .map((name) => [name, null]),
);

const PROVIDER_PRICES = { letter: "0.14", postcard: "0.06" } as const;

function countryOf(place: string): string {
  return COUNTRIES[place] ?? "US";
}

/** Time of the piece's last status change; mail abroad takes longer. */
function statusAtOf({ at, status, cancelledAt, addressee }: Piece): Date {
  if (status !== "delivered") return cancelledAt ?? at;
  const days = (countryOf(addressee[2]) === "US" ? 3 : 5) + (at.getUTCMinutes() % 4);
  return new Date(at.getTime() + days * DAY_MS);
}

const STATES = {
  mailed: "accepted",
  returned: "accepted",
  cancelled: "cancelled",
  refused: "refused",
  open: "needs_review",
};
const UNSETTLED = "The provider did not answer for a day.";

async function insertPieces(db: Prisma.TransactionClient, pieces: Piece[], baseUrl: string): Promise<void> {
  const rows = pieces.map((piece) => ({
    ...piece,
    addressee: piece.addressee[0],
    recipient: piece.addressee[1],
    place: piece.addressee[2],
    country: countryOf(piece.addressee[2]),
    price: PROVIDER_PRICES[piece.type],
    statusAt: statusAtOf(piece),
    state: STATES[piece.outcome],
    charged: isEverCharged(piece) ? piece.cost : 0,
    path: `${piece.type}s/create`,
    preset: `${piece.type}s.create`,
    note: piece.outcome === "open" ? UNSETTLED : null,
  }));
  const made = Prisma.sql`json_to_recordset(${JSON.stringify(rows)}::json) AS m(id text, "userId" text, type text,
    cost int, charged int, outcome text, state text, addressee text, recipient text, place text, country text, price numeric, "statusAt" timestamptz, "providerId" text, status text,
    rank int, body text, answer text, path text, preset text, note text, at timestamptz, "settledAt" timestamptz,
    "cancelledAt" timestamptz)`;
  await db.$executeRaw`
    INSERT INTO sends (id, user_id, actor_id, idempotency_key, request_hash, mail_type, cost, charged, state, method, path,
      url, request_headers, request_body, provider_id, answer_status, answer_headers, answer_text, duration_ms, note, release_cause,
      recipient_id, recipient_name, recipient_place, created_at, settled_at, cancel_actor_id, cancel_reason, cancel_asked_at, cancelled_at)
    SELECT id, "userId", "userId", 'seed-' || id, md5(id), type, cost, charged, state, 'POST', path,
      ${`${baseUrl}/`} || path, '{"content-type":"application/json"}', body, "providerId",
      CASE WHEN answer IS NOT NULL THEN 200 END, CASE WHEN answer IS NOT NULL THEN '{"content-type":"application/json"}' END,
      answer, CASE WHEN answer IS NOT NULL THEN 180 + cost * 40 END, note, CASE state WHEN 'refused' THEN state END, recipient, addressee, place, at, "settledAt",
      CASE WHEN "cancelledAt" IS NOT NULL THEN "userId" END,
      CASE WHEN "cancelledAt" IS NOT NULL THEN 'Wrong address' END, "cancelledAt", "cancelledAt"
    FROM ${made}`;
  await db.$executeRaw`
    INSERT INTO mail_items (id, user_id, actor_id, send_id, type, preset, method, path, base_url, provider_id, addressee,
      place, status, status_rank, status_at, is_cancelled, cancelled_at, cancellation_reason, created_at,
      provider_cost, country)
    SELECT id, "userId", "userId", id, type, preset, 'POST', path, ${baseUrl}, "providerId", addressee, place, status, rank,
      "statusAt", "cancelledAt" IS NOT NULL, "cancelledAt",
      CASE WHEN "cancelledAt" IS NOT NULL THEN 'Wrong address' END, at, price, country
    FROM ${made} WHERE "providerId" IS NOT NULL`;
  await db.$executeRaw`
    INSERT INTO mail_recipients (id, user_id, base_url, recipient_id, name, place, is_verified, created_at)
    SELECT DISTINCT ON ("userId", recipient) md5("userId" || ' ' || ${baseUrl}::text || ' ' || recipient), "userId",
      ${baseUrl}::text, recipient, addressee, place, true, at
    FROM ${made} WHERE "providerId" IS NOT NULL ORDER BY "userId", recipient, at`;
  await db.$executeRaw`
    INSERT INTO mail_events (item_id, status, source, at)
    SELECT m.id, s.status, s.source, s.at FROM ${made}
    CROSS JOIN LATERAL (VALUES ('received', 'send', m.at),
      (m.status, CASE WHEN m.status = 'cancelled' THEN 'cancel' ELSE 'webhook' END, coalesce(m."cancelledAt", m.at + interval '20 hours'))
    ) AS s(status, source, at)
    WHERE m."providerId" IS NOT NULL AND (s.source = 'send' OR m.status <> 'received') ORDER BY s.at`;
  await db.$executeRaw`
    INSERT INTO piece_events (piece_id, kind, actor_id, source, note, credits, provider_id, attempts, answer_status,
      answer_headers, answer_text, duration_ms, at)
    SELECT m.id, e.kind, e.actor, e.source, e.note, e.credits, m."providerId", 1, e.status, NULL, e.answer, NULL, e.at
    FROM ${made} CROSS JOIN LATERAL (VALUES
      ('reserve', m."userId", 'send', NULL, m.cost, NULL::int, NULL, m.at),
      (CASE m.outcome WHEN 'refused' THEN 'refuse' WHEN 'open' THEN 'askForReview' ELSE 'accept' END, 'provider',
        CASE m.outcome WHEN 'open' THEN 'reconcile' ELSE 'send' END, m.note, m.charged,
        CASE WHEN m.answer IS NOT NULL THEN 200 END, m.answer, coalesce(m."settledAt", m.at + interval '1 day')),
      (CASE WHEN m."cancelledAt" IS NOT NULL THEN 'confirmCancel' END, m."userId", 'cancel', 'Wrong address', m.charged,
        NULL, NULL, m."cancelledAt")
    ) AS e(kind, actor, source, note, credits, status, answer, at)
    WHERE e.kind IS NOT NULL ORDER BY e.at`;
  await db.$executeRaw`
    INSERT INTO alarms (kind, subject_type, subject_id, evidence, opened_at, last_at)
    SELECT 'piece_needs_decision', 'piece', id,
      to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || ' ' || json_build_object('text', note)::text,
      at + interval '1 day', at + interval '1 day'
    FROM ${made} WHERE outcome = 'open'`;
}

/** Inserts opening balances, three purchases, and a row for each piece in chronological order, because the ledger is chained. */
async function insertLedger(db: Prisma.TransactionClient, pieces: Piece[], now: Date): Promise<void> {
  const start = new Date(now.getTime() - (DAYS + 1) * DAY_MS);
  const entries: (Omit<LedgerRow, "before" | "after"> & { change: number })[] = PEOPLE.map((person) => ({
    userId: person.id,
    change: person.opening,
    type: "credit",
    description: "Opening credits",
    cause: "adjustment",
    key: `seed-opening-${person.id}`,
    mailType: null,
    reference: null,
    actor: "system",
    at: start,
  }));
  for (const [person, daysAgo] of [
    [PEOPLE[0], 39],
    [PEOPLE[1], 40],
    [PEOPLE[0], 12],
  ] as const) {
    const id = `seed-purchase-${daysAgo}`;
    const at = new Date(now.getTime() - daysAgo * DAY_MS);
    const { credits, amountCents, currency } = CREDIT_PACKAGE;
    await db.checkoutSession.create({
      data: {
        id,
        userId: person.id,
        actorId: person.id,
        credits,
        amountCents,
        currency,
        state: "completed",
        stripeSessionId: `cs_test_${id}`,
        stripePaymentId: `pi_${id}`,
        successUrl: "/users",
        cancelUrl: "/users",
        createdAt: at,
        closedAt: new Date(at.getTime() + 60_000),
      },
    });
    entries.push({
      userId: person.id,
      change: credits,
      type: "purchase",
      description: `Bought ${credits} credits`,
      cause: "checkout",
      key: id,
      mailType: null,
      reference: null,
      actor: "stripe",
      at: new Date(at.getTime() + 60_000),
    });
  }
  for (const piece of pieces.filter(isEverCharged)) {
    const common = {
      mailType: piece.type,
      key: piece.id,
      reference: piece.id,
      userId: piece.userId,
      actor: piece.userId,
    };
    const name = `${piece.type === "letter" ? "Letter" : "Postcard"} ${piece.providerId}`;
    entries.push({
      ...common,
      change: -piece.cost,
      type: "debit",
      description: `${name} mailed`,
      cause: "send",
      at: piece.settledAt ?? piece.at,
    });
    if (piece.cancelledAt) {
      entries.push({
        ...common,
        change: piece.cost,
        type: "refund",
        description: `${name} cancelled`,
        cause: "refund",
        at: piece.cancelledAt,
      });
    }
  }
  const balances = new Map<string, number>();
  const rows: LedgerRow[] = entries
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ change, ...entry }) => {
      const before = balances.get(entry.userId) ?? 0;
      balances.set(entry.userId, before + change);
      return { ...entry, before, after: before + change };
    });
  await db.$executeRaw`
    INSERT INTO credit_transactions (user_id, transaction_type, amount, balance_before, balance_after, description, actor_id,
      cause, cause_key, mail_type, reference_response_id, created_at)
    SELECT "userId", type, abs(after - before), before, after, description, actor, cause, key, "mailType", reference, at
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS b("userId" text, type text, before int, after int,
      description text, actor text, cause text, key text, "mailType" text, reference text, at timestamptz) ORDER BY at`;
  for (const { id } of PEOPLE) {
    const own = pieces.filter(({ userId }) => userId === id);
    const totalSpent = sum(own.filter((piece) => isEverCharged(piece) && !piece.cancelledAt));
    const data = {
      balance: balances.get(id) ?? 0,
      held: sum(own.filter(({ outcome }) => outcome === "open")),
      totalSpent,
      updatedAt: rows.findLast(({ userId }) => userId === id)?.at ?? start,
    };
    await db.creditAccount.upsert({ where: { userId: id }, create: { userId: id, ...data }, update: data });
  }
}

interface LedgerRow {
  userId: string;
  type: string;
  before: number;
  after: number;
  description: string;
  cause: string;
  key: string;
  mailType: string | null;
  reference: string | null;
  actor: string;
  at: Date;
}

async function insertResponses(db: Prisma.TransactionClient, pieces: Piece[]): Promise<void> {
  for (const piece of pieces.filter(({ answer }) => answer !== null)) {
    const preset = findPreset(`${piece.type}s.create`);
    if (!preset) continue;
    const { id: presetId, categoryId, label, path } = preset;
    const words = [path, "POST", categoryId, presetId, formatCategory(categoryId), label];
    await db.$executeRaw`
      WITH fresh AS (
        INSERT INTO responses (id, user_id, actor_id, kind, endpoint_category, endpoint_preset, method, path, status_code,
          duration_ms, tags, search_text, send_id, is_cancelled, cancelled_at, cancellation_reason, created_at, described)
        VALUES (${createHash("md5").update(`response ${piece.id}`).digest("hex")}, ${piece.userId}, ${piece.userId}, 'auto',
          ${categoryId}, ${presetId}, 'POST', ${path}, 200, ${180 + piece.cost * 40}::int, '{}',
          ${words.join("\n").toLowerCase()}, ${piece.id}, ${piece.cancelledAt !== null}, ${piece.cancelledAt}::timestamptz,
          ${piece.cancelledAt ? "Wrong address" : null}, ${piece.settledAt}::timestamptz, false)
        RETURNING id, status_code, created_at
      ), words AS (
        INSERT INTO response_words (response_id, created_at) SELECT id, created_at FROM fresh
      ), body AS (
        INSERT INTO response_bodies (response_id, request_data, response_data, response_headers)
        SELECT id, ${JSON.stringify({ method: "POST", path, body: JSON.parse(piece.body) })},
          ${piece.answer}, '{"content-type":"application/json"}' FROM fresh
      ), ${countResponses("fresh", 1)} SELECT 1`;
  }
}

/** True for a charged piece. A cancelled one keeps its charge; the refund is a separate row. */
function isEverCharged({ outcome }: Piece): boolean {
  return outcome !== "refused" && outcome !== "open";
}

function sum(pieces: readonly Piece[]): number {
  return pieces.reduce((total, { cost }) => total + cost, 0);
}

function choose<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T;
}

/** Creates a generator with a fixed seed, so that each run makes the same data. */
function createRandom(): () => number {
  let state = 20_261_122;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
