import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ConsoleProcess } from "../../support/console/console-process";
import { type Postgres, startPostgres } from "../../support/database/postgres";
import { ALL_WELL } from "../../support/money/audit";
import { type MoneyBench, openBench } from "../../support/money/bench";
import { askForMail, cookieOf, type MailAnswer, type MailRequest } from "../../support/money/calls";

const SENT_BEFORE =
  /^[^,]+ sent this (postcard|letter) to this address (just now|\d+ minutes? ago) \(mail ID \d+\)\. Nothing was sent and nothing was charged\.$/;
/** Each waits with a database connection, of which a console has few. */
const AT_ONCE = 4;
const ADDRESS = {
  firstname: "Ana",
  lastname: "Lopez",
  address1: "1 High St",
  city: "Austin",
  postcode: "78701",
  country: "US",
};

let postgres: Postgres;
let count = 0;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.close());

describe("the same piece", () => {
  let bench: MoneyBench;
  const consoles: ConsoleProcess[] = [];
  beforeAll(async () => {
    bench = await openBench({ postgres });
    await bench.grant("payer", 100);
    await bench.grant("other", 100);
    const bases = `US=${bench.provider.baseUrl},Global=${bench.provider.origin}/global/v1`;
    for (let n = 0; n < 2; n++) {
      consoles.push(await bench.start({ STANNP_TIMEOUT_MS: "20000", STANNP_BASE_URLS: bases }));
    }
  });
  afterAll(() => bench?.close());

  /** A send with a new key; `known` false: the check for duplicates is off. */
  function send(
    order: Partial<MailRequest> & { message: string },
    known: string | null | false = null,
    n = 0,
  ): Promise<MailAnswer> {
    const { message, fields, envelope, ...rest } = order;
    return askForMail(consoles[n % consoles.length]?.origin ?? "", {
      type: "postcard",
      payer: "payer",
      key: `same-piece-${count++}`,
      ...rest,
      fields: { message, ...fields },
      envelope: { ...(known === false ? {} : { known_duplicate: known }), ...envelope },
    });
  }
  const countMailed = () => bench.provider.pieces.filter((piece) => !piece.test).length;

  test("is held back, and mailed when the caller names the first one", async () => {
    const first = await send({ message: "one" });
    expect(first.json).toMatchObject({ error: null, credits: { creditsDeducted: 1 } });
    const before = countMailed();
    const balance = await readBalance();

    const second = await send({ message: "one", caller: "ben" });
    expect(second.status).toBe(409);
    expect(second.json.error).toMatch(SENT_BEFORE);
    expect(second.json).toMatchObject({
      credits: null,
      request: null,
      duplicate_of: { send_id: first.json.send_id, tested_piece_id: null },
    });
    expect(second.json.send_id).toBeUndefined();
    expect(countMailed()).toBe(before);
    expect(await readBalance()).toBe(balance);

    const anyway = await send({ message: "one" }, first.json.send_id ?? "");
    expect(anyway.json).toMatchObject({ error: null, credits: { creditsDeducted: 1 } });
    // The caller names the first one, but there is a newer one.
    const third = await send({ message: "one" }, first.json.send_id ?? "");
    expect(third.json.duplicate_of).toEqual({ send_id: anyway.json.send_id, tested_piece_id: null });
    expect(countMailed()).toBe(before + 1);
  });

  test("is recognised with other tags, another payer and another spelling of the address", async () => {
    const first = await send({ message: "two" });
    const variants: (Partial<MailRequest> & { message: string })[] = [
      { message: "two", fields: { tags: "spring" } },
      { message: "two", payer: "other" },
      { message: "two", fields: { recipient: { ...ADDRESS, lastname: " LOPEZ", city: "austin " } } },
    ];
    for (const variant of variants) {
      const { status, json } = await send(variant);
      expect([status, json.duplicate_of?.send_id], JSON.stringify(variant)).toEqual([
        409,
        first.json.send_id,
      ]);
    }
    const others: (Partial<MailRequest> & { message: string })[] = [
      { message: "Two" },
      { message: "two", fields: { size: "6x9" } },
      { message: "two", fields: { recipient: { ...ADDRESS, address1: "2 High St" } } },
      { message: "two", fields: { recipient: 1001 } },
      { message: "two", type: "letter" },
    ];
    for (const other of others) {
      expect((await send(other)).json, JSON.stringify(other)).toMatchObject({ error: null });
    }
    expect((await send({ message: "two", fields: { recipient: 1001 } })).status).toBe(409);
    expect((await send({ message: "two" }, false)).json).toMatchObject({ error: null });
  });

  test("is a different one when the recipient's own data or account differ", async () => {
    const { firstname, lastname, ...rest } = ADDRESS;
    const bracketed = Object.fromEntries(
      Object.entries({ ...ADDRESS, code: "7" }).map(([name, value]) => [`recipient[${name}]`, value]),
    );
    const asForm = { headers: { "Content-Type": "application/x-www-form-urlencoded" } };
    const mailed: Partial<MailRequest>[] = [
      { fields: { recipient: { ...ADDRESS, code: "7" } } },
      { fields: { recipient: { ...ADDRESS, code: "8" } } },
      { fields: { recipient: { ...ADDRESS, company: "Lopez" } } },
      { fields: { recipient: undefined, ...bracketed, "recipient[code]": "9" }, envelope: asForm },
      { fields: { recipient: 1002 } },
      { fields: { recipient: 1002 }, envelope: { baseUrl: `${bench.provider.origin}/global/v1` } },
    ];
    for (const order of mailed) {
      expect((await send({ message: "merged", ...order })).json, JSON.stringify(order)).toMatchObject({
        error: null,
      });
    }
    const repeated: Partial<MailRequest>[] = [
      { fields: { recipient: { ...rest, code: 7, lastname, firstname } } },
      { fields: { recipient: undefined, ...bracketed }, envelope: asForm },
      { fields: { recipient: "1002" }, envelope: { baseUrl: `${bench.provider.origin}/global/v1` } },
    ];
    for (const order of repeated) {
      expect((await send({ message: "merged", ...order })).status, JSON.stringify(order)).toBe(409);
    }
  });

  test("with the same key is the send itself, and gets its answer", async () => {
    const key = "same-piece-with-a-key";
    const first = await send({ message: "three", key });
    const again = await send({ message: "three", key });
    expect(again.json).toMatchObject({ replayed: true, send_id: first.json.send_id, error: null });
  });

  test("is mailed once for concurrent requests", async () => {
    const before = countMailed();
    const ask = () =>
      Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) =>
          send({ message: "at once", caller: `caller${n}` }, null, n),
        ),
      );
    const answers = await holdPayerDuring(ask);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(AT_ONCE - 1).fill(409)]);
    expect(countMailed()).toBe(before + 1);
  });

  test("with one key in concurrent requests is one send, and never its own duplicate", async () => {
    const before = countMailed();
    const key = "same-piece-one-key";
    const ask = () =>
      Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) => send({ message: "one key at once", key }, null, n)),
      );
    const answers = await holdPayerDuring(ask);
    expect(answers.map(({ json }) => json.duplicate_of)).toEqual(answers.map(() => undefined));
    for (const { status, json } of answers) {
      if (status === 409) expect(json.error).toMatch(/being sent right now/);
      else expect([status, json.error, json.credits?.creditsDeducted]).toEqual([200, null, 1]);
    }
    expect(answers.filter(({ status, json }) => status === 200 && !json.replayed)).toHaveLength(1);
    expect((await send({ message: "one key at once", key })).json).toMatchObject({ replayed: true });
    expect(countMailed()).toBe(before + 1);
  });

  test("may be sent again when the first was refused, was cancelled, or is older than a week", async () => {
    bench.provider.fail({ kind: "status", status: 400, path: "postcards/create" });
    expect((await send({ message: "refused" })).json.credits?.success).toBe(false);
    expect((await send({ message: "refused" })).json).toMatchObject({ error: null });

    const cancelled = await send({ message: "cancelled" });
    expect(await cancel(cancelled)).toBe(200);
    expect((await send({ message: "cancelled" })).json).toMatchObject({ error: null });

    const old = await send({ message: "old" });
    expect((await send({ message: "old" })).status).toBe(409);
    await changeAge(old.json.send_id, 7 * 24 + 1);
    expect((await send({ message: "old" })).json).toMatchObject({ error: null });
  });

  test("is also held back as a tested piece", async () => {
    const order = { type: "letter", payer: "payer", fields: { pages: "<p>Proved</p>" } } as const;
    const origin = consoles[0]?.origin ?? "";
    const first = await askForMail(origin, { ...order, key: "same-piece-first" });
    const tested = (await askForMail(origin, { ...order, test: true })).json.tested_piece?.id;
    const sendTested = (known: string | null | undefined) =>
      askForMail(origin, { ...order, envelope: { tested_piece_id: tested, known_duplicate: known } });
    const held = await sendTested(null);
    expect(held.json.duplicate_of).toEqual({ send_id: first.json.send_id, tested_piece_id: tested });
    expect((await sendTested(first.json.send_id)).json).toMatchObject({
      error: null,
      credits: { success: true },
    });
  });

  test("the books are consistent and agree with the provider", async () => {
    await bench.settle();
    expect(await bench.audit()).toMatchObject(ALL_WELL);
  });

  /** Blocks all of them before they store anything, so that a check without a lock finds nothing. */
  async function holdPayerDuring<T>(work: () => Promise<T>): Promise<T> {
    const waiting = () =>
      bench.inBooks(
        (db) => db.$queryRaw`
          SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
    // A session without the console's time limits, because the blocked requests may arrive late.
    const session = new pg.Client({ connectionString: bench.databaseUrl });
    await session.connect();
    try {
      await session.query("BEGIN; SELECT user_id FROM credit_accounts WHERE user_id = 'payer' FOR UPDATE");
      const running = work();
      await expect.poll(waiting).toHaveLength(AT_ONCE);
      return running;
    } finally {
      await session.end();
    }
  }

  async function readBalance(): Promise<number> {
    const reply = await fetch(`${consoles[0]?.origin}/api/credits?user_id=payer`, {
      headers: { Cookie: await cookieOf("ana") },
    });
    return ((await reply.json()) as { data: [{ credits: number }] }).data[0].credits;
  }

  async function cancel({ json }: MailAnswer): Promise<number> {
    const reply = await fetch(`${consoles[0]?.origin}/api/mail/cancel`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Cookie: await cookieOf("ana") },
      body: JSON.stringify({ userId: "payer", mailItemId: json.send_id, type: "postcard" }),
    });
    return reply.status;
  }

  async function changeAge(sendId: string | undefined, hours: number): Promise<void> {
    await bench.inBooks((db) =>
      db.send.update({
        where: { id: sendId ?? "" },
        data: { createdAt: new Date(Date.now() - hours * 3_600_000) },
      }),
    );
  }
});
