import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type ApiItem, type ConsoleRoutes, loadConsole, openApi } from "../../support/console/console-routes";
import type { CookieJar } from "../../support/console/cookie-jar";
import { inDatabase, openSession } from "../../support/console/environment";
import { newEmbedded } from "../../support/database/embedded";
import { setUpPostgres } from "../../support/fixtures";

const postgres = await setUpPostgres();

describe.each(["PostgreSQL", "embedded"])("/api/credits on %s", (kind) => {
  let routes: ConsoleRoutes;
  let jar: CookieJar;

  beforeAll(async () => {
    routes = await loadConsole({
      SESSION_SECRET: "a secret",
      DATABASE_URL: kind === "embedded" ? newEmbedded() : await postgres.createDatabase(),
    });
    jar = await openSession("ana", "Ana Ruiz");
    await inDatabase((db) =>
      db.user.createMany({
        data: [
          { id: "user-zoe", displayName: "Zoë Müller", username: "zoe" },
          { id: "user-ben", displayName: "Benedikt Amann", username: "ben" },
        ],
      }),
    );
  });

  const call = (path: string, init?: RequestInit, who = jar) => openApi(routes, who).call(path, init);
  const post = (body: unknown, who = jar) => openApi(routes, who).post("/api/credits", body);
  const adjust = (changes: ApiItem = {}) =>
    post({ user_id: "user-ben", amount: 5, description: "a gift", action: "add", ...changes });
  const countRows = () => inDatabase((db) => db.creditTransaction.count());
  const createUser = async (balance = 0) => {
    const id = `user-${randomUUID()}`;
    await inDatabase((db) => db.user.create({ data: { id, displayName: `Person ${id}`, username: id } }));
    if (balance > 0) await adjust({ user_id: id, amount: balance });
    return id;
  };

  describe("the list of users", () => {
    test("a signed-in user without a record is listed first with zeros, and listing stores no one", async () => {
      const guest = await openSession("guest", "Guest");
      const { status, list } = await call("/api/credits", {}, guest);
      expect(status).toBe(200);
      expect(list[0]).toEqual({
        id: "auth-guest",
        display_name: "Guest",
        username: "guest@example.com",
        isAuthenticatedUser: true,
        credits: 0,
        held: 0,
        total_spent: 0,
        last_updated: null,
      });
      expect(list.map((user) => user.id)).toEqual(expect.arrayContaining(["user-ben", "user-zoe"]));
      expect(await inDatabase((db) => db.user.count({ where: { id: "auth-guest" } }))).toBe(0);
    });

    test("only the viewer's own record is created when missing, and 'You' is a name for them alone", async () => {
      const nils = await openSession("nils", "You");
      const own = await call("/api/credits?user_id=auth-nils", {}, nils);
      expect(own).toMatchObject({ status: 200, list: [{ display_name: "You", credits: 0 }] });
      const other = await call("/api/credits?user_id=auth-nils");
      expect(other.list).toMatchObject([{ display_name: "nils@example.com", credits: 0 }]);
      expect(await inDatabase((db) => db.creditAccount.count({ where: { userId: "auth-nils" } }))).toBe(1);
      expect((await call("/api/credits?user_id=auth-other")).status).toBe(404);
      expect((await adjust({ user_id: "auth-other" })).status).toBe(404);
      expect(await inDatabase((db) => db.user.count({ where: { id: "auth-other" } }))).toBe(0);
    });

    test("the credits of any stored user can be loaded", async () => {
      expect(await call("/api/credits?user_id=user-zoe")).toMatchObject({
        status: 200,
        list: [{ id: "user-zoe", display_name: "Zoë Müller" }],
      });
      for (const id of ["user-missing", "", "%00", "a".repeat(300)]) {
        expect((await call(`/api/credits?user_id=${id}`)).status, id).toBe(404);
      }
    });
  });

  describe("an adjustment", () => {
    test("adds and deducts, and reports it", async () => {
      const userId = await createUser();
      const added = await adjust({ user_id: userId, amount: 1_000_000 });
      expect(added).toMatchObject({
        status: 200,
        message: `Successfully added 1,000,000 credits to Person ${userId}`,
        item: { credits: 1_000_000, held: 0, total_spent: 0 },
      });
      const deducted = await adjust({ user_id: userId, amount: 1, action: "deduct", description: " typo " });
      expect(deducted.message).toBe(`Successfully deducted 1 credit from Person ${userId}`);
      const { list } = await call(`/api/credits/transactions?user_id=${userId}`);
      const actor = { actor_id: "auth-ana", actor_name: "Ana Ruiz", reference_response_id: null };
      expect(list).toMatchObject([
        { transaction_type: "debit", amount: 1, balance_after: 999_999, description: "typo", ...actor },
        { transaction_type: "credit", amount: 1_000_000, balance_after: 1_000_000 },
      ]);
    });

    const invalid: [string, string | object, RegExp][] = [
      ["a negative amount", { amount: -5 }, /amount/i],
      ["a fraction", { amount: 1.5 }, /amount/i],
      ["an amount as text", { amount: "1" }, /amount/i],
      ["an amount over the limit", { amount: 1_000_001 }, /amount/i],
      ["an amount beyond exact numbers", '{"amount":9007199254740993}', /amount/i],
      ["no amount", { amount: null }, /^Please fill in all fields$/],
      ["an empty description", { description: "  " }, /^Please fill in all fields$/],
      ["no user", { user_id: undefined }, /^Please fill in all fields$/],
      ["a long description", { description: "x".repeat(501) }, /./],
      ["NUL", { description: "a\u0000b" }, /./],
      ["a short key", { idempotency_key: "short" }, /./],
    ];

    test.each(invalid)("%s is refused", async (_name, changes, words) => {
      const before = await countRows();
      const whole = '{"user_id":"user-ben","description":"x","action":"add",';
      const body = typeof changes === "string" ? whole + changes.slice(1) : changes;
      const answer = await (typeof body === "string" ? post(body) : adjust(body as ApiItem));
      expect([answer.status, answer.error]).toEqual([400, expect.stringMatching(words)]);
      expect(await countRows()).toBe(before);
    });

    test("a deduction never exceeds the available credits", async () => {
      const userId = await createUser(10);
      await inDatabase((db) => db.creditAccount.update({ where: { userId }, data: { held: 4 } }));
      const refused = await adjust({ user_id: userId, amount: 7, action: "deduct" });
      expect(refused.status).toBe(402);
      expect(refused.error).toContain("6 credits available (balance 10, reserved 4)");
      expect((await call(`/api/credits/transactions?user_id=${userId}`)).list).toHaveLength(1);
      expect((await adjust({ user_id: userId, amount: 6, action: "deduct" })).status).toBe(200);
    });

    test("a key counts once, also in parallel", async () => {
      const userId = await createUser();
      const body = { user_id: userId, amount: 3, idempotency_key: randomUUID() };
      const answers = await Promise.all(Array.from({ length: 10 }, () => adjust(body)));
      expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
      expect(new Set(answers.map((answer) => answer.message)).size).toBe(1);
      expect((await call(`/api/credits?user_id=${userId}`)).list).toMatchObject([{ credits: 3 }]);
      expect((await adjust({ ...body, amount: 4 })).status).toBe(422);
      expect((await adjust({ ...body, action: "deduct" })).status).toBe(422);
      expect((await call(`/api/credits?user_id=${userId}`)).list).toMatchObject([{ credits: 3 }]);
    });

    test("another person's adjustment with the same key counts", async () => {
      const body = { user_id: await createUser(), amount: 3, description: "x", action: "add" };
      const idempotency_key = randomUUID();
      await post({ ...body, idempotency_key });
      const other = await post({ ...body, idempotency_key }, await openSession("zoe", "Zoë"));
      expect(other.item).toMatchObject({ credits: 6 });
    });
  });

  describe("the transactions", () => {
    let userId: string;

    beforeAll(async () => {
      userId = await createUser();
      // Equal times, so that only the ids determine the order.
      await inDatabase(
        (db) => db.$executeRaw`
          INSERT INTO credit_transactions (user_id, transaction_type, amount, balance_before, balance_after,
            description, actor_id, cause, cause_key, reference_response_id, created_at)
          SELECT ${userId}, CASE WHEN n % 2 = 0 THEN 'refund' ELSE 'credit' END, 1, n - 1, n,
            'row ' || n, 'system', 'adjustment', ${userId} || n, CASE WHEN n = 7 THEN 'send-of-seven' END,
            timestamptz '2026-03-01T00:00:00Z' + (n / 40) * interval '1 day'
          FROM generate_series(1, 120) n`,
      );
    });

    const list = (query = "") => call(`/api/credits/transactions?user_id=${userId}${query}`);

    test("pages follow each other without gap or repeat, also over equal times", async () => {
      const seen: unknown[] = [];
      let cursor = "";
      for (let page = 0; page < 3; page++) {
        const answer = await list(cursor);
        seen.push(...answer.list.map((row) => row.balance_after));
        cursor = `&cursor=${answer.nextCursor}`;
        expect(answer.nextCursor === null).toBe(page === 2);
      }
      expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => 120 - index));
    });

    test("a filter names type, days and text", async () => {
      for (const [query, rows] of [
        ["&type=refund&q=ROW+11", [118, 116, 114, 112, 110]],
        ["&from=2026-03-02&to=2026-03-02&q=0", [70, 60, 50, 40]],
        ["&to=2026-02-28", []],
        ["&q=%25", []],
      ] as const) {
        const found = (await list(query)).list.map((row) => row.description);
        expect(found, query).toEqual(rows.map((n) => `row ${n}`));
      }
      const [seventh] = (await list("&q=of-seven")).list;
      expect(seventh).toMatchObject({ reference_response_id: "send-of-seven", actor_name: "System" });
    });

    const wrong = `cursor=-1 cursor=99999999999999999999 from=2026-02-30 to=9999-12-31 type=theft q=%00 q=${"x".repeat(201)} user_id=%00`;
    test.each(wrong.split(/\s+/))("%s is refused", async (query) => {
      for (const path of ["/api/credits/transactions", "/users/history.csv"]) {
        const error = expect.stringContaining(query.split("=")[0] ?? "");
        expect(await call(`${path}?${query}`)).toMatchObject({ status: 400, error });
      }
    });

    test("an unknown user is not found", async () => {
      expect((await call("/api/credits/transactions?user_id=user-missing")).status).toBe(404);
      expect((await call("/users/history.csv?user_id=user-missing")).status).toBe(404);
    });

    test("the file has exactly the rows of the filter, and no cell that runs as a formula", async () => {
      const name = '=HYPERLINK("evil")';
      await inDatabase((db) =>
        db.user.create({ data: { id: "user-evil", displayName: name, username: "evil" } }),
      );
      for (const description of ["=1+1", "plain"]) {
        await adjust({ user_id: "user-evil", description });
      }
      await adjust({ user_id: "user-evil", description: "=2", action: "deduct" });
      const file = await routes.visit(jar, "/users/history.csv?user_id=user-evil&type=credit");
      expect(file.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
      expect(file.headers.get("Content-Disposition")).toContain("attachment");
      const lines = (await file.text()).trimEnd().split("\r\n");
      const { list: rows } = await call("/api/credits/transactions?user_id=user-evil&type=credit");
      expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(rows.map((row) => String(row.id)));
      expect(lines[0]).toBe(
        "id,created_at,user_id,user,transaction_type,amount,balance_after,description,actor,reference_response_id,money,currency,provider_cost,provider_currency,purchase_id,stripe_session_id,stripe_payment_id,invoice_number",
      );
      expect(lines.at(-1)).toBe(
        `${rows.at(-1)?.id},${String(rows.at(-1)?.created_at).slice(0, 19).replace("T", " ")},user-evil,"'=HYPERLINK(""evil"")",credit,5,5,'=1+1,Ana Ruiz,,,,,,,,,`,
      );
      // Signed amounts add up to the balance.
      const all = await (await routes.visit(jar, "/users/history.csv?user_id=user-evil")).text();
      const amounts = [...all.matchAll(/,(?:credit|debit),(-?\d+),/g)].map(([, amount]) => Number(amount));
      const { list: everything } = await call("/api/credits/transactions?user_id=user-evil");
      expect(amounts).toHaveLength(3);
      expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(everything[0]?.balance_after);
    });
  });

  describe("the charts", () => {
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000);

    test("spending counts what was mailed and not refunded, by day and kind; balances are carried forward", async () => {
      const { loadBalanceHistory } = await import("~/credits/overview/load-overview.server");
      const { loadSpendPerDay } = await import("~/credits/spending/spend-per-day.server");
      const before = unwrap(await loadSpendPerDay());
      const id = await createUser();
      const row = (change: number, balance: number, createdAt: Date, cause: string, reference: string) => {
        const mailType = reference === "c" ? "postcard" : "letter";
        const causeKey = `${id}${reference}`;
        return inDatabase((db) =>
          db.creditTransaction.create({
            data: {
              ...{ userId: id, actorId: id, cause, causeKey, mailType, referenceResponseId: causeKey },
              ...{ transactionType: cause === "refund" ? "refund" : "debit", amount: Math.abs(change) },
              ...{ balanceBefore: balance - change, balanceAfter: balance, createdAt },
              ...{ description: "x", hash: "" },
            },
          }),
        );
      };
      await row(-2, 98, day(40), "send", "old");
      await row(-2, 96, day(3), "send", "a");
      await row(-2, 94, day(3), "send", "b");
      await row(2, 96, day(1), "refund", "b");
      await row(-1, 95, day(0), "send", "c");
      const after = unwrap(await loadSpendPerDay());
      const grown = after.map(({ letters, postcards }, index) => [
        letters - (before[index]?.letters ?? 0),
        postcards - (before[index]?.postcards ?? 0),
      ]);
      expect(grown.slice(-4).flat()).toEqual([2, 0, 0, 0, 0, 0, 0, 1]);
      expect(new Set(grown.slice(0, -4).flat())).toEqual(new Set([0]));
      const quiet = await createUser();
      const balances = Object.entries({ [id]: 95, [quiet]: 4 }).map(([user, balance]) => ({
        id: user,
        balance,
      }));
      const history = unwrap(await loadBalanceHistory(balances));
      expect(history.get(id)?.slice(-5)).toEqual([98, 94, 94, 96, 95]);
      expect(history.get(id)).toHaveLength(30);
      expect(new Set(history.get(quiet))).toEqual(new Set([4]));
    });
  });

  test("a stored username is unique, in any case and in parallel", async () => {
    const { createStoredUser } = await import("~/people/stored-user.server");
    const made = await Promise.all(
      ["Kim", "kim", "KIM", "kiM"].map((username) => createStoredUser({ displayName: "Kim", username })),
    );
    expect(made.filter((created) => created.ok)).toHaveLength(1);
    expect(await inDatabase((db) => db.user.count({ where: { displayName: "Kim" } }))).toBe(1);
    for (const created of made) {
      if (created.ok) expect(created.value.id).toMatch(/^user-/);
      else expect(created.failure).toMatchObject({ code: "bad_input" });
    }
  });
});

function unwrap<T>(outcome: { ok: true; value: T } | { ok: false; failure: { message: string } }): T {
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.value;
}
