import { afterAll, beforeAll, expect, test } from "vitest";
import type { FaultRule } from "../../emulators/mail-provider/faults/fault-rule";
import type { ConsoleProcess } from "../../support/console/console-process";
import { type Postgres, startPostgres } from "../../support/database/postgres";
import { ALL_WELL } from "../../support/money/audit";
import { type MoneyBench, openBench } from "../../support/money/bench";
import {
  askToCancel,
  lookAtCancel,
  type MailedPiece,
  mailPiece,
  NOT_ASKED,
  ROUTES_BEFORE_STORING,
} from "../../support/money/cancel-routes";

/**
 * A console is killed in the middle of cancels, each of a letter of a person who has 10 credits. The storm kills a console on
 * the embedded database during cancels.
 */
const CANCEL_PATH = "letters/cancel";
const REFUNDED = { state: "cancelled", isCancelled: true, status: "cancelled", refunds: [2], balance: 10 };
const MAIL = { state: "accepted", isCancelled: false, refunds: [], balance: 8 };

interface Moment {
  what: string;
  rule: FaultRule;
  /** When the piece goes to print. */
  printed?: "before" | "meanwhile";
  /** What the provider has of it when its console dies. */
  dying: "received" | "cancelled" | "producing";
}

const MOMENTS: Moment[] = [
  { what: "the call is under way, and never done", rule: { kind: "timeout" }, dying: "received" },
  {
    what: "the call is under way, and comes too late",
    rule: { kind: "timeout" },
    printed: "meanwhile",
    dying: "producing",
  },
  { what: "the call is under way, and done later", rule: { kind: "hold" }, dying: "received" },
  { what: "it is done and not booked", rule: { kind: "timeout", moment: "after" }, dying: "cancelled" },
  {
    what: "it is refused and not booked",
    rule: { kind: "timeout", moment: "after" },
    printed: "before",
    dying: "producing",
  },
  // The last one, because the console waits for so long and no longer.
  { what: "it is to be asked later", rule: { kind: "rate-limit", resetSeconds: 30 }, dying: "received" },
];
/** Kills nothing automatically: a console killed here has no recovery and waits longer than the test takes. */
const DOOMED = { RECONCILE_INTERVAL_MS: "0", STANNP_TIMEOUT_MS: "60000" };

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.close());

/** A piece for each moment, each of a payer of its own. */
async function mailAll(bench: MoneyBench, origin: string): Promise<MailedPiece[]> {
  const pieces = [];
  for (const n of MOMENTS.keys()) {
    pieces.push(await mailPiece(origin, { type: "letter", payer: `killed-${n}` }));
  }
  expect(bench.provider.pieces.map(({ status }) => status)).toEqual(MOMENTS.map(() => "received"));
  return pieces;
}

/** Brings each piece's cancel to its moment, then kills the console that is at them. */
async function killInAll(bench: MoneyBench, doomed: ConsoleProcess, pieces: MailedPiece[]): Promise<void> {
  const faults = [];
  const told = [];
  for (const [n, { what, rule, printed }] of MOMENTS.entries()) {
    const piece = pieces[n] as MailedPiece;
    const print = () => bench.provider.move(Number(piece.mailItemId), "producing");
    if (printed === "before") print();
    const fault = bench.provider.fail({ ...rule, path: CANCEL_PATH });
    told.push(
      askToCancel(
        doomed.origin,
        ROUTES_BEFORE_STORING[n % ROUTES_BEFORE_STORING.length] ?? "the proxy",
        piece,
      ),
    );
    await expect.poll(() => fault.hits, { message: what }).toBe(1);
    if (printed === "meanwhile") print();
    faults.push(fault);
  }
  const dying = () => bench.provider.pieces.map(({ status }) => status);
  await expect.poll(dying).toEqual(MOMENTS.map(({ dying }) => dying));
  await doomed.stop("SIGKILL");
  expect(await Promise.all(told)).toEqual(
    MOMENTS.map(() => ({ ...NOT_ASKED, error: expect.stringMatching(/ECONNRESET|other side closed/) })),
  );
  for (const fault of faults) fault.release();
}

test("on PostgreSQL another process leaves each alone for as long as it is claimed, then ends it with one refund, or none", async () => {
  const bench = await openBench({ postgres });
  for (const n of MOMENTS.keys()) await bench.grant(`killed-${n}`, 10);
  const [other, doomed] = [await bench.start(), await bench.start(DOOMED)];
  const pieces = await mailAll(bench, doomed.origin);
  const before = bench.provider.received.length;
  await killInAll(bench, doomed, pieces);
  const calls = bench.provider.received.slice(before);
  expect(calls.map(({ path }) => path)).toEqual(MOMENTS.map(() => CANCEL_PATH));
  const again = await askToCancel(other.origin, "/api/mail/cancel", pieces[0] as MailedPiece);
  expect(again).toMatchObject({ status: 409, error: expect.stringMatching(/is being cancelled already/) });
  // Ends the leases now, so that the test need not wait.
  const ended = await bench.inBooks(
    (db) => db.$executeRaw`UPDATE sends SET lease_until = now() WHERE state = 'cancelling'`,
  );
  expect(ended).toBe(MOMENTS.length);
  await bench.settle();
  const ends = await Promise.all(pieces.map((piece) => lookAtCancel(bench, piece)));
  expect(ends.map((end, n) => [MOMENTS[n]?.what, end])).toEqual(
    MOMENTS.map(({ what, dying }) => [
      what,
      dying === "producing"
        ? { ...MAIL, status: "producing", atProvider: "producing" }
        : { ...REFUNDED, atProvider: "cancelled" },
    ]),
  );
  expect(await bench.audit()).toMatchObject(ALL_WELL);
  await bench.close();
});
