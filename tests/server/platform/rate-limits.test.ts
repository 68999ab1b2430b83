import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RECIPIENT } from "../../support/console/mail-console";
import { makeSessionCookie } from "../../support/console/session-cookie";
import { setUpConsoles } from "../../support/fixtures";
import { readProcessMs } from "../../support/own-time";

/** A caller over its limit is refused, and the others are not affected. */

const JSON_TYPE = { "Content-Type": "application/json" };
const { provider, app } = await setUpConsoles({
  STANNP_WEBHOOK_SECRET: "hook-limits-00001",
  STANNP_CONCURRENCY: "1",
  RATE_LIMITS: "read=40,write=5,export=3,sign-in=4,send=1000",
  MAX_CONNECTIONS: "200",
});
beforeAll(() => ask("/users", "first"));
afterAll(() => expect(app.errors).toEqual([]));

async function ask(path: string, who: string | null, init: RequestInit = {}) {
  const headers = new Headers(init.headers);
  if (who !== null) headers.set("Cookie", await makeSessionCookie(who));
  return fetch(app.origin + path, { redirect: "manual", ...init, headers });
}

/** The statuses of `times` requests, one after the other. */
async function askOften(times: number, path: string, who: string | null, init: RequestInit = {}) {
  const statuses: number[] = [];
  for (let at = 0; at < times; at++) {
    const reply = await ask(path, who, init);
    await reply.arrayBuffer();
    statuses.push(reply.status);
  }
  return statuses;
}

test("a person over the limit receives the time to retry, on pages and in JSON; others are answered", async () => {
  expect(new Set(await askOften(40, "/users", "ana"))).toEqual(new Set([200]));
  const page = await ask("/users", "ana");
  expect(page.status).toBe(429);
  expect(Number(page.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(Number(page.headers.get("Retry-After"))).toBeLessThanOrEqual(60);
  expect(page.headers.get("Content-Type")).toContain("text/plain");
  const json = await ask("/api/users", "ana");
  expect(json.status).toBe(429);
  expect(await json.json()).toMatchObject({ success: false, error: expect.any(String) });
  // Another kind of request has its own limit; another session of the same person shares it.
  expect((await ask("/stored.csv", "ana")).status).toBe(200);
  expect((await ask("/users", "ben")).status).toBe(200);
  expect((await ask("/users", null)).status).toBe(200);
});

test("each kind of request has its own limit", async () => {
  const adjust = { method: "POST", headers: JSON_TYPE, body: "{}" };
  expect(await askOften(6, "/api/credits", "cleo", adjust)).toEqual([400, 400, 400, 400, 400, 429]);
  expect((await askOften(4, "/mail/items.csv", "cleo"))[3]).toBe(429);
  expect((await ask("/users", "cleo")).status).toBe(200);
  expect((await askOften(5, "/api/auth/login", null))[4]).toBe(429);
});

test("monitoring and the provider's events are always answered", async () => {
  expect(new Set(await askOften(60, "/healthz", null))).toEqual(new Set([200]));
  const event = { method: "POST", headers: JSON_TYPE, body: "{}" };
  expect(await askOften(60, "/api/stannp/webhook", null, event)).not.toContain(429);
});

test("sends queue for the provider without a hold, and receive the time to wait when the queue is full", async () => {
  const held = provider.fail({ kind: "hold", path: "postcards/create" });
  const body = { size: "4x6", template: "21001", recipient: RECIPIENT, test: true };
  const countCalls = () => provider.received.filter(({ path }) => path.includes("postcards/create")).length;
  const send = () =>
    ask("/api/stannp", "dora", {
      method: "POST",
      headers: JSON_TYPE,
      body: JSON.stringify({ method: "POST", path: "postcards/create", body }),
    });
  const first = send();
  await expect.poll(countCalls).toBe(1);
  // Four may wait for each call under way.
  const refusals: Response[] = [];
  const waiting = Array.from({ length: 9 }, async () => {
    const reply = await send();
    if (reply.status === 503) refusals.push(reply);
    return reply;
  });
  await expect.poll(() => refusals.length).toBe(5);
  const [refused = new Response()] = refusals;
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ success: false });
  held.release();
  const statuses = (await Promise.all([first, ...waiting])).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(5);
  expect(statuses.filter((status) => status === 503)).toHaveLength(5);
  expect(countCalls()).toBe(5);
});

test("silent sockets are limited and closed", async () => {
  const port = Number(new URL(app.origin).port);
  const sockets: Socket[] = [];
  let closed = 0;
  for (let at = 0; at < 120; at++) {
    const socket = connect(port, "127.0.0.1");
    socket
      .on("error", () => undefined)
      .on("close", () => closed++)
      .resume();
    socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n");
    sockets.push(socket);
  }
  // A quarter of all connections may come from one address.
  await expect.poll(() => closed).toBeGreaterThanOrEqual(70);
  // Headers that do not end.
  await expect.poll(() => closed).toBe(120);
  expect((await ask("/healthz", null)).status).toBe(200);
});

test("a slow body is aborted", async () => {
  const pending = ask("/preferences", "emil", {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode("theme=")) }),
    duplex: "half",
  } as RequestInit);
  const reply = await pending;
  expect(reply.status).toBe(400);
});

test("a flood of one person costs a fraction of its requests, and the others are served", async () => {
  let startedAt = readProcessMs(app.pid);
  expect(new Set(await askOften(40, "/users", "fay"))).toEqual(new Set([200]));
  const pageMs = (readProcessMs(app.pid) - startedAt) / 40;

  const answers = { served: 0, refused: 0 };
  let ended = false;
  const flood = async () => {
    while (!ended) {
      const reply = await ask("/users", "greg");
      await reply.arrayBuffer();
      answers[reply.status === 200 ? "served" : "refused"]++;
    }
  };
  startedAt = readProcessMs(app.pid);
  const flooding = Promise.all(Array.from({ length: 20 }, flood));
  await expect.poll(() => answers.refused).toBeGreaterThan(0);
  expect(new Set(await askOften(10, "/users", "hal"))).toEqual(new Set([200]));
  await expect.poll(() => answers.refused).toBeGreaterThan(500);
  ended = true;
  await flooding;
  const refusedMs = readProcessMs(app.pid) - startedAt - (answers.served + 10) * pageMs;
  expect(refusedMs / answers.refused).toBeLessThan(pageMs / 2);
});
