import { afterAll, beforeAll, expect, test } from "vitest";
import { type StripeEmulator, startStripe } from "../../emulators/stripe";
import { type ListClient, makeCsv, makeList } from "../../support/bulk/list-client";
import { type ChildSteps, startSteps } from "../../support/child-steps";
import { findFreePort, SESSION_SECRET } from "../../support/console/console-process";
import { countBlocked } from "../../support/database/blocked";
import { setUpBench } from "../../support/fixtures";
import { ALL_WELL } from "../../support/money/audit";
import { PROVIDER_KEY } from "../../support/money/bench";
import { type Boundaries, FAULTS, type Fault, layBoundaries } from "../../support/money/boundaries";
import { askForMail, cookieOf } from "../../support/money/calls";
import { askToCancel, lookAtCancel, mailPiece } from "../../support/money/cancel-routes";
import { lookAt, newOrder, sendsOf } from "../../support/money/lone-sends";

/**
 * Walks every boundary of every money flow: the n-th statement or outside call meets each fault, for n = 1, 2, 3 …
 * until the flow ends without a fault. Then the caller repeats the request at another console, and the books must
 * show one of everything. New statements are covered without a change here.
 */
const HOOK_SECRET = "boundary-hook-secret-0000000000000001";
const STRIPE_KEY = "sk_test_boundaries_000000000000000001";
const STRIPE_SECRET = "whsec_boundaries_00000000000000000001";
const SENT_ONCE = { balance: 8, held: 0, debits: [2], pieces: 1 };
/** Rounds of recovery after which open work is considered stuck. */
const MOST_ROUNDS = 20;
const CANCELLED_LETTER = {
  state: "cancelled",
  isCancelled: true,
  status: "cancelled",
  refunds: [2],
  balance: 10,
  atProvider: "cancelled",
};

interface Flow<T> {
  /** Runs before the faults. */
  prepare(): Promise<T>;
  /** Runs at the console with the fault, and again at another one. Must not reject when the console is gone. */
  act(origin: string, subject: T): Promise<unknown>;
  /** The result to compare with `expected`, read after both. */
  look(subject: T): Promise<unknown>;
  expected: unknown;
}

const bench = await setUpBench();
let stripe: StripeEmulator;
let wires: Boundaries;
let healthy: { steps: ChildSteps; origin: string };
/** The console behind the links with the fault. */
let wired: { steps: ChildSteps; origin: string };
let variables: Record<string, string>;

async function startConsole(databaseUrl: string) {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const own = { PORT: String(port), APP_ORIGIN: origin, DATABASE_URL: databaseUrl };
  const steps = startSteps("tests/support/money/boundary-console.ts", [], {
    ...variables,
    ...own,
  });
  await steps.waitFor((line) => line === "listening");
  return { steps, origin };
}

/** Posts JSON (GET without a body); returns the status, or null when the connection broke. */
async function call(
  origin: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number | null; text: string }> {
  try {
    const reply = await fetch(`${origin}${path}`, {
      method: body === null ? "GET" : "POST",
      headers: { "Content-Type": "application/json", Cookie: await cookieOf("ana"), ...headers },
      body: body === null ? null : typeof body === "string" ? body : JSON.stringify(body),
      redirect: "manual",
    });
    return { status: reply.status, text: await reply.text() };
  } catch {
    return { status: null, text: "" };
  }
}

const postForm = (origin: string, path: string, fields: string) =>
  call(origin, path, fields, { "Content-Type": "application/x-www-form-urlencoded", Origin: origin });
const runTask = (origin: string, name: string) => call(origin, `/tasks/${name}`, {});

