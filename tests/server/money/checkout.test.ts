import { beforeEach, describe, expect, test, vi } from "vitest";
import { CANCELED_MESSAGE, PAID_MESSAGE } from "~/credits/messages";
import { ANA } from "../../support/console/payment-console";
import { setUpPaymentConsole, setUpPostgres } from "../../support/fixtures";

const postgres = await setUpPostgres();

const app = await setUpPaymentConsole(await postgres.createDatabase(), { stripe: { webhookUrl: null } });
beforeEach(() => vi.restoreAllMocks());

const rowOf = (id: string) => app.db((db) => db.checkoutSession.findUniqueOrThrow({ where: { id } }));
const countRows = () => app.db((db) => db.checkoutSession.count());
/** Moves the row's last check into the past, so that recovery takes it. */
const age = (id: string, seconds: number) =>
  app.sql`
    UPDATE checkout_sessions SET created_at = created_at - ${seconds}::int * interval '1 second',
      looked_at = looked_at - ${seconds}::int * interval '1 second' WHERE id = ${id}`;

describe("opening a payment page", () => {
  test("Stripe gets the package, the catalogue's price and our ID", async () => {
    const { id, pageId, url } = await app.start();
    const session = app.stripe.sessions.get(pageId);
    expect(url).toBe(session?.url);
    expect(session).toMatchObject({
      ...{ amount_total: 999, currency: "usd", client_reference_id: id, metadata: { checkout_id: id } },
      success_url: `${app.origin}/?tab=users&success=true&session={CHECKOUT_SESSION_ID}&checkout=${id}`,
      cancel_url: `${app.origin}/?tab=users&canceled=true&checkout=${id}`,
    });
    expect(app.stripe.requests.at(-1)?.idempotencyKey).toBe(id);
    expect(await rowOf(id)).toMatchObject({
      ...{ userId: ANA.id, actorId: ANA.id, state: "open", stripeSessionId: pageId },
      ...{ credits: 100, amountCents: 999, currency: "usd" },
    });
  });

  test.each([
    ["Stripe's server error", { kind: "status", status: 500, times: 9 }, "provider_unreachable"],
    ["a broken connection", { kind: "reset-before", times: 9 }, "provider_unreachable"],
    ["too many calls", { kind: "status", status: 429, times: 9 }, "rate_limited"],
  ] as const)("%s: nothing was charged, and it says so", async (_name, fault, code) => {
    const broken = app.stripe.fail(fault);
    const refused = await app.createCheckout(app.order(), ANA);
    broken.release();
    expect(refused).toMatchObject({ ok: false, failure: { code } });
    expect(!refused.ok && refused.failure.message).toContain("Nothing was charged. Try again in a moment.");
    const [row] = await app.db((db) =>
      db.checkoutSession.findMany({ orderBy: { createdAt: "desc" }, take: 1 }),
    );
    expect(row).toMatchObject({ state: "failed", stripeSessionId: null });
  });

  test("killed before Stripe answers: closed later, nothing charged, no credits added", async () => {
    const id = crypto.randomUUID();
    const before = await app.balance();
    await app.sql`
      INSERT INTO checkout_sessions (id, user_id, actor_id, credits, amount_cents, currency, success_url, cancel_url)
      VALUES (${id}, ${ANA.id}, ${ANA.id}, 100, 999, 'usd', '', '')`;
    await age(id, 60);
    await app.recoverCheckouts();
    expect(await rowOf(id)).toMatchObject({ state: "open" });
    await age(id, 120);
    await app.recoverCheckouts();
    expect(await rowOf(id)).toMatchObject({ state: "failed" });
    expect(await app.balance()).toBe(before);
  });
});

