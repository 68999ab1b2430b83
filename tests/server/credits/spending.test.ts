import { expect, test } from "vitest";
import { ANA } from "../../support/console/payment-console";
import { setUpMailConsole, setUpPostgres } from "../../support/fixtures";

/** The spending of a month, computed from pieces and answers, agrees with the ledger. */

const postgres = await setUpPostgres();
const app = await setUpMailConsole(await postgres.createDatabase(), {
  variables: { STANNP_CURRENCY: "USD" },
});

async function load(userId: string, month: string | null = null) {
  const { loadSpending } = await import("~/credits/spending/spending.server");
  const loaded = await loadSpending({ month, until: null, userId }, new Date());
  if (!loaded.ok) throw new Error(loaded.failure.message);
  return loaded.value;
}

test("pieces, cancelled ones, net credits and the provider's prices of a month", async () => {
  await app.grant("spender", 10);
  await app.grant("someone else", 10);
  await app.mail("spender", "letter");
  await app.mail("spender");
  const cancelled = await app.mail("spender");
  await app.mail("someone else");
  await app.post("/api/mail/cancel", {
    userId: "spender",
    mailItemId: cancelled.mailItemId,
    type: "postcard",
  });

  const { cells, days } = await load("spender");
  const byKind = new Map(cells.map((cell) => [cell.kind, cell]));
  expect(byKind.get("letter")).toMatchObject({ pieces: 1, cancelled: 0, credits: 2, unpriced: 0 });
  expect(byKind.get("postcard")).toMatchObject({ pieces: 2, cancelled: 1, credits: 1, cost: 6 });
  expect(days.reduce((sum, { credits }) => sum + credits, 0)).toBe(3);
  expect(await app.balance("spender")).toBe(10 - 3);
});

test("credits have the price of their purchase, oldest first; the file has the page's figures", async () => {
  const { insertCheckout, bookPurchase } = await import("~/credits/purchases/checkout-record.server");
  const { loadPurchase } = await import("~/credits/purchases/purchase-page.server");
  const { streamSpendingCsv } = await import("~/credits/spending/spending-csv.server");
  const { loadSpendingView } = await import("~/credits/spending/spending-view.server");
  const userId = "buyer";
  await app.grant(userId, 1);
  await app.db(async (db) => {
    const addresses = { successUrl: "/users", cancelUrl: "/users" };
    await insertCheckout(db, { id: "bought", userId, actorId: userId, ...addresses });
    await bookPurchase(
      db,
      { id: "bought", userId },
      { id: "cs_test_bought", paymentId: null, invoiceNumber: null },
    );
  });
  await app.mail(userId, "letter");
  const cancelled = await app.mail(userId);
  await app.mail(userId);
  await app.post("/api/mail/cancel", { userId, mailItemId: cancelled.mailItemId, type: "postcard" });
  await app.sql`UPDATE mail_items SET provider_cost = NULL WHERE user_id = ${userId} AND type = 'letter'`;

  const { cells } = await load(userId);
  const byKind = new Map(cells.map((cell) => [cell.kind, cell]));
  // The letter used the granted credit and the first purchased one.
  expect(byKind.get("letter")).toMatchObject({ credits: 2, given: 1, worth: 10, unpriced: 1, margin: 0 });
  expect(byKind.get("postcard")).toMatchObject({ credits: 1, given: 0, worth: 10, cost: 6, margin: 4 });
  const purchase = await loadPurchase("bought", new Date());
  expect(purchase.ok && purchase.value).toMatchObject({
    uses: [{ worth: "$0.10" }, { worth: "$0.10", refunded: true }, { worth: "$0.10" }],
    spent: { credits: 3, worth: "$0.30" },
    left: { credits: 97, worth: "$9.69" },
  });

  const view = await loadSpendingView(new URLSearchParams({ user_id: userId }), [], new Date());
  const month = view.ok && view.value.problem === null ? view.value.month : null;
  expect(month?.lines.map(({ worth, margin }) => [worth, margin])).toEqual([
    ["$0.10", null],
    ["$0.10", "$0.04"],
  ]);
  expect(month?.total).toMatchObject({ worth: "$0.20", given: 1, cost: "$0.06", margin: "$0.04" });
  const file = await streamSpendingCsv(new URLSearchParams({ user_id: userId }), ANA);
  const text = file.ok ? await new Response(file.value).text() : "";
  expect(
    text
      .trimEnd()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(",").slice(4)),
  ).toEqual([
    ["1", "0", "2", "1", "0.0999", "0.1", "USD", "", "USD", "1", ""],
    ["2", "1", "1", "0", "0.0999", "0.1", "USD", "0.06", "USD", "0", "0.04"],
  ]);
});

test("prices of pieces older than the column are read from the answers in the background", async () => {
  const before = (await load("spender")).cells;
  await app.sql`UPDATE mail_items SET provider_cost = NULL, country = NULL, answer_read = false`;
  expect((await load("spender")).cells.map(({ unpriced }) => unpriced)).toEqual([1, 1]);
  const { readAnswers } = await import("~/pieces/item-record.server");
  const { runBatch } = await import("~/platform/background-runner.server");
  expect(await runBatch(readAnswers)).toEqual({ claimed: 7, done: 7 });
  expect((await load("spender")).cells).toEqual(before);
  expect(await runBatch(readAnswers)).toEqual({ claimed: 0, done: 0 });
});
