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
 * Kills a console in the middle of cancels, each of a letter of a person with 10 credits. The storm kills a console
 * on the embedded database during cancels.
 */
const CANCEL_PATH = "letters/cancel";
const REFUNDED = { state: "cancelled", isCancelled: true, status: "cancelled", refunds: [2], balance: 10 };
const MAIL = { state: "accepted", isCancelled: false, refunds: [], balance: 8 };

interface Moment {
  what: string;
  rule: FaultRule;
  /** Time at which the piece is printed. */
  printed?: "before" | "during";
  /** The provider's status of the piece when its console dies. */
  dying: "received" | "cancelled" | "producing";
}

const MOMENTS: Moment[] = [
  { what: "the call is under way, and never completes", rule: { kind: "timeout" }, dying: "received" },
  {
    what: "the call is under way, and arrives too late",
    rule: { kind: "timeout" },
    printed: "during",
    dying: "producing",
  },
  { what: "the call is under way, and completes later", rule: { kind: "hold" }, dying: "received" },
  { what: "it is cancelled and not stored", rule: { kind: "timeout", moment: "after" }, dying: "cancelled" },
  {
    what: "it is refused and not stored",
    rule: { kind: "timeout", moment: "after" },
    printed: "before",
    dying: "producing",
  },
  // The last one, because the console waits only this long.
  {
    what: "the provider asks to retry later",
    rule: { kind: "rate-limit", resetSeconds: 30 },
    dying: "received",
  },
];
/** Disables recovery in a console that will be killed; its calls wait longer than the test takes. */
const DOOMED = { RECONCILE_INTERVAL_MS: "0", STANNP_TIMEOUT_MS: "60000" };

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.close());

/** Mails a piece for each moment, each with its own payer. */
async function mailAll(bench: MoneyBench, origin: string): Promise<MailedPiece[]> {
  const pieces = [];
  for (const n of MOMENTS.keys()) {
    pieces.push(await mailPiece(origin, { type: "letter", payer: `killed-${n}` }));
  }
  expect(bench.provider.pieces.map(({ status }) => status)).toEqual(MOMENTS.map(() => "received"));
  return pieces;
}

/** Brings each piece's cancel to its moment, then kills the console. */
async function killInAll(bench: MoneyBench, doomed: ConsoleProcess, pieces: MailedPiece[]): Promise<void> {
  const faults = [];
  const answers = [];
  for (const [n, { what, rule, printed }] of MOMENTS.entries()) {
    const piece = pieces[n] as MailedPiece;
    const print = () => bench.provider.move(Number(piece.mailItemId), "producing");
    if (printed === "before") print();
    const fault = bench.provider.fail({ ...rule, path: CANCEL_PATH });
    answers.push(
      askToCancel(
        doomed.origin,
        ROUTES_BEFORE_STORING[n % ROUTES_BEFORE_STORING.length] ?? "the proxy",
        piece,
      ),
    );
    await expect.poll(() => fault.hits, { message: what }).toBe(1);
    if (printed === "during") print();
    faults.push(fault);
  }
  const dying = () => bench.provider.pieces.map(({ status }) => status);
  await expect.poll(dying).toEqual(MOMENTS.map(({ dying }) => dying));
  await doomed.stop("SIGKILL");
  expect(await Promise.all(answers)).toEqual(
    MOMENTS.map(() => ({ ...NOT_ASKED, error: expect.stringMatching(/ECONNRESET|other side closed/) })),
  );
  for (const fault of faults) fault.release();
}

test("on PostgreSQL another process waits for the end of each claim, then settles it with at most one refund", async () => {
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
  // Ends the leases now instead of waiting.
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
