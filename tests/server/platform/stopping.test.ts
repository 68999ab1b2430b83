import { beforeAll, expect, test } from "vitest";
import type { ConsoleProcess } from "../../support/console/console-process";
import { setUpBench } from "../../support/fixtures";
import { ALL_WELL } from "../../support/money/audit";
import { askForMail, askUntilSettled, type MailAnswer } from "../../support/money/calls";
import { CREATE_PATH } from "../../support/money/lone-sends";
import { promisedMs } from "../../support/own-time";

/** A process that receives SIGTERM while it works. */

const EXIT_LIMIT_MS = promisedMs(15_000);
/** The timeout of production consoles; a process that stops ends calls earlier. */
const CALLS = { STANNP_TIMEOUT_MS: "60000" };

const bench = await setUpBench();
beforeAll(() => bench.grant("auth-ana", 500));
const ready = async ({ origin }: ConsoleProcess) => (await fetch(`${origin}/readyz`)).status;
const order = (n: number | string) => ({
  type: "postcard" as const,
  key: `stopping-${n}`,
  payer: "auth-ana",
});

test("under load: every send is answered or never started, and nothing is lost", async () => {
  const first = await bench.start(CALLS);
  const slow = bench.provider.fail({ kind: "slow", delayMs: 150, path: CREATE_PATH, times: "always" });
  const keys: number[] = [];
  const answers: Promise<MailAnswer>[] = [];
  let stopped: Promise<number | null> | undefined;
  const send = async () => {
    while (first.isRunning()) {
      keys.push(keys.length);
      const call = askForMail(first.origin, order(keys.length - 1));
      answers.push(call);
      if (keys.length === 30) stopped = first.stop();
      if ((await call).status === null) return;
    }
  };
  await Promise.all(Array.from({ length: 10 }, send));
  expect(await stopped).toBe(0);
  slow.release();
  expect(first.errors).toEqual([]);

  const settled = await Promise.all(answers);
  expect(settled.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(20);
  expect(settled.filter(({ status }) => status !== 200 && status !== null)).toEqual([]);
  // A send without an answer was not started: a retry mails it once.
  const next = await bench.start(CALLS);
  const again = await Promise.all(keys.map((n) => askUntilSettled(next.origin, order(n))));
  expect(again.every(({ json }) => json.credits?.success)).toBe(true);
  expect(await bench.audit()).toMatchObject({ ...ALL_WELL, accepted: keys.length, pieces: keys.length });
  const stored = await bench.inBooks((db) =>
    db.storedResponse.count({ where: { tags: { has: "auto-saved" } } }),
  );
  expect(stored).toBeGreaterThanOrEqual(settled.filter(({ status }) => status === 200).length);
  await next.stop();
});

test("a call that takes too long is left to another process, which finishes it", async () => {
  const first = await bench.start(CALLS);
  const before = (await bench.audit()).pieces;
  const held = bench.provider.fail({ kind: "hold", moment: "after", path: CREATE_PATH });
  const call = askForMail(first.origin, order("held"));
  await expect.poll(() => held.hits).toBe(1);
  const startedAt = performance.now();
  const stopped = first.stop();
  const answer = await call;
  expect(answer.status).toBe(202);
  expect(answer.json.pending).toBe(true);
  expect(await stopped).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(EXIT_LIMIT_MS);
  held.release();

  const next = await bench.start(CALLS);
  await bench.settle();
  const { json } = await askForMail(next.origin, order("held"));
  expect(json).toMatchObject({ replayed: true, credits: { success: true } });
  expect(await bench.audit()).toMatchObject({ ...ALL_WELL, pieces: before + 1 });
  await next.stop();
});

test("behind a proxy it keeps idle connections longer than the proxy, until it says that it is not ready", async () => {
  const console = await bench.start({ ...CALLS, STOP_DELAY_MS: "1500", TRUST_PROXY: "1" });
  const before = await fetch(`${console.origin}/readyz`);
  expect(before.status).toBe(200);
  expect(before.headers.get("Keep-Alive")).toBe("timeout=130");
  const stopped = console.stop();
  await expect.poll(() => ready(console)).toBe(503);
  const page = await fetch(`${console.origin}/users`);
  expect(page.status).toBe(200);
  expect(page.headers.get("Connection")).toBe("close");
  expect(await stopped).toBe(0);
});

test("one id leads from the caller's request to the call of the provider", async () => {
  const console = await bench.start(CALLS);
  const lines = () => console.output.map((line) => JSON.parse(line) as Record<string, unknown>);
  await askForMail(console.origin, order("id"));
  const find = (event: string, about: object = {}) =>
    lines().find(
      (line) => line.msg === event && Object.entries(about).every(([key, value]) => line[key] === value),
    );
  await expect.poll(() => find("http.request", { path: "/api/stannp" })).toBeTruthy();
  const request = find("http.request", { path: "/api/stannp" });
  const called = find("provider.called");
  expect(called?.requestId).toBe(request?.requestId);
  expect(called?.sendId).toMatch(/^[0-9a-f]{32}$/);

  const named = await fetch(`${console.origin}/healthz`, { headers: { "X-Request-Id": "edge-0123456789" } });
  expect(named.headers.get("X-Request-Id")).toBe("edge-0123456789");
  const odd = await fetch(`${console.origin}/healthz`, { headers: { "X-Request-Id": '"}{<b>' } });
  expect(odd.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);

  const report = find("process.configured");
  expect(report?.configured).toContain("STANNP_API_KEY");
  expect(report?.missing).toContain("STRIPE_SECRET_KEY");
  expect(JSON.stringify(report)).not.toContain("emulator-key");
  await console.stop();
});