/** Ends all leases, waits, and lets the healthy console settle the open work. */
async function recover(): Promise<void> {
  await bench.inBooks(async (db) => {
    await db.$executeRaw`UPDATE sends SET lease_until = now() WHERE lease_until > now()`;
    await db.$executeRaw`UPDATE bulk_rows SET lease_until = now() WHERE lease_until > now()`;
    await db.$executeRaw`UPDATE bulk_lists SET next_at = NULL WHERE next_at IS NOT NULL`;
  });
  const { status, text } = await runTask(healthy.origin, "all");
  if (status !== 200) throw new Error(`Recovery: ${status} ${text}`);
}

let overtaking = Promise.resolve();
/** Recovers as far as possible: the late statement may hold locks that recovery waits for. */
async function overtake(): Promise<void> {
  overtaking = recover();
  let isOver = false;
  const over = overtaking.then(() => {
    isOver = true;
  });
  const blocked = expect.poll(async () => isOver || (await bench.inBooks(countBlocked)) > 0).toBe(true);
  await Promise.race([over, blocked]);
}

const countOpen = () =>
  bench.inBooks((db) =>
    db.send.count({ where: { state: { in: ["reserved", "sending", "unknown", "cancelling"] } } }),
  );

async function settle(): Promise<void> {
  await overtaking;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    await recover();
    if ((await countOpen()) === 0) return;
  }
  throw new Error(`Sends are still open after ${MOST_ROUNDS} rounds of recovery.`);
}

let payers = 0;

async function newPayer(credits: number): Promise<string> {
  const payer = `walk-payer-${++payers}`;
  await bench.grant(payer, credits);
  return payer;
}

function purchasesOf(userId: string) {
  return bench.inBooks(async (db) => ({
    balance: (await db.creditAccount.findUnique({ where: { userId } }))?.balance ?? 0,
    purchases: await db.creditTransaction.count({ where: { userId, cause: "checkout" } }),
  }));
}

