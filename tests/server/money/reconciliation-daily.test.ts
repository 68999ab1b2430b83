import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { runBatch } from "~/platform/background-runner.server";
import { formatIsoDay } from "~/platform/time";
import type { PrismaClient } from "../../../prisma/client/client";
import { startMailConsole } from "../../support/console/mail-console";
import { type PaymentConsole, startPaymentConsole } from "../../support/console/payment-console";
import { setUpPostgres } from "../../support/fixtures";
import { openHook } from "../../support/mail-hook";

/** Daily reconciliation with the provider and with Stripe, and of the ledger with itself. */

const postgres = await setUpPostgres();

async function makeDue(db: PrismaClient, names = ["provider", "stripe", "ledger"]): Promise<void> {
  const dueAt = new Date(0);
  const data = names.map((name) => ({ name, dueAt }));
  await db.reconciliationRun.createMany({ data, skipDuplicates: true });
  await db.reconciliationRun.updateMany({ data: { dueAt } });
}
const listAlarms = async (db: PrismaClient) =>
  (await db.alarm.findMany({ orderBy: { id: "asc" } })).map(({ kind, subjectId, evidence, closedAt }) => ({
    kind,
    subjectId,
    evidence,
    isOpen: closedAt === null,
  }));

const closeAlarms = (db: PrismaClient) =>
  db.alarm.updateMany({
    where: { closedAt: null },
    data: { closedAt: new Date(), closedBy: "ana", closeReason: "fixed" },
  });

/** Loads the task of the console that was started last. */
async function loadTask() {
  return (await import("~/reconciliation/daily/daily-reconciliation.server")).reconcileDaily;
}
const compare = async () => runBatch(await loadTask());

