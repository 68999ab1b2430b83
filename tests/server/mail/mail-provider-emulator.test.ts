import { afterEach, describe, expect, test } from "vitest";
import {
  type MailProvider,
  type MailProviderOptions,
  startMailProvider,
} from "../../emulators/mail-provider";
import type { FaultRule } from "../../emulators/mail-provider/faults/fault-rule";

/** Behaviour that other tests rely on: a fault without effect would let them pass without proof. */
const KEY = "sk_emulator+key/0001=";
const MINUTE_MS = 60_000;

let provider: MailProvider;
let nowMs = Date.parse("2026-01-05T09:00:00Z");
afterEach(() => provider.close());

async function start(options: Partial<MailProviderOptions> = {}): Promise<void> {
  provider = await startMailProvider({
    apiKey: KEY,
    rateLimitPerMinute: 10_000,
    now: () => nowMs,
    ...options,
  });
}

async function call(path: string, body?: object, init: RequestInit = {}) {
  const reply = await fetch(`${provider.baseUrl}/${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      Authorization: `Basic ${Buffer.from(`${KEY}:`).toString("base64")}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify(body),
    redirect: "manual",
    ...init,
  });
  const text = await reply.text();
  const json = /^[{[]/.test(text) ? JSON.parse(text) : null;
  return { status: reply.status, headers: reply.headers, text, success: json?.success, data: json?.data };
}

const postcard = (fields: object = {}) => ({ recipient: "1001", template: "21001", ...fields });
const send = (fields: object = {}, init: RequestInit = {}) =>
  call("postcards/create", postcard(fields), init);

test("a repeated key gets the first answer, another request with it 422, and after a day it is free", async () => {
  await start();
  const key = { idempotency_key: "send-000000000001" };
  const first = await send(key);
  expect(await send(key)).toMatchObject({ status: 409, text: first.text });
  expect((await send({ ...key, message: "other" })).status).toBe(422);
  expect(provider.pieces).toHaveLength(1);
  nowMs += 24 * 60 * MINUTE_MS;
  expect((await send(key)).status).toBe(200);
});

test("concurrent requests with one key make one piece, and are reported", async () => {
  await start();
  const fault = provider.fail({ kind: "hold", path: "postcards/create" });
  const sends = [1, 2, 3].map(() => send({ idempotency_key: "send-000000000001" }));
  await expect.poll(() => provider.received.length).toBe(3);
  fault.release();
  expect((await Promise.all(sends)).map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(provider.pieces).toHaveLength(1);
  expect(provider.overlappingKeys).toContain("send-000000000001");
});

test.each<[FaultRule, answered: number | null, pieces: number]>([
  [{ kind: "status", status: 418 }, 418, 0],
  [{ kind: "refuse200" }, 200, 0],
  [{ kind: "html", status: 413 }, 413, 0],
  [{ kind: "redirect", location: "https://elsewhere.example/" }, 302, 0],
  [{ kind: "rate-limit" }, 429, 0],
  [{ kind: "respond", status: 201, body: "raw" }, 201, 0],
  [{ kind: "echo-key" }, 200, 0],
  [{ kind: "reset-before" }, null, 0],
  [{ kind: "reset-after" }, null, 1],
  [{ kind: "error-after" }, 500, 1],
  [{ kind: "unreadable" }, 200, 1],
  [{ kind: "truncate" }, null, 1],
  [{ kind: "slow", delayMs: 1 }, 200, 1],
  [{ kind: "timeout", moment: "before" }, null, 0],
  [{ kind: "timeout", moment: "after" }, null, 1],
  [{ kind: "answer-test" }, 200, 1],
  [{ kind: "answer-live" }, 200, 1],
])("a fault %o answers %s and mails %i, once", async (rule, answered, pieces) => {
  await start();
  const fault = provider.fail({ ...rule, path: "postcards/(create|cancel)" });
  const caller = new AbortController();
  const answer = send({}, { signal: caller.signal }).catch(() => null);
  await expect.poll(() => fault.hits).toBe(1);
  await expect.poll(() => provider.pieces.length).toBe(pieces);
  if (rule.kind === "timeout") caller.abort();
  expect((await answer)?.status ?? null).toBe(answered);
  if (rule.kind === "echo-key") expect((await answer)?.text).toContain(KEY);
  expect((await send()).status).toBe(200);
});

describe("a behaviour", () => {
  const listTags = async () =>
    (await call("reporting/list/2026-01-01/2026-01-31/all")).data.singles.map(
      ({ tags }: { tags: string }) => tags,
    );

  test.each([
    [{ tagsKept: 1 }, "a1"],
    [{ tagCharsKept: 3 }, "a1,"],
    [{ tagsReversed: true }, "d4444,c333,b22,a1"],
    [{ listDelayMs: MINUTE_MS }, null],
  ])("%o lists the tags as %s", async (behaviour, listed) => {
    await start();
    provider.behave(behaviour);
    await send({ tags: "a1,b22,c333,d4444" });
    const tags = await listTags();
    expect(tags.includes(listed ?? "a1,b22,c333,d4444")).toBe(listed !== null);
    provider.reset();
    await send({ tags: "a1,b22" });
    expect(await listTags()).toContain("a1,b22");
  });
});