async function openPage(origin: string, userId: string): Promise<string | null> {
  const { text } = await call(origin, "/api/stripe/create-checkout", {
    user_id: userId,
    credits: 100,
    success_url: `${origin}/?tab=users&success=true`,
    cancel_url: `${origin}/?tab=users&canceled=true`,
  });
  return /"url":"[^"]*\/(cs_test_[^"]+)"/.exec(text)?.[1] ?? null;
}

function bringStripeEvent(origin: string, body: string) {
  return call(origin, "/api/stripe/webhook", body, { "Stripe-Signature": stripe.webhooks.sign(body) });
}

/** A paid checkout and its event. */
async function newPurchase() {
  const userId = await newPayer(0);
  const page = (await openPage(healthy.origin, userId)) ?? "";
  stripe.account.pay(page);
  return { userId, page, event: JSON.stringify(stripe.events.at(-1)) };
}

let model: Promise<ListClient> | undefined;

async function makeModel(): Promise<ListClient> {
  const list = await makeList(healthy.origin, "ana", await newPayer(0));
  await list.post("import", { file: new File([makeCsv(1)], "one.csv") });
  await list.post("test", { rows: "2" });
  return list;
}

/** A tested list of one row, copied from one that was made, imported and tested through the console. */
async function copyList(payer: string): Promise<string> {
  model ??= makeModel();
  const list = await model;
  const id = crypto.randomUUID();
  await bench.inBooks(async (db) => {
    await db.$executeRaw`
      INSERT INTO bulk_lists SELECT c.* FROM bulk_lists l, jsonb_populate_record(l,
        jsonb_build_object('id', ${id}::text, 'user_id', ${payer}::text)) c WHERE l.id = ${list.id}`;
    // A new person for each list, because rows with a duplicate of earlier mail are skipped.
    await db.$executeRaw`
      INSERT INTO bulk_rows SELECT c.* FROM bulk_rows r, jsonb_populate_record(r, jsonb_build_object('list_id', ${id}::text,
        'address_key', ${payer}::text, 'cells', replace(r.cells, 'Ana0', ${payer}::text))) c WHERE r.list_id = ${list.id}`;
  });
  return id;
}

function flow<T>(parts: Flow<T>): Flow<unknown> {
  return parts;
}

const FLOWS: Record<string, Flow<unknown>> = {
  "a live send": flow({
    prepare: () => newOrder(bench),
    async act(origin, order) {
      const answer = await askForMail(origin, order);
      await runTask(origin, "responses");
      return answer;
    },
    async look(order) {
      const sends = await sendsOf(bench, order);
      const mailed = sends.filter(({ state }) => state === "accepted").map(({ id }) => id);
      const where = { id: { in: mailed } };
      const responses = await bench.inBooks((db) => db.storedResponse.count({ where }));
      return { ...(await lookAt(bench, order)), responses };
    },
    // A send that never reached the provider is released before its repeat is sent.
    expected: { ...SENT_ONCE, responses: 1 },
  }),
  "a cancel": flow({
    prepare: async () => mailPiece(healthy.origin, { type: "letter", payer: await newPayer(10) }),
    act: (origin, piece) => askToCancel(origin, "/api/mail/cancel", piece),
    look: (piece) => lookAtCancel(bench, piece),
    expected: CANCELLED_LETTER,
  }),
  "an adjustment": flow({
    prepare: async () => ({ userId: await newPayer(1), key: crypto.randomUUID() }),
    act: (origin, { userId, key }) =>
      call(
        origin,
        "/api/credits",
        { user_id: userId, amount: 5, description: "walk", action: "add" },
        { "Idempotency-Key": key },
      ),
    look: ({ userId }) => bench.loadAccount(userId),
    expected: { balance: 6, held: 0 },
  }),
  "the start of a purchase": flow({
    prepare: async () => ({ userId: await newPayer(0), pages: [] as string[] }),
    async act(origin, { userId, pages }) {
      const page = await openPage(origin, userId);
      if (page) pages.push(page);
      return page;
    },
    async look({ userId, pages }) {
      stripe.account.pay(pages.at(-1) ?? "");
      await bench.sql`UPDATE checkout_sessions SET looked_at = created_at - interval '1 minute'`;
      await recover();
      return purchasesOf(userId);
    },
    expected: { balance: 100, purchases: 1 },
  }),
  "a payment": flow({
    prepare: newPurchase,
    act: (origin, { event }) => bringStripeEvent(origin, event),
    look: ({ userId }) => purchasesOf(userId),
    expected: { balance: 100, purchases: 1 },
  }),
  "a refund at Stripe": flow({
    async prepare() {
      const purchase = await newPurchase();
      await bringStripeEvent(healthy.origin, purchase.event);
      stripe.account.refund(purchase.page);
      return { ...purchase, event: JSON.stringify(stripe.events.at(-1)) };
    },
    act: (origin, { event }) => bringStripeEvent(origin, event),
    async look({ userId, page }) {
      const row = await bench.inBooks((db) =>
        db.checkoutSession.findFirstOrThrow({ where: { stripeSessionId: page } }),
      );
      const alarms = await bench.inBooks((db) =>
        db.alarm.count({ where: { kind: "payment_refunded", subjectId: row.id, closedAt: null } }),
      );
      return { ...(await purchasesOf(userId)), flag: row.flag, alarms };
    },
    expected: { balance: 100, purchases: 1, flag: "refunded", alarms: 1 },
  }),
  "the provider's event": flow({
    async prepare() {
      const piece = await mailPiece(healthy.origin, { type: "letter", payer: await newPayer(10) });
      bench.provider.move(Number(piece.mailItemId), "cancelled");
      const event = bench.provider.webhooks.describe([{ id: Number(piece.mailItemId), status: "cancelled" }]);
      return { piece, event: JSON.stringify(event) };
    },
    act: (origin, { event }) =>
      call(origin, "/api/stannp/webhook", event, {
        "X-Stannp-Signature": bench.provider.webhooks.sign(event, HOOK_SECRET),
      }),
    look: ({ piece }) => lookAtCancel(bench, piece),
    expected: CANCELLED_LETTER,
  }),
  "a decision": flow({
    async prepare() {
      const order = await newOrder(bench);
      bench.provider.fail({ kind: "reset-after" });
      const { json } = await askForMail(healthy.origin, order);
      await bench.sql`UPDATE sends SET state = 'needs_review' WHERE id = ${json.send_id}`;
      return { order, id: json.send_id };
    },
    act: (origin, { id }) => postForm(origin, `/sends/${id}`, "decision=mailed"),
    look: ({ order }) => lookAt(bench, order),
    expected: SENT_ONCE,
  }),
  "a list": flow({
    async prepare() {
      const payer = await newPayer(5);
      return { payer, id: await copyList(payer) };
    },
    async act(origin, { id }) {
      const started = await postForm(origin, `/bulk/${id}`, "intent=start&quoted=1");
      await runTask(origin, "rows");
      return started;
    },
    async look({ payer, id }) {
      const { state } = await bench.inBooks((db) => db.bulkList.findUniqueOrThrow({ where: { id } }));
      const { balance, held } = await bench.loadAccount(payer);
      return { state, balance, held };
    },
    expected: { state: "finished", balance: 4, held: 0 },
  }),
};

beforeAll(async () => {
  stripe = await startStripe({ secretKey: STRIPE_KEY, webhookSecret: STRIPE_SECRET });
  wires = await layBoundaries(bench.databaseUrl, overtake);
  // Both consoles call through these links, because a send is recovered at the base URL of its first call. Only one
  // of them acts while a fault is planned.
  const provider = new URL(bench.provider.baseUrl);
  variables = {
    SESSION_SECRET,
    RATE_LIMITS: "off",
    STANNP_API_KEY: PROVIDER_KEY,
    STANNP_BASE_URLS: `US=${await wires.layHttp(provider.origin)}${provider.pathname}`,
    STANNP_TIMEOUT_MS: "1500",
    STANNP_WEBHOOK_SECRET: HOOK_SECRET,
    STRIPE_SECRET_KEY: STRIPE_KEY,
    STRIPE_WEBHOOK_SECRET: STRIPE_SECRET,
    STRIPE_API_BASE: await wires.layHttp(stripe.origin),
  };
  [healthy, wired] = await Promise.all([startConsole(bench.databaseUrl), startConsole(wires.databaseUrl)]);
});
afterAll(async () => {
  await healthy?.steps.stop("SIGKILL");
  await wired?.steps.stop("SIGKILL");
  await wires?.close();
  await stripe?.close();
});

let faults = 0;

test.each(Object.entries(FLOWS))(
  "every boundary of %s",
  async (_name, flow) => {
    for (const fault of FAULTS) {
      for (let n = 1; await meet(flow, fault, n); n++) faults++;
      expect(await bench.audit(), fault).toMatchObject(ALL_WELL);
    }
  },
  900_000,
);

/** Injects the fault at the flow's `n`-th boundary; false when it has fewer. */
async function meet(
  { prepare, act, look, expected }: Flow<unknown>,
  fault: Fault,
  n: number,
): Promise<boolean> {
  const { origin } = wired;
  const subject = await prepare();
  // The previous fault may still block the database for a moment.
  await expect.poll(async () => (await call(origin, "/api/credits", null)).status).toBe(200);
  wires.arm(n, fault);
  const first = await act(origin, subject);
  const met = wires.disarm();
  await settle();
  const second = met ? await act(healthy.origin, subject) : null;
  if (met && (await countOpen()) > 0) await settle();
  const context = `${fault} at boundary ${n}: ${JSON.stringify(first)}, then ${JSON.stringify(second)}`;
  expect(await look(subject), context).toMatchObject(Object(expected));
  return met;
}

test("the walk injected faults", () => {
  expect(faults).toBeGreaterThan(100);
});
