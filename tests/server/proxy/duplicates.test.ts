import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { erasePieces } from "~/pieces/erase-pieces.server";
import { SESSION_SECRET } from "../../support/console/console-process";
import { countBlocked } from "../../support/database/blocked";
import { setUpBench, setUpMailConsole } from "../../support/fixtures";
import { ALL_WELL } from "../../support/money/audit";
import { askForMail, type MailAnswer, type MailRequest, RECIPIENT } from "../../support/money/calls";

const SENT_BEFORE =
  /^[^,]+ sent this (postcard|letter) to this address (just now|\d+ minutes? ago) \(mail ID \d+\)\. Nothing was sent and nothing was charged\.$/;
/** Each waits with a database connection, of which a console has few. */
const AT_ONCE = 4;

let count = 0;
const bench = await setUpBench();
const STANNP_BASE_URLS = `US=${bench.provider.baseUrl},Global=${bench.provider.origin}/global/v1`;
const variables = { SESSION_SECRET, STANNP_TIMEOUT_MS: "20000", STANNP_BASE_URLS };
const app = await setUpMailConsole(bench.databaseUrl, { variables });
beforeAll(async () => {
  for (const user of ["payer", "other"]) await bench.grant(user, 100);
});

/** A send with a new key; `known` false: the check for duplicates is off. */
function send(
  order: Partial<MailRequest> & { message: string },
  known: string | null | false = null,
): Promise<MailAnswer> {
  const { message, fields, envelope, ...rest } = order;
  return askForMail(app.origin, {
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
  const balance = await app.balance("payer");

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
  expect(await app.balance("payer")).toBe(balance);

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
    { message: "two", fields: { recipient: { ...RECIPIENT, lastname: " LOPEZ", city: "austin " } } },
  ];
  for (const variant of variants) {
    const { status, json } = await send(variant);
    expect([status, json.duplicate_of?.send_id], JSON.stringify(variant)).toEqual([409, first.json.send_id]);
  }
  const others: (Partial<MailRequest> & { message: string })[] = [
    { message: "Two" },
    { message: "two", fields: { size: "6x9" } },
    { message: "two", fields: { recipient: { ...RECIPIENT, address1: "2 High St" } } },
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
  const { firstname, lastname, ...rest } = RECIPIENT;
  const bracketed = Object.fromEntries(
    Object.entries({ ...RECIPIENT, code: "7" }).map(([name, value]) => [`recipient[${name}]`, value]),
  );
  const asForm = { headers: { "Content-Type": "application/x-www-form-urlencoded" } };
  const mailed: Partial<MailRequest>[] = [
    { fields: { recipient: { ...RECIPIENT, code: "7" } } },
    { fields: { recipient: { ...RECIPIENT, code: "8" } } },
    { fields: { recipient: { ...RECIPIENT, company: "Lopez" } } },
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

test("is mailed once for concurrent requests", async () => {
  const before = countMailed();
  const ask = () =>
    Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) => send({ message: "at once", caller: `caller${n}` })),
    );
  const answers = await holdPayerDuring(ask);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(AT_ONCE - 1).fill(409)]);
  expect(countMailed()).toBe(before + 1);
});

test("with one key in concurrent requests is one send, and never its own duplicate", async () => {
  const before = countMailed();
  const key = "same-piece-one-key";
  const ask = () =>
    Promise.all(Array.from({ length: AT_ONCE }, () => send({ message: "one key at once", key })));
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

  const key = "cancelled-before-its-repeat";
  const cancelled = await send({ message: "cancelled", key });
  const order = { userId: "payer", mailItemId: cancelled.json.send_id, type: "postcard" };
  await bench.sql`UPDATE sends SET state = 'cancelling', cancel_asked_at = now() WHERE id = ${order.mailItemId}`;
  expect(await send({ message: "cancelled", key })).toMatchObject({ status: 202, json: { pending: true } });
  await bench.sql`UPDATE sends SET state = 'accepted', cancel_asked_at = NULL WHERE id = ${order.mailItemId}`;
  expect((await app.post("/api/mail/cancel", order)).status).toBe(200);
  const repeated = await send({ message: "cancelled", key });
  expect(repeated.json).toMatchObject({ error: expect.anything(), credits: { success: false } });
  await app.db((db) => db.$transaction((tx) => erasePieces(tx, [order.mailItemId ?? ""])));
  expect(await send({ message: "cancelled", key })).toMatchObject({
    status: 422,
    json: { error: expect.stringMatching("erased") },
  });
  expect((await send({ message: "cancelled" })).json).toMatchObject({ error: null });

  bench.provider.fail({ kind: "answer-live", path: "postcards/create" });
  const mailed = await send({ message: "mailed test", test: true });
  expect((await send({ message: "mailed test" })).json.duplicate_of?.send_id).toBe(mailed.json.send_id);

  const old = await send({ message: "old" });
  expect((await send({ message: "old" })).status).toBe(409);
  await changeAge(old.json.send_id, 7 * 24 + 1);
  expect((await send({ message: "old" })).json).toMatchObject({ error: null });
});

test("the books are consistent and agree with the provider", async () => {
  expect(await bench.audit()).toMatchObject(ALL_WELL);
});

/** Blocks all of them before they store anything, so that a check without a lock finds nothing. */
async function holdPayerDuring<T>(work: () => Promise<T>): Promise<T> {
  // A session without the console's time limits, because the blocked requests may arrive late.
  const session = new pg.Client({ connectionString: bench.databaseUrl });
  await session.connect();
  try {
    await session.query("BEGIN; SELECT user_id FROM credit_accounts WHERE user_id = 'payer' FOR UPDATE");
    const running = work();
    await expect.poll(() => bench.inBooks(countBlocked)).toBe(AT_ONCE);
    return running;
  } finally {
    await session.end();
  }
}

async function changeAge(sendId: string | undefined, hours: number): Promise<void> {
  await bench.inBooks((db) =>
    db.send.update({
      where: { id: sendId ?? "" },
      data: { createdAt: new Date(Date.now() - hours * 3_600_000) },
    }),
  );
}
