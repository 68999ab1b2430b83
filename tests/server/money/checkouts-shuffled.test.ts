import { beforeAll, expect, test } from "vitest";
import { ANA } from "../../support/console/payment-console";
import { setUpPaymentConsole, setUpPostgres } from "../../support/fixtures";
import { howMany } from "../../support/money/how-many";
import { createRandom, type Random } from "../../support/random";

/** Checkouts with shuffled, repeated events mixed with returns: balances must be exact. */
const CHECKOUTS = howMany({ short: 40, long: 200 });
const COPIES = howMany({ short: 6, long: 20 });
const BUYERS = ["auth-ana", "user-1", "user-2", "user-3"] as const;
/** Courses of a checkout; the first two add credits. */
const COURSES = ["pay", "later-succeed", "later-fail", "expire", "leave"] as const;

interface Purchase {
  id: string;
  pageId: string;
  buyer: string;
  course: (typeof COURSES)[number];
}

const postgres = await setUpPostgres();

const app = await setUpPaymentConsole(await postgres.createDatabase());
beforeAll(async () => {
  await app.db((db) =>
    db.user.createMany({
      data: BUYERS.filter((id) => id !== ANA.id).map((id) => ({ id, displayName: id, username: id })),
    }),
  );
});

test("each paid checkout is booked once, others never", async () => {
  const seed = Math.floor(Math.random() * 2 ** 32);
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

  const purchases: Purchase[] = [];
  await inLanes(8, CHECKOUTS, async () => {
    const [buyer, course] = [pick(BUYERS), pick(COURSES)];
    purchases.push({ ...(await app.start(buyer)), buyer, course });
  });

  const { account, webhooks } = app.stripe;
  webhooks.mode = "stored";
  for (const { pageId, course } of purchases) {
    if (course === "pay") account.pay(pageId);
    else if (course === "expire") account.expire(pageId);
    else if (course !== "leave") account.payLater(pageId);
  }
  await mix(purchases, random);
  const half = countCredits(purchases, ["pay"]);
  expect(await readBalances(), `seed ${seed}`).toEqual(half);

  webhooks.mode = "stored";
  const first = [...app.stripe.events];
  for (const { pageId, course } of purchases) {
    if (course === "later-succeed") account.settle(pageId, "succeeded");
    if (course === "later-fail") account.settle(pageId, "failed");
  }
  const second = app.stripe.events.slice(first.length);
  for (const event of [...first, ...second]) webhooks.announce(event);
  await mix(purchases, random);
  expect(await readBalances(), `seed ${seed}`).toEqual(countCredits(purchases, ["pay", "later-succeed"]));

  const rows = await app.db((db) => db.checkoutSession.findMany({ select: { id: true, state: true } }));
  const states = {
    pay: "completed",
    "later-succeed": "completed",
    "later-fail": "failed",
    expire: "expired",
  };
  expect(new Map(rows.map(({ id, state }) => [id, state])), `seed ${seed}`).toEqual(
    new Map(purchases.map(({ id, course }) => [id, course === "leave" ? "open" : states[course]])),
  );
  expect(webhooks.deliveries.every(({ status }) => status === 200)).toBe(true);
  expect(await app.findErrors()).toEqual([]);
});

/**
 * Delivers half of the copies of all stored events (the later ones are stored twice) in random order, while buyers
 * return and recovery runs.
 */
async function mix(purchases: Purchase[], random: Random): Promise<void> {
  let delivering = true;
  const visit = async () => {
    while (delivering) {
      const { id } = purchases[Math.floor(random() * purchases.length)] as Purchase;
      await (random() < 0.5 ? app.loadCheckoutReturn(id, ANA) : app.completeCheckout(id));
    }
  };
  const reconcile = async () => {
    while (delivering) {
      await app.sql`UPDATE checkout_sessions SET looked_at = '2020-01-01' WHERE state = 'open'`;
      await app.recoverCheckouts();
    }
  };
  const others = [visit(), reconcile(), reconcile()];
  await app.stripe.webhooks.release({ times: COPIES / 2, random, atOnce: 6 });
  delivering = false;
  await Promise.all(others);
}

function countCredits(purchases: Purchase[], paid: Purchase["course"][]): Record<string, number> {
  return Object.fromEntries(
    BUYERS.map((buyer) => [
      buyer,
      100 * purchases.filter((one) => one.buyer === buyer && paid.includes(one.course)).length,
    ]),
  );
}

async function readBalances(): Promise<Record<string, number>> {
  return Object.fromEntries(
    await Promise.all(BUYERS.map(async (buyer) => [buyer, await app.balance(buyer)] as const)),
  );
}

async function inLanes(lanes: number, times: number, work: () => Promise<void>): Promise<void> {
  let left = times;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (left-- > 0) await work();
    }),
  );
}