describe("with Stripe", () => {
  let app: PaymentConsole;

  beforeAll(async () => {
    app = await startPaymentConsole(await postgres.createDatabase(), {
      stripe: { webhookUrl: null },
      variables: { STANNP_API_KEY: undefined },
    });
  });
  afterAll(() => app.close());
  beforeEach(() => app.db(makeDue));

  async function buy(): Promise<{ id: string; pageId: string; chargeId: string }> {
    const { id, pageId } = await app.start();
    app.stripe.account.pay(pageId);
    await app.completeCheckout(id);
    return { id, pageId, chargeId: findCharge(pageId) };
  }
  const findCharge = (pageId: string) =>
    String(
      app.stripe.account.intents.get(String(app.stripe.sessions.get(pageId)?.payment_intent))?.latest_charge,
    );
  const changeCharge = (id: string, fields: object) =>
    Object.assign(app.stripe.account.charges.get(id) ?? {}, fields);
  const findRun = () => app.db((db) => db.reconciliationRun.findUniqueOrThrow({ where: { name: "stripe" } }));

  test("when all agree, no alarm is opened, and the next run is due a day later", async () => {
    await buy();
    await app.start();
    expect(await compare()).toMatchObject({ claimed: 2, done: 2 });
    expect(await app.db(listAlarms)).toEqual([]);
    const run = await findRun();
    expect(run).toMatchObject({ differences: 0, problem: null });
    expect(run.dueAt.getTime() - (run.startedAt?.getTime() ?? 0)).toBe(86_400_000);
    expect(await compare()).toEqual({ claimed: 0, done: 0 });

    const { listDailyRuns } = await import("~/reconciliation/daily/runs.server");
    const { reconcileStripe } = await import("~/reconciliation/reconcile-stripe.server");
    const today = formatIsoDay(Date.now());
    const runs = await app.db((db) => listDailyRuns(db, { from: today, to: today }));
    expect(runs.map(({ name, differences }) => [name, differences])).toEqual([
      ["ledger", 0],
      ["stripe", 0],
    ]);
    const sum = { purchases: 1, credits: 100, cents: 999 };
    expect(await reconcileStripe({ from: today, to: today })).toMatchObject({
      value: { totals: [{ currency: "usd", ours: sum, theirs: sum, refundedCents: 0 }] },
    });
    const before = formatIsoDay(Date.now() - 86_400_000);
    expect(await reconcileStripe({ from: before, to: before })).toMatchObject({ value: { money: [] } });
  });

  test("the number of an invoice is stored, also when Stripe creates it late; a refund has its credit note", async () => {
    const { findReceipt } = await import("~/credits/purchases/purchase-pages.server");
    const { id, pageId } = await buy();
    const findNumber = async () =>
      (await app.db((db) => db.checkoutSession.findUniqueOrThrow({ where: { id } }))).invoiceNumber;
    expect(await findNumber()).toMatch(/^MAIL-\d{4}$/);
    await app.db((db) => db.checkoutSession.update({ where: { id }, data: { invoiceNumber: null } }));
    await compare();
    expect(await findNumber()).toMatch(/^MAIL-\d{4}$/);

    expect(await findReceipt(id, false)).toMatchObject({
      value: expect.stringContaining(`receipt/${pageId}`),
    });
    expect(await findReceipt(id, true)).toMatchObject({ failure: { code: "not_found" } });
    app.stripe.account.refund(pageId);
    expect(await findReceipt(id, true)).toMatchObject({
      value: expect.stringContaining("credit-note=MAIL-"),
    });
    await app.db((db) => db.checkoutSession.update({ where: { id }, data: { flag: "refunded" } }));
  });

  test("every kind of difference is an alarm, opened once and closed only by a person", async () => {
    const { account } = app.stripe;
    const missing = await buy();
    account.charges.delete(missing.chargeId);
    account.sessions.delete(missing.pageId);
    const unpaid = await buy();
    app.stripe.change(unpaid.pageId, { payment_status: "unpaid" });
    const twice = await buy();
    const copied = account.charges.get(twice.chargeId);
    if (copied) account.charges.set("ch_second", { ...copied, id: "ch_second" });
    const cheap = await buy();
    changeCharge(cheap.chargeId, { amount: 500 });
    const unbooked = await app.start();
    account.pay(unbooked.pageId);
    changeCharge(findCharge(unbooked.pageId), { created: Math.floor(Date.now() / 1000) - 7_200 });
    const young = await app.start();
    account.pay(young.pageId);
    const refunded = await buy();
    account.refund(refunded.pageId, 300);
    const disputed = await buy();
    account.dispute(disputed.pageId);
    const unrefunded = await buy();
    account.refund(unrefunded.pageId);
    Object.assign(account.refunds.at(-1) ?? {}, { status: "failed" });
    changeCharge(unrefunded.chargeId, { amount_refunded: 0 });
    const foreign = await buy();
    changeCharge(foreign.chargeId, { metadata: { checkout_id: "of-another-mailroom" } });

    const balance = await app.balance();
    await compare();
    const alarms = await app.db(listAlarms);
    const wanted = {
      missing: missing.id,
      not_paid: unpaid.id,
      twice: twice.id,
      amount: cheap.id,
      not_booked: unbooked.id,
      refunded: refunded.id,
      disputed: disputed.id,
      refund_failed: unrefunded.id,
      unknown: "payment of-another-mailroom",
    };
    for (const [difference, subjectId] of Object.entries(wanted)) {
      const found = alarms.filter(({ evidence }) => evidence.includes(`"difference":"${difference}"`));
      expect(found, difference).toMatchObject([{ subjectId }]);
    }
    expect(alarms).toHaveLength(9);
    expect(await findRun()).toMatchObject({ differences: 9, problem: null });

    await app.db(closeAlarms);
    await app.db(makeDue);
    await compare();
    expect((await app.db(listAlarms)).filter(({ isOpen }) => isOpen)).toEqual([]);
    expect(await app.balance()).toBe(balance);
  });

  test("concurrent processes compare once", async () => {
    const task = await loadTask();
    const claims = await Promise.all(Array.from({ length: 8 }, () => task.claim(3)));
    const claimed = claims.flatMap((claim) => (claim.ok ? claim.value : []));
    expect(claimed.map(({ id }) => id).sort()).toEqual(["ledger", "stripe"]);
  });

  test("when Stripe does not answer, the run records the reason and is due again within the hour", async () => {
    app.stripe.fail({ kind: "status", status: 500, path: /charges/, times: 9 });
    expect(await compare()).toMatchObject({ claimed: 2, done: 1 });
    const run = await findRun();
    expect(run.problem).toMatch(/Stripe/);
    expect(run.dueAt.getTime() - Date.now()).toBeLessThanOrEqual(3_600_000);
  });

  test("a fault that was fixed and comes back opens its alarm again, whatever else was found in between", async () => {
    const setTrigger = (how: "ENABLE" | "DISABLE") =>
      app.db((db) =>
        db.$executeRawUnsafe(
          `ALTER TABLE credit_transactions ${how} TRIGGER credit_transactions_append_only`,
        ),
      );
    const look = async () => {
      await app.db(makeDue);
      await compare();
      const alarms = await app.db(listAlarms);
      return alarms.some(({ subjectId, isOpen }) => subjectId === "ledger I7" && isOpen);
    };
    await setTrigger("DISABLE");
    expect(await look()).toBe(true);
    await app.db(closeAlarms);
    expect(await look()).toBe(false);
    await setTrigger("ENABLE");
    expect(await look()).toBe(false);
    await setTrigger("DISABLE");
    expect(await look()).toBe(true);
    // The fault was fixed while its alarm was open: closing the alarm ends it.
    await setTrigger("ENABLE");
    await look();
    await app.db(closeAlarms);
    await setTrigger("DISABLE");
    expect(await look()).toBe(true);
    await setTrigger("ENABLE");
    await look();
    await app.db(closeAlarms);
  });

  test("the heads of the ledger are logged in the format that a later check reads", async () => {
    await buy();
    const { log } = await import("~/platform/log.server");
    const lines = vi.spyOn(log, "info");
    await compare();
    const logged = lines.mock.calls.flatMap(([event, fields]) =>
      event === "ledger.head" ? [`${fields?.reason}\n`] : [],
    );
    const { formatHeads, loadHeads } = await import("~/credits/ledger/ledger-heads.server");
    expect(logged.join("")).toBe(formatHeads(await app.db(loadHeads)));
    expect(logged.length).toBeGreaterThan(0);
    lines.mockRestore();
  });

  test("a ledger that does not agree with itself is an alarm, and is checked again soon after the alarm was closed", async () => {
    await app.db((db) => db.creditAccount.updateMany({ data: { balance: { increment: 3 } } }));
    await compare();
    const broken = { kind: "ledger_broken", subjectId: "ledger I1", isOpen: true };
    expect(await app.db(listAlarms)).toContainEqual(expect.objectContaining(broken));
    expect(await compare()).toEqual({ claimed: 0, done: 0 });
    await app.db((db) => db.creditAccount.updateMany({ data: { balance: { decrement: 3 } } }));
    await app.db(closeAlarms);
    expect(await compare()).toEqual({ claimed: 1, done: 1 });
    expect(await compare()).toEqual({ claimed: 0, done: 0 });
  });
});

