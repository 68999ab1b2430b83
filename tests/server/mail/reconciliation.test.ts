import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { formatIsoDay } from "~/platform/time";
import { startStripe } from "../../emulators/stripe";
import { startWebhookReceiver, type WebhookReceiver } from "../../emulators/webhook-receiver";
import { runToEnd } from "../../support/child-steps";
import { loadEnvironment } from "../../support/console/environment";
import { MAIL_KEY, type MailConsole, RECIPIENT, startMailConsole } from "../../support/console/mail-console";
import { setUpPostgres } from "../../support/fixtures";

/** Reconciliation with the provider: its command, and the balance and rate limit in the header. */

const DAY_MS = 86_400_000;
/** The 30 days up to now: the tests may run over midnight. */
const findMonth = () => ({ from: formatIsoDay(Date.now() - 29 * DAY_MS), to: formatIsoDay(Date.now()) });
const POSTCARD = { size: "4x6", template: "21001", recipient: RECIPIENT };
/** The emulator's initial pieces of a month. */
const SEEDED = 5;

const postgres = await setUpPostgres();
let users = 0;

async function payer(app: MailConsole, credits = 20): Promise<string> {
  const userId = `payer-${++users}`;
  await app.grant(userId, credits);
  return userId;
}

describe("on PostgreSQL, with two addresses of one account", () => {
  let app: MailConsole;
  let databaseUrl: string;
  let baseUrls: string;
  let reconcile: typeof import("~/reconciliation/reconcile.server").reconcile;

  beforeEach(async () => {
    databaseUrl = await postgres.createDatabase();
    app = await startMailConsole(databaseUrl);
    const { provider } = app;
    baseUrls = `US=${provider.baseUrl},Global=${provider.origin}/global/v1,Dash=${provider.origin}/api/v1`;
    ({ reconcile } = await import("~/reconciliation/reconcile.server"));
  });
  afterEach(() => app.close());

  async function compare(limitMs = 15_000) {
    const compared = await reconcile(findMonth(), { limitMs });
    if (!compared.ok) throw new Error(compared.failure.message);
    return compared.value;
  }

  /** Output and exit code of the script. */
  async function runScript(words: string[], variables: Record<string, string> = {}) {
    const { code, output } = await runToEnd("prisma/reconcile.ts", words, {
      MAILROOM_DATABASE_URL: databaseUrl,
      STANNP_API_KEY: MAIL_KEY,
      STANNP_BASE_URLS: baseUrls,
      STANNP_TIMEOUT_MS: "8000",
      // A developer's `.env` names the local one.
      STRIPE_SECRET_KEY: "",
      ...variables,
    });
    expect(output).not.toContain(MAIL_KEY);
    return { code, output };
  }

  /** A piece that someone else made with the same key. */
  async function makeForeign(tags: string): Promise<void> {
    const made = await fetch(`${app.provider.baseUrl}/postcards/create`, {
      method: "POST",
      headers: { Authorization: `Basic ${btoa(`${MAIL_KEY}:`)}`, "Content-Type": "application/json" },
      body: JSON.stringify({ ...POSTCARD, tags }),
    });
    expect(made.status).toBe(200);
  }

  test("all agree, for either address, and each piece counts once", async () => {
    const userId = await payer(app);
    await app.mail(userId);
    await app.mail(userId, "letter", { tags: `${"long,".repeat(80)}end` });
    await app.proxy({
      path: "postcards/create",
      baseUrl: `${app.provider.origin}/global/v1`,
      body: POSTCARD,
      user_id: userId,
    });
    const cancelled = await app.mail(userId, "letter");
    await app.post("/api/mail/cancel", { userId, mailItemId: cancelled.mailItemId, type: "letter" });
    const found = await compare();
    expect(found).toMatchObject({ findings: [], behind: [], moving: 0, unseen: 0, isComplete: true });
    expect([found.agreed, found.foreign.length]).toEqual([4, SEEDED]);
    expect(found.baseUrls.map(({ label, problem }) => [label, problem])).toEqual([
      ["US", null],
      ["Global", null],
    ]);
    expect(await runScript([])).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /Not from Mailroom: 5\n[\s\S]*Charged and at the provider: 4\nAll agree\.\n$/,
      ),
    });
    const { id, mailItemId } = await app.mail(userId);
    app.provider.remove(Number(mailItemId));
    await app.db((db) => db.send.update({ where: { id }, data: { keyFingerprint: "of another account" } }));
    expect(await compare()).toMatchObject({ findings: [], unseen: 1, isComplete: false });
  });

  test("a piece that a person declared mailed gets its provider id from the list, once", async () => {
    const userId = await payer(app);
    const [known, unknown] = [await app.mail(userId), await app.mail(userId)];
    // The state after the decision "Mailed".
    await app.db(async (db) => {
      await db.send.update({ where: { id: unknown.id }, data: { providerId: null } });
      await db.mailItem.update({ where: { id: unknown.id }, data: { providerId: null } });
    });
    expect(await compare()).toMatchObject({ findings: [], isComplete: true });
    for (const { id, mailItemId: providerId } of [known, unknown]) {
      expect(await app.db((db) => db.send.findUnique({ where: { id } }))).toMatchObject({ providerId });
      expect(await app.db((db) => db.mailItem.findUnique({ where: { id } }))).toMatchObject({ providerId });
    }
    const order = { userId, mailItemId: unknown.mailItemId, type: "postcard" };
    expect((await app.post("/api/mail/cancel", order)).status).toBe(200);
  });

  test("each kind of difference is found, and the check only ends the proof of a release", async () => {
    const userId = await payer(app);
    const removed = await app.mail(userId, "letter");
    const stopped = await app.mail(userId);
    const unbooked = await app.mail(userId);
    const right = await app.mail(userId);
    app.provider.remove(Number(removed.mailItemId));
    app.provider.move(Number(stopped.mailItemId), "cancelled");
    app.provider.move(Number(right.mailItemId), "delivered");
    await makeForeign("spring,offer");
    await makeForeign("mailroom-00000000000000000000000000000000");
    await app.db(async (db) => {
      await db.mailItem.delete({ where: { id: unbooked.id } });
      const released = { state: "refused", charged: 0, releaseCause: "not_listed" };
      await db.send.update({ where: { id: unbooked.id }, data: released });
      await db.$executeRaw`ALTER TABLE credit_transactions DISABLE TRIGGER credit_transactions_append_only`;
      await db.creditTransaction.deleteMany({ where: { causeKey: unbooked.id } });
      await db.$executeRaw`ALTER TABLE credit_transactions ENABLE TRIGGER credit_transactions_append_only`;
    });
    await app.storeSettledSends();
    const before = await app.db((db) => db.send.findMany({ orderBy: { id: "asc" } }));
    const pieces = JSON.stringify(app.provider.pieces);

    const found = await compare();
    expect(found.findings.map(({ kind, send, mailId }) => [kind, send?.id ?? null, mailId])).toEqual([
      ["unknown", null, expect.any(String)],
      ["missing", removed.id, removed.mailItemId],
      ["stopped", stopped.id, stopped.mailItemId],
      ["released", unbooked.id, unbooked.mailItemId],
    ]);
    expect(found.behind).toMatchObject([{ send: { id: right.id }, here: "received", there: "delivered" }]);
    expect(found.agreed).toBe(1);
    expect(found.foreign.map(({ tags }) => tags)).toContain("spring,offer");
    expect(found.foreign).toHaveLength(SEEDED + 1);
    const { from, to } = findMonth();
    const { code, output } = await runScript(["--from", from, "--to", to]);
    expect(code).toBe(1);
    expect(output).toMatch(/^Charged here, not at the provider: 1$/m);
    expect(output).toMatch(/^At the provider, not charged here: 2$/m);
    expect(output).toContain(`/sends/${removed.id}`);
    expect(output).toMatch(/They do NOT agree: 4 differences found\.\n$/);

    const after = before.map((send) => ({ ...send, releaseCause: null }));
    expect(await app.db((db) => db.send.findMany({ orderBy: { id: "asc" } }))).toEqual(after);
    expect(JSON.stringify(app.provider.pieces)).toBe(pieces);
  });

  test("an unreachable provider reports nothing as missing and marks the comparison as incomplete", async () => {
    await app.mail(await payer(app));
    app.provider.fail({ kind: "status", status: 500, path: /^reporting\/list/, times: "always" });
    const found = await compare();
    expect(found).toMatchObject({ findings: [], unseen: 1, agreed: 0, isComplete: false });
    expect(found.baseUrls[0]?.problem).toMatch(/^The provider gave no list: /);
    expect(await runScript([])).toMatchObject({
      code: 2,
      output: expect.stringMatching(/NOT everything could be compared\.\n$/),
    });
  });

  test("a short rate limit delays the run, a longer one is reported", async () => {
    await app.mail(await payer(app));
    const path = /^reporting\/list/;
    app.provider.fail({ kind: "rate-limit", resetSeconds: 1, path, times: 2 });
    expect(await compare()).toMatchObject({ agreed: 1, isComplete: true });
    app.provider.fail({ kind: "rate-limit", resetSeconds: 46, path, times: 2 });
    const found = await compare();
    expect(found).toMatchObject({ isComplete: false, unseen: 1, findings: [] });
    expect(found.baseUrls[0]?.problem).toMatch(/rate limit .* 46 s/);
  });

  test("an account that refuses our key does not matter when nothing was sent there", async () => {
    const userId = await payer(app);
    await app.mail(userId);
    app.provider.fail({ kind: "status", status: 401, path: /^reporting\/list/, times: 1 });
    const found = await compare();
    const refused = found.baseUrls.find(({ problem }) => problem !== null);
    expect(refused?.isDone).toBe(refused?.label === "Global");
    expect(found.findings).toEqual([]);
  });

  test("what Stripe paid is printed in units of its currency, also of one without cents", async () => {
    const userId = await payer(app);
    const secretKey = "sk_test_reconcile_0001";
    const stripe = await startStripe({ secretKey, webhookSecret: "whsec_reconcile_0001" });
    const addresses = { successUrl: "/", cancelUrl: "/" };
    const purchase = await app.db((db) =>
      db.checkoutSession.create({
        data: {
          ...{ id: "yen-1", userId, actorId: userId, credits: 100, amountCents: 1500, currency: "jpy" },
          ...{ state: "completed", stripeSessionId: "cs_test_yen", ...addresses },
        },
      }),
    );
    stripe.account.adopt(purchase);
    const day = formatIsoDay(purchase.createdAt.getTime());
    const { output } = await runScript(["--from", day, "--to", day], {
      ...{ STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: "whsec_reconcile_0001" },
      STRIPE_API_BASE: stripe.origin,
    });
    await stripe.close();
    expect(output).toContain("Paid for credits: 1500 JPY, of which Stripe kept 74");
  });

  test("wrong arguments, or a missing provider, end the script with 2 and a reason", async () => {
    for (const [words, variables, reason] of [
      [["--since", "2026-11-21"], {}, "--since"],
      [["--from", "2026-11-21", "--to", "2026-11-01"], {}, "cannot be compared: from is after to\\.\n$"],
      [[], { STANNP_API_KEY: "" }, "The mail API key is not configured"],
    ] as const) {
      const output = expect.stringMatching(new RegExp(`^Nothing was compared. .*${reason}`));
      expect(await runScript([...words], variables)).toMatchObject({ code: 2, output });
    }
  });

  test("the header shows the balance and the calls left from the provider's answers, and requests them at most every five minutes", async () => {
    const { getHeadroom } = await import("~/outside/mail-provider/headroom.server");
    const now = Date.now();
    expect(getHeadroom(now)).toBeNull();
    const calls = { limit: 1_000_000, left: 999_999 };
    await expect.poll(() => getHeadroom(now)).toEqual({ balance: "2,418.66", calls });
    const countCalls = () => app.provider.received.filter(({ path }) => path === "accounts/balance").length;
    expect(getHeadroom(now + 4 * 60_000)).toMatchObject({ balance: "2,418.66" });
    expect(countCalls()).toBe(1);
    app.provider.fail({ kind: "status", status: 500, path: "accounts/balance", times: "always" });
    expect(getHeadroom(now + 6 * 60_000)).toMatchObject({ balance: "2,418.66" });
    await expect.poll(countCalls).toBe(2);
    expect(getHeadroom(now + 16 * 60_000)?.balance ?? null).toBeNull();
  });
});

