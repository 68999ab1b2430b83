import { setTimeout as wait } from "node:timers/promises";
import type { Postgres } from "../database/postgres";
import { openBench } from "../money/bench";
import { readCredits } from "../money/calls";
import { checkHistory, History, timeCall } from "../money/history";
import { CREATE_PATH } from "../money/lone-sends";
import { startFleet } from "../money/storm";
import { makeCsv, makeList } from "./list-client";

const PAYER = "auth-ana";
/** Credits that are left after the list. */
const LEFT_OVER = 5;
/** High enough for a busy machine: this test does not measure response times. */
const LIMITS = { STANNP_TIMEOUT_MS: "5000" };
const LOOK_MS = 200;
const STOPPED_MS = 3_000;
/** Retries of a row back off: after an outage of this length the next one comes within 40 s. */
const OUTAGE_MS = 30_000;
/** A list that sends nothing for this long is stuck. */
const STUCK_MS = 180_000;

export interface ListStormPlan {
  postgres: Postgres;
  rows: number;
  /** SIGKILLs of one of two consoles. */
  kills: number;
  /** `immediate` stops of PostgreSQL. */
  stops: number;
  /** Periods in which the provider does not answer. */
  outages: number;
}

/**
 * Two consoles send a list while each is killed in turn, the database is stopped and the provider stops answering,
 * spread evenly over the list. Rejects when no more rows are sent.
 */
export async function runListStorm(plan: ListStormPlan) {
  const { postgres, rows } = plan;
  const bench = await openBench({ postgres });
  try {
    await bench.grant(PAYER, rows + LEFT_OVER);
    const fleet = await startFleet(bench, 2, LIMITS);
    const list = await makeList(fleet.places[0]?.origin ?? "", "ana", PAYER);
    await expectRedirect(list.post("import", { file: new File([makeCsv(rows)], "storm.csv") }));
    await expectRedirect(list.post("test", { rows: "2, 3" }));
    const history = new History();
    const sees = (cause: string, count: number) => ({ userId: PAYER, answer: null, sees: { cause, count } });
    const started = await timeCall(() => list.post("start", { quoted: String(rows), typed: String(rows) }));
    await expectRedirect(Promise.resolve(started.answer));
    history.reads.push({ ...started, ...sees("reservation", 1) });

    const due = spread(plan);
    let next = 0;
    let moved = { sent: 0, at: performance.now() };
    for (;;) {
      const look = await timeCall(() =>
        bench
          .inBooks(async (db) => ({
            sent: await db.bulkRow.count({ where: { listId: list.id, state: "sent" } }),
            state: (await db.bulkList.findUnique({ where: { id: list.id } }))?.state,
          }))
          .catch(() => null),
      );
      const read = await timeCall(() => readCredits(list.origin, "ana", PAYER).catch(() => null));
      history.reads.push({ ...read, userId: PAYER });
      const found = look.answer;
      const now = performance.now();
      if (found) {
        history.reads.push({ ...look, ...sees("send", found.sent) });
        if (found.sent > moved.sent) moved = { sent: found.sent, at: now };
        if (found.state !== "running") {
          if (found.state !== "finished") throw new Error(`the list is ${found.state}: ${await list.page()}`);
          break;
        }
        const event = due[next];
        if (event && found.sent >= event.at) {
          next += 1;
          await cause(event.kind, next);
          moved.at = performance.now();
        }
      }
      if (now - moved.at > STUCK_MS) throw new Error(`stuck at ${moved.sent} of ${rows} rows`);
      await wait(LOOK_MS);
    }
    await bench.settle();
    const charged = { where: { userId: PAYER, transactionType: "debit" } };
    return {
      ...(await bench.audit()),
      ...(await bench.loadAccount(PAYER)),
      charges: await bench.inBooks((db) => db.creditTransaction.count(charged)),
      lies: await bench.inBooks((db) => checkHistory(db, bench.provider, history)),
    };

    async function cause(kind: Trouble, number: number): Promise<void> {
      if (kind === "kill") {
        await fleet.replace(number % 2);
        list.origin = fleet.places[0]?.origin ?? "";
      } else if (kind === "stop") {
        await postgres.stop("immediate");
        await wait(STOPPED_MS);
        await postgres.start();
      } else {
        const outage = bench.provider.fail({ kind: "reset-before", path: CREATE_PATH, times: "always" });
        await wait(OUTAGE_MS);
        outage.release();
      }
    }
  } finally {
    await bench.close();
  }
}

type Trouble = "kill" | "stop" | "outage";

/** Places each fault at its share of the rows. */
function spread({ rows, kills, stops, outages }: ListStormPlan): { at: number; kind: Trouble }[] {
  const of = (kind: Trouble, count: number) =>
    Array.from({ length: count }, (_, at) => ({ at: Math.floor((rows * (at + 1)) / (count + 1)), kind }));
  return [...of("kill", kills), ...of("stop", stops), ...of("outage", outages)].sort((a, b) => a.at - b.at);
}

async function expectRedirect(posted: Promise<number>): Promise<void> {
  const status = await posted;
  if (status !== 303) throw new Error(`a form of the list was answered with ${status}`);
}