test("with the provider: a charged piece that it does not list is an alarm, unless its list may be late", async () => {
  const app = await startMailConsole(await postgres.createDatabase());
  await app.grant("payer", 20);
  const [young, missing] = [await app.mail("payer"), await app.mail("payer")];
  const earlier = await app.mail("payer", "letter");
  app.provider.remove(Number(earlier.mailItemId));
  await app.db((db) => db.send.update({ where: { id: earlier.id }, data: { keyFingerprint: "earlier" } }));
  app.provider.remove(Number(young.mailItemId));
  app.provider.remove(Number(missing.mailItemId));
  await app.db((db) =>
    db.send.update({ where: { id: missing.id }, data: { createdAt: new Date(Date.now() - 26 * 3_600_000) } }),
  );
  await app.db(makeDue);
  await compare();
  expect(await app.db(listAlarms)).toMatchObject([
    { kind: "provider_difference", subjectId: missing.id, isOpen: true },
  ]);
  const run = await app.db((db) => db.reconciliationRun.findUnique({ where: { name: "provider" } }));
  expect(run).toMatchObject({ differences: 1, problem: expect.stringMatching(/earlier key/) });
  expect(Number(run?.dueAt) - Number(run?.startedAt)).toBe(86_400_000);
  await app.close();
});

test("with the provider's webhook: a day without an event, while pieces are produced, is an alarm until events come", async () => {
  const app = await startMailConsole(await postgres.createDatabase());
  await app.grant("payer", 20);
  const [old, young] = [await app.mail("payer"), await app.mail("payer")];
  const hook = openHook(() => app);
  const look = async () => {
    await app.db((db) => makeDue(db, ["webhook"]));
    await compare();
    const alarms = await app.db(listAlarms);
    return alarms.filter(({ kind, isOpen }) => kind === "webhook_silent" && isOpen).length;
  };
  const age = (id: string, hours: number) =>
    app.db(async (db) => {
      const past = new Date(Date.now() - hours * 3_600_000);
      await db.mailItem.update({ where: { id }, data: { createdAt: past } });
      await db.mailEvent.updateMany({ where: { itemId: id }, data: { at: past } });
    });
  expect(await look()).toBe(0);
  await age(old.id, 25);
  expect(await look()).toBe(1);
  await app.db(closeAlarms);
  expect(await look()).toBe(0);
  expect((await hook.post(hook.toEvent([{ id: young.mailItemId, status: "producing" }]))).status).toBe(200);
  expect(await look()).toBe(0);
  // The last piece without an event.
  await age(young.id, 26);
  expect(await look()).toBe(1);
  await app.db(closeAlarms);
  for (const { mailItemId } of [old, young]) app.provider.move(Number(mailItemId), "delivered");
  await app.refreshStatus([old.id, young.id], { id: "auth-ana" });
  expect(await look()).toBe(0);
  await app.close();
});
