import { setTimeout as wait } from "node:timers/promises";
import { command } from "../database/postgres";
import type { PostgresPair } from "../database/postgres-pair";
import { createRandom } from "../random";
import { type MoneyBench, openBench } from "./bench";
import { Crowd, compareBooks, PURSES, startFleet } from "./storm";

export interface FailoverPlan {
  pair: PostgresPair;
  seed: number;
  /** Pieces mailed before the failover, again while an asynchronous standby does not receive them, and after it. */
  pieces: number;
}

const CONSOLES = 2;
const MAILED_WITHIN_MS = 180_000;
const COMPARED_WITHIN_MS = 180_000;

/**
 * Sends live mail and cancels while the primary crashes and its standby takes over; then runs recovery and the
 * daily reconciliation. Returns the number of live pieces that the standby did not know (`unheard`), of those that
 * are wrong in the books (`lost`), and of wrong ones without an alarm (`silent`).
 */
export async function runFailover({ pair, seed, pieces }: FailoverPlan) {
  const bench = await openBench({ postgres: pair });
  try {
    for (const [purse, credits] of Object.entries(PURSES)) await bench.grant(purse, credits);
    const crowd = new Crowd(await startFleet(bench, CONSOLES), createRandom(seed));
    const calling = crowd.call();
    await waitForPieces(bench, pieces);
    let unheard = 0;
    await pair.failOver(
      () => waitForPieces(bench, pieces),
      async (url) => {
        const database = Object.assign(new URL(url), { pathname: new URL(bench.databaseUrl).pathname });
        const { rows } = await command(database.href, "SELECT id, state FROM sends");
        unheard = findLost(rows, bench).length;
      },
    );
    await waitForPieces(bench, pieces);
    await crowd.waitForEnough();
    crowd.stop();
    await calling;
    await bench.settle();
    await compareWithProvider(bench);
    const books = await compareBooks(bench, crowd);
    const { lost, told } = await bench.inBooks(async (db) => {
      const alarms = await db.alarm.findMany({ where: { closedAt: null }, select: { subjectId: true } });
      return {
        lost: findLost(await db.send.findMany({ select: { id: true, state: true } }), bench),
        told: new Set(alarms.map(({ subjectId }) => subjectId)),
      };
    });
    const isTold = ({ sendId, mailId }: (typeof lost)[number]) =>
      told.has(sendId) || told.has(`mail ${mailId}`);
    const silent = lost
      .filter((piece) => !isTold(piece))
      .map(({ sendId, mailId }) => `piece ${mailId} of ${sendId}`);
    return { ...books, unheard, lost: lost.length, silent };
  } finally {
    await bench.close();
  }
}

/** Waits until the provider has `more` additional pieces. */
async function waitForPieces({ provider }: MoneyBench, more: number): Promise<void> {
  const enough = provider.pieces.length + more;
  const deadline = Date.now() + MAILED_WITHIN_MS;
  while (provider.pieces.length < enough) {
    if (Date.now() > deadline) throw new Error(`The provider never got ${more} more pieces`);
    await wait(20);
  }
}

/** Makes the daily reconciliation due and waits for a console to run it. */
async function compareWithProvider(bench: MoneyBench): Promise<void> {
  const where = { name: "provider" };
  await bench.inBooks((db) => db.reconciliationRun.update({ where, data: { dueAt: new Date(0) } }));
  const deadline = Date.now() + COMPARED_WITHIN_MS;
  for (;;) {
    const run = await bench.inBooks((db) => db.reconciliationRun.findUniqueOrThrow({ where }));
    if (run.finishedAt && run.problem === null) return;
    if (Date.now() > deadline) throw new Error(`The comparison did not end: ${run.problem}`);
    await wait(100);
  }
}

/**
 * True when the books have a piece as charged, or may charge it. A piece that was cancelled at the provider, and
 * whose send is released or missing in the books, costs nothing.
 */
function isCharged(state: string | undefined): boolean {
  return state !== undefined && state !== "cancelled" && state !== "refused";
}

/** Live pieces at the provider that are not mailed, or not cancelled, in the books as they are there. */
function findLost(
  sends: readonly { id: string; state: string }[],
  { provider }: MoneyBench,
): { sendId: string; mailId: string }[] {
  const states = new Map(sends.map(({ id, state }) => [id, state]));
  return provider.pieces.flatMap(({ id, test, status, idempotencyKey: sendId }) => {
    const state = states.get(sendId ?? "");
    const agrees = status === "cancelled" ? !isCharged(state) : state === "accepted";
    return test || !sendId || agrees ? [] : [{ sendId, mailId: String(id) }];
  });
}