describe("a paid page", () => {
  const ways: [string, (id: string, pageId: string) => Promise<unknown>][] = [
    ["by our id", (id) => app.completeCheckout(id)],
    ["by Stripe's id", (_id, pageId) => app.completeCheckout(pageId)],
    ["by the return", (id) => app.loadCheckoutReturn(id, ANA)],
    ["by recovery", (id) => age(id, 30).then(() => app.recoverCheckouts())],
  ];

  test.each(ways)("is booked %s, once for any number of calls", async (_name, look) => {
    const before = await app.balance();
    const { id, pageId } = await app.start();
    await look(id, pageId);
    expect(await app.balance()).toBe(before);
    app.stripe.account.pay(pageId);
    await look(id, pageId);
    expect(await app.balance()).toBe(before + 100);
    for (const [, again] of ways) await again(id, pageId);
    expect(await app.balance()).toBe(before + 100);
    expect(await app.countPurchases(id)).toBe(1);
    expect(await rowOf(id)).toMatchObject({ state: "completed" });
  });

  test.each([
    ["a person", "stripe", null],
    ["a program", `${ANA.id} via shop`, { id: "t1", name: "shop", scopes: [], dailyCredits: null }],
  ])("that %s began names %s in the ledger", async (_name, actorId, token) => {
    const viewer = { ...ANA, actorId: token ? actorId : ANA.id, token };
    const started = await app.createCheckout(app.order(), viewer);
    const { id, url } = started.ok ? started.value : { id: "", url: "" };
    expect(await rowOf(id)).toMatchObject({ actorId: viewer.actorId });
    app.stripe.account.pay(url.split("/").at(-1) ?? "");
    await app.completeCheckout(id);
    const where = { cause: "checkout", causeKey: id };
    expect(await app.db((db) => db.creditTransaction.findFirst({ where }))).toMatchObject({
      ...{ transactionType: "purchase", amount: 100, actorId, userId: ANA.id },
      description: "100 credits bought for 9.99 USD",
    });
  });

  test("is booked later when Stripe is unreachable", async () => {
    const before = await app.balance();
    const { id, pageId } = await app.start();
    app.stripe.account.pay(pageId);
    const broken = app.stripe.fail({ kind: "status", status: 503, times: 9 });
    expect(await app.completeCheckout(id)).toMatchObject({ ok: false });
    expect(await app.loadCheckoutReturn(id, ANA)).toMatchObject({ outcome: "confirming" });
    await age(id, 30);
    await app.recoverCheckouts();
    broken.release();
    expect(await app.balance()).toBe(before);
    await age(id, 30);
    await app.recoverCheckouts();
    expect(await app.balance()).toBe(before + 100);
  });
});

describe("mismatches", () => {
  test.each([
    ["another amount", { amount_total: 1 }],
    ["the other mode", { livemode: true }],
    ["another purchase's mark", { metadata: { checkout_id: "someone-else" } }],
  ] as const)(
    "%s adds nothing, is logged as a mismatch and says which purchase it is",
    async (_name, change) => {
      const alarm = vi.spyOn(app.log, "error");
      const before = await app.balance();
      const { id, pageId } = await app.start();
      app.stripe.account.pay(pageId);
      app.stripe.change(pageId, change);
      await app.completeCheckout(id);
      await app.completeCheckout(id);
      expect(await app.balance()).toBe(before);
      expect(await app.countPurchases(id)).toBe(0);
      expect(await rowOf(id)).toMatchObject({ state: "mismatch" });
      expect(alarm.mock.calls).toEqual([["alarm.payment_mismatch", expect.anything()]]);
      const message = expect.stringContaining(id);
      const mismatch = { outcome: "mismatch", tone: "bad", message };
      expect(await app.loadCheckoutReturn(id, ANA)).toMatchObject(mismatch);
    },
  );

  test("a payment that was refunded in full before it was booked adds nothing; refunded in part, it is booked", async () => {
    const before = await app.balance();
    const { id, pageId } = await app.start();
    app.stripe.account.pay(pageId);
    app.stripe.account.refund(pageId);
    await app.completeCheckout(id);
    expect([await app.balance(), await app.countPurchases(id)]).toEqual([before, 0]);
    expect(await rowOf(id)).toMatchObject({
      state: "mismatch",
      note: "Stripe refunded the payment before its credits were added.",
    });
    // The buyer's bank returns the refund: the payment is ours again, and a person can recheck the purchase.
    app.stripe.account.failRefund(pageId, 999);
    await app.completeCheckout(id);
    expect([await app.balance(), await app.countPurchases(id)]).toEqual([before + 100, 1]);
    const partly = await app.start();
    app.stripe.account.pay(partly.pageId);
    app.stripe.account.refund(partly.pageId, 400);
    await app.completeCheckout(partly.id);
    expect(await rowOf(partly.id)).toMatchObject({ state: "completed" });
  });

  test("a payment that Stripe does not know is a mismatch after a day, not before", async () => {
    const { id, pageId } = await app.start();
    await app.db(
      (db) =>
        db.$executeRaw`UPDATE checkout_sessions SET stripe_session_id = ${`${pageId}x`} WHERE id = ${id}`,
    );
    await age(id, 3600);
    await app.recoverCheckouts();
    expect(await rowOf(id)).toMatchObject({ state: "open" });
    await age(id, 86_400);
    await app.recoverCheckouts();
    expect(await rowOf(id)).toMatchObject({ state: "mismatch" });
  });

  test("a balance at its limit receives no credits, and the payment is a mismatch", async () => {
    await app.db((db) =>
      db.user.create({ data: { id: "user-full", displayName: "Full", username: "full" } }),
    );
    await app.db((db) => db.creditAccount.create({ data: { userId: "user-full", balance: 999_999_950 } }));
    const { id, pageId } = await app.start("user-full");
    app.stripe.account.pay(pageId);
    await app.completeCheckout(id);
    expect(await rowOf(id)).toMatchObject({ state: "mismatch" });
    expect(await app.balance("user-full")).toBe(999_999_950);
    await app.db((db) => db.checkoutSession.deleteMany({ where: { userId: "user-full" } }));
    await app.db((db) => db.creditAccount.delete({ where: { userId: "user-full" } }));
  });
});

