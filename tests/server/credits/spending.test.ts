import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sumSpent } from "~/credits/spending/spent";
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

test("credits have the price of their purchase, oldest first; the file has the page's figures", async () => {
  const { insertCheckout, bookPurchase } = await import("~/credits/purchases/checkout-record.server");
  const { loadPurchase } = await import("~/credits/purchases/purchase-pages.server");
  const { loadSpendingView } = await import("~/credits/spending/spending-view.server");
  const { streamSpendingCsv } = await import("~/credits/spending/spending-csv.server");
  const userId = "buyer";
  await app.grant(userId, 1);
  await app.grant("someone else", 1);
  await app.mail("someone else");
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

  const { cells, days } = await load(userId);
  const byKind = new Map(cells.map((cell) => [cell.kind, cell]));
  // The letter used the granted credit and the first purchased one.
  const letter = { pieces: 1, cancelled: 0, credits: 2, byHand: 1, worth: 10, unpriced: 1, margin: 0 };
  expect(byKind.get("letter")).toMatchObject(letter);
  const postcard = { pieces: 2, cancelled: 1, credits: 1, byHand: 0, worth: 10, cost: 6, margin: 4 };
  expect(byKind.get("postcard")).toMatchObject(postcard);
  expect(days.reduce((sum, day) => sum + day.letters + day.postcards, 0)).toBe(3);
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
  expect(month?.total).toMatchObject({ worth: "$0.20", byHand: 1, cost: "$0.06", margin: "$0.04" });
  const file = await streamSpendingCsv(new URLSearchParams({ user_id: userId }), ANA);
  const [, ...lines] = file.ok ? (await new Response(file.value).text()).trimEnd().split("\r\n") : [];
  expect(lines.map((line) => line.split(",").slice(4))).toEqual([
    ["1", "0", "2", "1", "0.0999", "0.1", "USD", "", "USD", "1", ""],
    ["2", "1", "1", "0", "0.0999", "0.1", "USD", "0.06", "USD", "0", "0.04"],
  ]);
  const past = await streamSpendingCsv(new URLSearchParams({ until: "2020-06" }), ANA);
  expect(past.ok && (await new Response(past.value).text()).trimEnd()).not.toContain("\n");
});

test("prices of pieces older than the column are read from the answers in the background", async () => {
  await app.sql`UPDATE mail_items SET provider_cost = NULL, country = NULL, answer_read = false`;
  const countUnpriced = async () => (await load("buyer")).cells.map(({ unpriced }) => unpriced);
  expect(await countUnpriced()).toEqual([1, 1]);
  const { readAnswers } = await import("~/pieces/item-record.server");
  const { runBatch } = await import("~/platform/background-runner.server");
  expect(await runBatch(readAnswers)).toEqual({ claimed: 4, done: 4 });
  expect(await countUnpriced()).toEqual([0, 0]);
});

/** A piece in the model. Its credits have their price, or null when they were added by hand. */
type Piece = { id: string; user: number; cents: number; paid: (number | null)[]; cancelled: boolean };

/** Type and cause of a step's ledger row. */
const ROWS = {
  ...{ buy: ["purchase", "checkout"], give: ["credit", "adjustment"], deduct: ["debit", "adjustment"] },
  ...{ mail: ["debit", "send"], cancel: ["refund", "refund"] },
} as const;
const step = fc.record({
  user: fc.integer({ min: 0, max: 2 }),
  what: fc.constantFrom("buy", "give", "deduct", "mail", "mail", "mail", "cancel", "cancel"),
  credits: fc.integer({ min: 1, max: 9 }),
  cents: fc.integer({ min: 1, max: 1_000 }),
});