describe("a list in pages of the provider's size", () => {
  let server: WebhookReceiver;
  let origin: string;
  let answer: (offset: number) => unknown;
  beforeAll(async () => {
    server = await startWebhookReceiver();
    server.answer(({ path }, response) => {
      const offset = Number(new URL(path, origin).searchParams.get("offset"));
      response.end(JSON.stringify(answer(offset)));
    });
    origin = `${server.origin}/v1`;
    await loadEnvironment({
      STANNP_API_KEY: MAIL_KEY,
      STANNP_BASE_URLS: `US=${origin}`,
      LOG_LEVEL: "silent",
    });
  });
  afterAll(() => server?.close());

  const rows = Array.from({ length: 7 }, (_, n) => ({
    id: n % 2 ? n + 1 : String(n + 1),
    type: "postcard",
    status: "received",
    cost: "0.99",
    tags: `a, mailroom-0000000${n}`,
    timestamp: "2026-11-10 12:00:00",
  }));
  async function list() {
    const { listPieces } = await import("~/outside/mail-provider/reporting.server");
    const days = { from: "2026-11-01", to: "2026-11-21" };
    return listPieces({ label: "US", url: origin }, days, performance.now() + 8_000);
  }

  test.each<[what: string, answer: (offset: number) => unknown]>([
    ["three at a time", (offset) => ({ success: true, data: { singles: rows.slice(offset, offset + 3) } })],
    ["all at once, whatever is asked", () => ({ success: true, data: { singles: rows } })],
    ["without the inner name", (offset) => ({ success: true, data: rows.slice(offset) })],
    [
      "with one that came in between",
      (offset) => ({ success: true, data: rows.slice(Math.max(0, offset - 1), offset + 3) }),
    ],
  ])("%s", async (_what, page) => {
    answer = page;
    const { pieces, problem } = await list();
    expect(problem).toBeNull();
    expect(pieces.map(({ id }) => id)).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
    expect(pieces[1]).toEqual({
      id: "2",
      type: "postcard",
      status: "received",
      cost: 0.99,
      tags: "a, mailroom-00000001",
      createdAt: new Date("2026-11-10T12:00:00Z"),
    });
    expect(server.received[0]?.path).toBe("/v1/reporting/list/2026-11-01/2026-11-21/all?offset=0&limit=1000");
  });

  test.each([
    ["an entry without an id", { success: true, data: [{ status: "received" }] }],
    ["a refusal", { success: false, error: `no, ${MAIL_KEY}` }],
    ["something else", { success: true, data: "none" }],
  ])("%s counts as a list that was not read", async (_what, text) => {
    answer = () => text;
    const { problem } = await list();
    expect(problem).toMatchObject({ kind: "unreadable", reason: expect.stringMatching(/list.*\.$/) });
    expect(problem?.reason).not.toContain(MAIL_KEY);
  });

  test("control characters and the key are removed from its texts", async () => {
    answer = (offset) => ({
      success: true,
      data: offset === 0 ? [{ ...rows[0], tags: `\u001b[31m${MAIL_KEY}`, status: "x".repeat(5000) }] : [],
    });
    const [piece] = (await list()).pieces;
    expect(piece).toMatchObject({ tags: "[31m[hidden]", status: "x".repeat(200) });
  });
});