describe("returning from the payment page", () => {
  const pay = (page: string) => app.stripe.account.pay(page);
  const PAID = { outcome: "paid", tone: "ok", message: PAID_MESSAGE };

  test("canceled", async () => {
    const { id } = await app.start();
    expect(await app.loadCheckoutReturn(id, ANA, { canceled: true })).toMatchObject({
      outcome: "canceled",
      message: CANCELED_MESSAGE,
    });
    expect(await app.loadCheckoutReturn(null, ANA, { canceled: true })).toMatchObject({
      outcome: "canceled",
    });
  });

  test.each<[string, (pageId: string) => unknown, id: boolean, canceled: boolean, wanted: object]>([
    ["canceled in one tab, paid in another", pay, true, true, { outcome: "paid" }],
    ["paid, and then opened without an ID", pay, false, false, PAID],
    ["expired", (page) => app.stripe.account.expire(page), true, false, { outcome: "expired", tone: "bad" }],
  ])("%s", async (_name, act, byId, canceled, wanted) => {
    const { id, pageId } = await app.start();
    act(pageId);
    expect(await app.loadCheckoutReturn(byId ? id : null, ANA, { canceled })).toMatchObject(wanted);
  });

  test.each([
    ["succeeds", "succeeded", "paid", 100],
    ["fails", "failed", "failed", 0],
  ] as const)("a slow payment is being confirmed until it %s", async (_name, end, outcome, added) => {
    const before = await app.balance();
    const { id, pageId } = await app.start();
    app.stripe.account.payLater(pageId);
    for (const canceled of [false, true])
      expect(await app.loadCheckoutReturn(id, ANA, { canceled })).toMatchObject({ outcome: "confirming" });
    expect(await app.balance()).toBe(before);
    app.stripe.account.settle(pageId, end);
    expect(await app.loadCheckoutReturn(id, ANA)).toMatchObject({ outcome });
    expect(await app.balance()).toBe(before + added);
  });

  test.each(["\0", crypto.randomUUID()])("an unknown ID: %j", async (number) => {
    const unknown = { outcome: "unknown" };
    expect(await app.loadCheckoutReturn(number, ANA)).toMatchObject(unknown);
  });
});

describe("POST /api/stripe/create-checkout", () => {
  const order = (changes: object = {}) => ({
    user_id: ANA.id,
    credits: 100,
    success_url: `${app.origin}/?tab=users&success=true`,
    cancel_url: `${app.origin}/?tab=users&canceled=true`,
    ...changes,
  });
  const ask = (content: object) =>
    app.post("/api/stripe/create-checkout", JSON.stringify(content), {
      Cookie: app.cookie,
      Origin: app.origin,
    });

  test("takes price, currency and quantity from the catalogue, not from the caller", async () => {
    const answer = await ask(order({ credits: null, amount: 1, price: 1, currency: "jpy", quantity: 9 }));
    const json = (await answer.json()) as { id: string; url: string };
    const session = [...app.stripe.sessions.values()].at(-1);
    expect([answer.status, json.url]).toEqual([200, session?.url]);
    expect(session).toMatchObject({ amount_total: 999, currency: "usd" });
    expect(await rowOf(json.id)).toMatchObject({ credits: 100, amountCents: 999 });
  });

  test.each([
    [400, "other credits", { credits: 101 }],
    [400, "credits as text", { credits: "100" }],
    [400, "no user", { user_id: undefined }],
    [400, "no address", { success_url: undefined }],
    [400, "a foreign address", { success_url: "https://evil.test/" }],
    [400, "a foreign address to cancel to", { cancel_url: "https://evil.test/" }],
    [400, "a character that cannot be kept", { user_id: "a\0b" }],
    [404, "an unknown user", { user_id: "auth-missing" }],
  ])("%i for %s, with a reason, neither stored nor sent to Stripe", async (status, _name, changes) => {
    const [rows, calls] = [await countRows(), app.stripe.requests.length];
    const answer = await ask(order(changes));
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ success: false, error: expect.any(String) });
    expect([await countRows(), app.stripe.requests.length]).toEqual([rows, calls]);
  });
});

test("the books are consistent at the end", async () => {
  expect(await app.findErrors()).toEqual([]);
});
