import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type MailProvider, startMailProvider } from "../../emulators/mail-provider";
import { findFreePort } from "../../support/console/console-process";
import { MAIL_KEY, RECIPIENT } from "../../support/console/mail-console";
import { ANA } from "../../support/console/payment-console";
import { setUpMailConsole, setUpPostgres } from "../../support/fixtures";
import { CREATE_PATH } from "../../support/money/lone-sends";

/** A key is free again only after a send that certainly did not reach the provider. */

const BODY = { size: "4x6", template: "21001", recipient: RECIPIENT };
const DAY_MS = 86_400_000;

const postgres = await setUpPostgres();
// Free for a provider that starts later.
const port = await findFreePort();
let provider: MailProvider | null = null;
const app = await setUpMailConsole(await postgres.createDatabase(), {
  variables: { STANNP_BASE_URLS: `US=http://127.0.0.1:${port}/v1` },
});
beforeAll(() => app.grant(ANA.id, 20));
afterEach(() => vi.useRealTimers());
afterAll(() => provider?.close());

/** Starts a provider with a correct clock; the test changes only this process's clock. */
const startProvider = async () => {
  provider ??= await startMailProvider({
    apiKey: MAIL_KEY,
    port,
    statusStepMs: 0,
    now: () => performance.timeOrigin + performance.now(),
  });
  return provider;
};
const send = (key: string, fields: Record<string, unknown> = {}) =>
  app.proxy({
    path: "postcards/create",
    body: { ...BODY, ...fields },
    user_id: ANA.id,
    idempotency_key: key,
  });
const loadSends = () => app.db((db) => db.send.findMany({ orderBy: { createdAt: "asc" } }));

test("the same key after a provider that could not be reached is sent once, under a new id", async () => {
  const key = "unreachable-at-first";
  const first = await send(key);
  expect(first).toMatchObject({ status: 502, json: { credits: { success: false, creditsDeducted: 0 } } });
  expect((await send(key, { message: "Other" })).status).toBe(422);
  const late = await startProvider();
  const again = await Promise.all([send(key), send(key), send(key)]);
  const [mailed, ...more] = again.filter(({ json }) => json.credits?.success && !json.replayed);
  expect(more).toEqual([]);
  expect(late.pieces).toHaveLength(1);
  const sends = await loadSends();
  expect(sends.map(({ state, releaseCause }) => [state, releaseCause])).toEqual([
    ["refused", "unreachable"],
    ["accepted", null],
  ]);
  expect(late.received.map(({ headers }) => headers["x-idempotency-key"])).toEqual([sends[1]?.id]);
  expect((await send(key)).json).toMatchObject({ replayed: true, send_id: mailed?.json.send_id });
  expect(await app.findErrors()).toEqual([]);
});

test("the same key after any other release is answered and not sent again", async () => {
  const late = await startProvider();
  const before = late.pieces.length;
  late.fail({ kind: "reset-before", path: CREATE_PATH });
  expect((await send("released-by-people")).status).toBe(202);
  const { decideNotMailed } = await import("~/pieces/send/send-transitions.server");
  const { askForReview } = await import("~/pieces/send/retry-transitions.server");
  const id = (await loadSends()).at(-1)?.id ?? "";
  await app.db((db) => askForReview(db, id, "the provider cannot tell"));
  await app.db((db) => decideNotMailed(db, id, ANA.id, "Ana says it was not mailed."));
  expect(await send("released-by-people")).toMatchObject({
    status: 200,
    json: { replayed: true, send_id: id },
  });
  expect(late.pieces).toHaveLength(before);
});

test.each(["list:0b9e:2:0", "tested:0b9e0b9e", "lost-0b9e0b9e", "unexpected-0b9e"])(
  "a caller cannot use the key %s, which only Mailroom creates",
  async (key) => {
    const before = (await loadSends()).length;
    expect((await send(key)).status).toBe(400);
    expect((await send(key, { test: true })).status).toBe(400);
    expect(await loadSends()).toHaveLength(before);
  },
);

test("a process whose clock is days behind does not release a mailed piece as not listed", async () => {
  (await startProvider()).fail({ kind: "reset-after", path: CREATE_PATH });
  expect((await send("mailed-long-ago")).status).toBe(202);
  const id = (await loadSends()).at(-1)?.id ?? "";
  await app.sql`
    UPDATE sends SET created_at = now() - interval '24 hours 5 minutes', lease_until = now() WHERE id = ${id}`;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 5 * DAY_MS });
  await app.recoverSends();
  expect(await app.db((db) => db.send.findUnique({ where: { id } }))).toMatchObject({ state: "accepted" });
  expect(await app.findErrors()).toEqual([]);
});
