import { beforeAll, expect, test } from "vitest";
import type { ConsoleProcess } from "../../support/console/console-process";
import { setUpBench } from "../../support/fixtures";
import { ALL_WELL } from "../../support/money/audit";
import { adjustCredits, askForMail, type MailRequest, readCredits } from "../../support/money/calls";
import {
  askToCancel,
  type MailedPiece,
  mailPiece,
  ROUTES_BEFORE_STORING,
} from "../../support/money/cancel-routes";
import { howMany } from "../../support/money/how-many";
import { CREATE_PATH } from "../../support/money/lone-sends";
import { createRandom } from "../../support/random";

/** Concurrent sends and adjustments at two processes. */
const SENDS = howMany({ short: 100, long: 400 });
const ACTS = howMany({ short: 150, long: 1_000 });
/** Cancelled pieces, some of them cancelled more than once. */
const PIECES = howMany({ short: 12, long: 40 });
/** Low enough to run out. */
const BUSY_CREDITS = howMany({ short: 60, long: 300 });

const bench = await setUpBench();
const consoles: ConsoleProcess[] = [];
const origin = (n: number) => consoles[n % consoles.length]?.origin ?? "";

beforeAll(async () => {
  await bench.grant("fifty", 50);
  await bench.grant("busy", BUSY_CREDITS);
  await bench.grant("keys", 300);
  // High enough that this slow machine does not look like a provider that does not answer. All callers share one
  // address, which may open a quarter of the sockets.
  const patient = { STANNP_TIMEOUT_MS: "30000", MAX_CONNECTIONS: String(4 * ACTS) };
  for (let n = 0; n < 2; n++) consoles.push(await bench.start(patient));
});

test(`${SENDS} sends of cost 1 and 2 on a balance of 50: exactly what is affordable, no 5xx`, async () => {
  const answers = await Promise.all(
    Array.from({ length: SENDS }, (_, n) =>
      askForMail(origin(n), { ...mail(n % 3 !== 0), payer: "fifty", key: `parallel-${n}` }),
    ),
  );
  expect(countStatuses(answers)).toEqual({ 200: expect.any(Number), 402: expect.any(Number) });
  const charged = sum(answers.map(({ json }) => json.credits?.creditsDeducted ?? 0));
  expect(charged).toBe(50);
  const mailed = answers.filter(({ status }) => status === 200);
  expect(mailed.every(({ json }) => json.credits?.success)).toBe(true);
  expect(bench.provider.pieces).toHaveLength(mailed.length);
});

test("one key 50 times at once is one piece; another body is refused; another person's keys are separate", async () => {
  const order = { type: "letter" as const, payer: "keys", key: "one-key-for-all" };
  const hold = bench.provider.fail({ kind: "hold", path: CREATE_PATH });
  const before = bench.provider.pieces.length;
  const first = Array.from({ length: 50 }, (_, n) => askForMail(origin(n), order));
  await expect.poll(() => hold.hits).toBe(1);
  const others = await Promise.all(
    Array.from({ length: 10 }, (_, n) => askForMail(origin(n), { ...order, type: "postcard" })),
  );
  expect(countStatuses(others)).toEqual({ 422: 10 });
  const ben = askForMail(origin(1), { ...order, caller: "ben" });
  hold.release();
  expect((await ben).json).toMatchObject({ credits: { success: true }, status: 200 });
  expect((await ben).json.replayed).toBeUndefined();
  const answers = await Promise.all(first);
  const done = answers.filter(({ status }) => status === 200);
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  expect(done.filter(({ json }) => json.replayed === undefined)).toHaveLength(1);
  expect(bench.provider.pieces.length - before).toBe(2);
});

test(`${ACTS} mixed adds, deducts, sends and cancels on one user`, async () => {
  const random = createRandom(2);
  const mailed: MailedPiece[] = [];
  for (let n = 0; n < PIECES; n++)
    mailed.push(await mailPiece(origin(n), { ...mail(n % 2 === 0), payer: "busy" }));
  const start = await readCredits(origin(0), "ana", "busy");
  const acts = Array.from({ length: ACTS }, (_, n) => ({
    n,
    dice: random(),
    amount: 1 + Math.floor(random() * 5),
    piece: mailed[Math.floor(random() * mailed.length)] as MailedPiece,
  }));
  const before = bench.provider.pieces.length;
  const act = async ({ n, dice, amount, piece }: (typeof acts)[number]) => {
    if (dice >= 0.8) {
      const route = ROUTES_BEFORE_STORING[n % ROUTES_BEFORE_STORING.length] ?? "the proxy";
      const { status, refunded } = await askToCancel(origin(n), route, piece);
      return { status, change: refunded ?? 0, mailed: false };
    }
    if (dice >= 0.4) {
      const order = { ...mail(dice > 0.6), payer: "busy", key: `mixed-send-${n}` };
      const { status, json } = await askForMail(origin(n), order);
      return { status, change: -(json.credits?.creditsDeducted ?? 0), mailed: status === 200 };
    }
    const action = dice < 0.15 ? "add" : "deduct";
    const { status } = await adjustCredits(origin(n), "ana", { action, amount, userId: "busy" });
    return { status, change: status !== 200 ? 0 : action === "add" ? amount : -amount, mailed: false };
  };
  const moves = await Promise.all(acts.map(act));
  // 303: the tab's form redirects to the tab; 402: too few credits; 409: being cancelled, when two cancels meet.
  expect({ 409: 0, ...countStatuses(moves) }).toEqual({
    200: expect.any(Number),
    303: expect.any(Number),
    402: expect.any(Number),
    409: expect.any(Number),
  });
  expect(bench.provider.pieces.length - before).toBe(moves.filter(({ mailed }) => mailed).length);
  expect(await readCredits(origin(0), "ana", "busy")).toBe(start + sum(moves.map(({ change }) => change)));
  const cancelled = new Set(acts.filter(({ dice }) => dice >= 0.8).map(({ piece }) => piece.id));
  const refunds = mailed.filter(({ id }) => cancelled.has(id)).map(({ type }) => (type === "letter" ? 2 : 1));
  expect(sum(moves.filter((_, n) => (acts[n]?.dice ?? 0) >= 0.8).map(({ change }) => change))).toBe(
    sum(refunds),
  );
});

test("afterwards the books are consistent and agree with the provider", async () => {
  await bench.settle();
  expect(await bench.audit()).toMatchObject({ ...ALL_WELL, accepted: bench.provider.pieces.length });
  expect(await bench.loadAccount("fifty")).toEqual({ balance: 0, held: 0 });
  expect(await bench.loadAccount("keys")).toEqual({ balance: 296, held: 0 });
});

function mail(postcard: boolean): Pick<MailRequest, "type"> {
  return { type: postcard ? "postcard" : "letter" };
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function countStatuses(answers: { status: number | null }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[String(status)] = (counts[String(status)] ?? 0) + 1;
  return counts;
}
