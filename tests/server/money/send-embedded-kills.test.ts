import { afterAll, beforeAll, expect, test } from "vitest";
import type { FaultRule } from "../../emulators/mail-provider/faults/fault-rule";
import { ALL_WELL } from "../../support/money/audit";
import { type MoneyBench, openBench } from "../../support/money/bench";
import { adjustCredits, askForMail, askUntilSettled } from "../../support/money/calls";
import { CREATE_PATH } from "../../support/money/lone-sends";

/** Live sends on the embedded database whose only process is killed. */
const MOMENTS: [what: string, rule: FaultRule, mailed: boolean][] = [
  ["it is seen and not done", { kind: "timeout" }, true],
  ["it is seen, and done although the caller is gone", { kind: "hold" }, true],
  ["it is done and not answered", { kind: "hold", moment: "after" }, true],
  ["it is done and its answer is lost", { kind: "timeout", moment: "after" }, true],
  ["it is seen and refused", { kind: "hold" }, false],
];

let bench: MoneyBench;
beforeAll(async () => {
  bench = await openBench({ postgres: null });
});
afterAll(() => bench?.close());

test("killed and started anew: one piece or, when refused, none", async () => {
  // So long that all five are under way when it is killed, also on a machine that has other work.
  let console = await bench.start({ STANNP_TIMEOUT_MS: "8000" });
  await adjustCredits(console.origin, "ana", { action: "add", amount: 20, userId: "auth-ana" });
  const quiet = { type: "letter", key: "pglite-accepted" } as const;
  expect((await askForMail(console.origin, quiet)).json.credits).toMatchObject({
    success: true,
    newBalance: 18,
  });
  const orders = MOMENTS.map(([, , mailed], n) => ({
    type: "letter" as const,
    key: `pglite-killed-${n}`,
    fields: mailed ? {} : { size: "9x9" },
  }));
  const faults = [];
  const calls = [];
  for (const [n, [what, rule]] of MOMENTS.entries()) {
    const fault = bench.provider.fail({ ...rule, path: CREATE_PATH });
    faults.push(fault);
    const order = orders[n];
    if (order) calls.push(askForMail(console.origin, order));
    await expect.poll(() => fault.hits, { message: what }).toBe(1);
  }
  await console.stop("SIGKILL");
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(MOMENTS.map(() => null));
  for (const fault of faults) fault.release();

  console = await bench.start();
  const early = await Promise.all(orders.map((order) => askForMail(console.origin, order)));
  expect(early.every(({ status }) => status === 202 || status === 409)).toBe(true);
  const settled = await Promise.all(orders.map((order) => askUntilSettled(console.origin, order)));
  expect(settled.map(({ json }) => json.credits?.success)).toEqual(MOMENTS.map(([, , mailed]) => mailed));
  expect((await askForMail(console.origin, quiet)).json).toMatchObject({
    replayed: true,
    credits: { success: true },
  });

  expect(await bench.audit()).toMatchObject({ ...ALL_WELL, accepted: 5, pieces: 5 });
  expect(await bench.loadAccount("auth-ana")).toEqual({ balance: 10, held: 0 });
});
