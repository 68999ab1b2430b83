import { afterEach, expect, test } from "vitest";
import { type MailProvider, startMailProvider } from "../../emulators/mail-provider";

/** What the emulator does beside the provider's reference, each switched on by itself. */
const KEYS = ["behaviour-key-1", "behaviour-key-2"];
const FIRST_ID = 500;
const MINUTE_MS = 60_000;
const NOW = Date.parse("2026-01-05T09:00:00Z");

let provider: MailProvider;
let nowMs: number;
afterEach(() => provider?.close());

async function start(rateLimitPerMinute = 10_000): Promise<void> {
  nowMs = NOW;
  const otherAccounts = [{ apiKey: KEYS[1] ?? "" }];
  const options = { otherAccounts, firstPieceId: FIRST_ID, now: () => nowMs, rateLimitPerMinute };
  provider = await startMailProvider({ apiKey: KEYS[0] ?? "", ...options });
}

async function call(path: string, body: object | null, account = 0) {
  const response = await fetch(`${provider.baseUrl}/${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      authorization: `Basic ${Buffer.from(`${KEYS[account]}:`).toString("base64")}`,
      "content-type": "application/json",
    },
    body: body && JSON.stringify(body),
  });
  const { success, data } = await response.json();
  return { status: response.status, headers: response.headers, success, data };
}

const send = (more: object = {}, account = 0) =>
  call("postcards/create", { recipient: "1001", template: "21001", ...more }, account);
const list = async (account = 0, tag = "") =>
  (await call(`reporting/list/2026-01-05/2026-01-06/all${tag && `/${tag}`}`, null, account)).data.singles;
const ids = () => provider.pieces.map(({ id }) => id);

test("accounts are told apart by their keys, and may have pieces of equal ids", async () => {
  await start();
  const sent = [await send({ tags: "first" }), await send({ tags: "second" }, 1)];
  expect(sent.map(({ data }) => data.id)).toEqual([FIRST_ID, FIRST_ID]);
  expect(provider.pieces.map(({ accountId }) => accountId)).toEqual(["4817", "4818"]);
  const listed = [await list(0, "first"), await list(1, "second")];
  expect(listed.map(([piece]) => piece.id)).toEqual([FIRST_ID, FIRST_ID]);
  expect(await list(0, "second")).toEqual([]);
});

test("an account's events go to the webhook of all", async () => {
  await start();
  provider.webhooks.target = { url: "http://127.0.0.1:9", secret: "s" };
  provider.webhooks.mode = "kept";
  await send({ tags: "first" });
  await send({ tags: "second" }, 1);
  provider.move(FIRST_ID, "cancelled", 1);
  const [piece] = provider.webhooks.kept.flatMap(({ mailpieces }) => mailpieces ?? []);
  expect(piece).toMatchObject({ id: FIRST_ID, status: "cancelled", tags: "second" });
  expect(provider.pieces.map(({ status }) => status)).toEqual(["received", "cancelled"]);
});

test("a key is compared with its request, alone, or among all accounts", async () => {
  await start();
  const key = { idempotency_key: "one-key-for-all" };
  expect((await send(key)).status).toBe(200);
  expect((await send({ ...key, message: "other" })).status).toBe(422);
  provider.behave({ idempotency: "key" });
  expect(await send({ ...key, message: "other" })).toMatchObject({ status: 409, success: true });
  expect((await send(key, 1)).status).toBe(200);
  provider.behave({ idempotency: "all-accounts" });
  const shared = { idempotency_key: "another-key-for-all" };
  expect((await send(shared)).status).toBe(200);
  expect((await send(shared, 1)).status).toBe(409);
  expect(ids()).toEqual([FIRST_ID, FIRST_ID + 1, FIRST_ID]);
});

test.each([
  [{ tagsKept: 1 }, "a1"],
  [{ tagsKept: 3 }, "a1,b22,c333"],
  [{ tagCharsKept: 1 }, "a"],
  [{ tagCharsKept: 3 }, "a1,"],
  [{ tagsReversed: true }, "d4444,c333,b22,a1"],
])("tags are kept as %o says", async (behaviour, kept) => {
  await start();
  provider.behave(behaviour);
  expect((await send({ tags: "a1,b22,c333,d4444" })).data.tags).toBe(kept);
  expect((await list())[0].tags).toBe(kept);
});

test("a list that is late has a piece only after the delay", async () => {
  await start();
  provider.behave({ listDelayMs: 60_000 });
  await send({ tags: "late" });
  nowMs += 59_999;
  expect(await list(0, "late")).toEqual([]);
  nowMs += 1;
  expect(await list(0, "late")).toHaveLength(1);
});

test.each([
  ["seconds", "46"],
  ["epoch-seconds", String((NOW + MINUTE_MS) / 1000)],
  ["epoch-ms", String(NOW + MINUTE_MS)],
  ["negative", "-46"],
  ["absent", null],
] as const)("the end of the minute is spelt in %s", async (resetHeader, spelt) => {
  await start(1);
  provider.behave({ resetHeader });
  await send();
  nowMs += 14_000;
  const minute = await send();
  const ordered = provider.fail({ kind: "rate-limit", resetSeconds: 46 });
  const both = [minute, await send()];
  expect(ordered.hits).toBe(1);
  expect(both.map(({ status }) => status)).toEqual([429, 429]);
  expect(both.map(({ headers }) => headers.get("x-ratelimit-reset"))).toEqual([spelt, spelt]);
});

test("an answer comes without an id, or with that of the piece before", async () => {
  await start();
  provider.behave({ answeredId: "none" });
  expect((await send()).data.id).toBeUndefined();
  provider.behave({ answeredId: "repeated" });
  expect((await send()).data.id).toBe(FIRST_ID);
  expect(ids()).toEqual([FIRST_ID, FIRST_ID + 1]);
});

test("while it hangs nothing is done; a reset makes it as documented again", async () => {
  await start();
  provider.behave({ hangs: true });
  const signal = AbortSignal.timeout(200);
  await expect(fetch(provider.baseUrl, { method: "POST", body: "", signal })).rejects.toThrow();
  expect(provider.pieces).toEqual([]);
  provider.reset();
  expect((await send()).status).toBe(200);
});