test("random histories have the worth of their single credits, also when they go on after they were shown", async () => {
  const parts = fc.array(fc.array(step, { size: "large", maxLength: 60 }), { minLength: 1, maxLength: 3 });
  const property = fc.asyncProperty(parts, async (history) => {
    const names = [0, 1, 2].map(() => randomUUID());
    const unspent: Piece["paid"][] = [[], [], []];
    const pieces: Piece[] = [];
    for (const part of history) {
      const rows = part.flatMap(({ user, what, credits, cents }) => {
        const waiting = unspent[user] ?? [];
        const before = waiting.length;
        const sent = pieces.filter((piece) => piece.user === user && !piece.cancelled);
        const piece = sent[cents % sent.length];
        const id = what === "cancel" ? (piece?.id ?? "") : randomUUID();
        if (what === "buy" || what === "give") {
          const priceOf = (count: number) => Math.round((count * cents) / credits);
          const prices = Array.from({ length: credits }, (_, at) => priceOf(at + 1) - priceOf(at));
          waiting.push(...(what === "buy" ? prices : prices.map(() => null)));
        } else if (what === "cancel") {
          if (!piece) return [];
          piece.cancelled = true;
          waiting.push(...piece.paid);
        } else {
          if (before < credits) return [];
          const paid = waiting.splice(0, credits);
          if (what === "mail") pieces.push({ id, user, cents, paid, cancelled: false });
        }
        const [type, cause] = ROWS[what];
        const amount = Math.abs(waiting.length - before);
        return [{ id, user: names[user], type, cause, amount, before, after: waiting.length, cents }];
      });
      await insertHistory(names, pieces, rows);
      for (const [user, name] of names.entries()) {
        const sent = pieces.filter((piece) => piece.user === user);
        const live = sent.filter(({ cancelled }) => !cancelled);
        const paid = live.flatMap((piece) => piece.paid);
        expect(sumSpent((await load(name)).cells)).toMatchObject({
          ...{ pieces: sent.length, cancelled: sent.length - live.length, credits: paid.length },
          byHand: paid.filter((price) => price === null).length,
          worth: paid.reduce<number>((sum, price) => sum + (price ?? 0), 0),
        });
      }
    }
  });
  await fc.assert(property, { numRuns: 20 });
});

async function insertHistory(names: string[], pieces: Piece[], rows: object[]) {
  const items = pieces.map((piece) => ({ ...piece, owner: names[piece.user] }));
  await app.sql`
    WITH people AS (
      INSERT INTO users (id, display_name, username)
      SELECT id, id, id FROM unnest(${names}::text[]) AS u (id) ON CONFLICT DO NOTHING
    ), entries AS (
      SELECT * FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS (id text, "user" text, type text,
        amount int, before int, after int, cause text, cents int)) WITH ORDINALITY
    ), bought AS (
      INSERT INTO checkout_sessions (id, user_id, actor_id, credits, amount_cents, currency, state, success_url,
        cancel_url, closed_at)
      SELECT id, "user", "user", amount, cents, CASE cents % 2 WHEN 0 THEN 'eur' ELSE 'usd' END, 'completed', '/',
        '/', now() FROM entries WHERE cause = 'checkout'
    ), mailed AS (
      INSERT INTO mail_items (id, user_id, actor_id, send_id, type, preset, method, path, base_url, status,
        status_rank, provider_cost, created_at, is_cancelled, cancelled_at)
      SELECT id, owner, owner, id, CASE cents % 2 WHEN 0 THEN 'letter' ELSE 'postcard' END, '', 'POST', '', '', '', 0,
        CASE WHEN cents % 5 > 0 THEN 0.07 END, now() - cents % 3 * interval '1 month', cancelled,
        CASE WHEN cancelled THEN now() END
      FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS i (id text, owner text, cents int, cancelled boolean)
      ON CONFLICT (id) DO UPDATE SET is_cancelled = excluded.is_cancelled, cancelled_at = excluded.cancelled_at
    )
    INSERT INTO credit_transactions (user_id, transaction_type, amount, balance_before, balance_after, description,
      actor_id, cause, cause_key)
    SELECT "user", type, amount, before, after, '', "user", cause, id FROM entries ORDER BY ordinality`;
}
