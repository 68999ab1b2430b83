import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { OUT_OF_FUNDS_NOTE } from "~/bulk/messages";
import { makeCsv, makeList } from "../../support/bulk/list-client";
import { type Postgres, startPostgres } from "../../support/database/postgres";
import { ALL_WELL } from "../../support/money/audit";
import { type MoneyBench, openBench } from "../../support/money/bench";
import { howMany } from "../../support/money/how-many";
import { CREATE_PATH } from "../../support/money/lone-sends";

const ROWS = howMany({ short: 40, long: 10_000 });
const KILLS = howMany({ short: 1, long: 10 });

const PATIENT = { timeout: howMany({ short: 200_000, long: 3_000_000 }), interval: 300 };

vi.setConfig({ testTimeout: howMany({ short: 600_000, long: 3_600_000 }) });

let postgres: Postgres;
let bench: MoneyBench;
beforeAll(async () => {
  postgres = await startPostgres();
  bench = await openBench({ postgres });
});
afterAll(async () => {
  await bench?.close();
  await postgres?.close();
});

const listState = (id: string) =>
  bench.inBooks(async (db) => (await db.bulkList.findUnique({ where: { id } }))?.state);
/** Ends its wait for the provider, which grows to minutes: a test need not sit through it. */
const endWait = (id: string) =>
  bench.inBooks((db) =>
    db.bulkList.updateMany({ where: { id, nextAt: { not: null } }, data: { nextAt: new Date(0) } }),
  );
/** Takes the rows under way from the consoles that have them, as if all of those were gone for long. */
const endLeases = (id: string) =>
  bench.inBooks((db) =>
    db.bulkRow.updateMany({ where: { listId: id, state: "sending" }, data: { leaseUntil: new Date(0) } }),
  );
const countSent = (id: string) =>
  bench.inBooks((db) => db.bulkRow.count({ where: { listId: id, state: "sent" } }));

test("a list is mailed once and charged once through kills, an outage and an empty provider account", async () => {
  await bench.grant("auth-ana", ROWS + 5);
  let [first, second] = await Promise.all([bench.start(), bench.start()]);
  const list = await makeList(first.origin, "ana", "auth-ana");
  const { id } = list;
  expect(await list.post("import", { file: new File([makeCsv(ROWS)], "spring.csv") })).toBe(303);
  expect(await list.post("start", { quoted: String(ROWS) }), "not tested").toBe(400);
  expect(await list.post("test", { rows: "2, 3" })).toBe(303);
  expect(await list.post("start", { quoted: String(ROWS + 1) }), "not as quoted").toBe(400);
  const outage = bench.provider.fail({ kind: "reset-before", path: CREATE_PATH, times: "always" });
  expect(await list.post("start", { quoted: String(ROWS) })).toBe(303);
  expect(await bench.loadAccount("auth-ana")).toMatchObject({ held: ROWS });
  await expect.poll(() => outage.hits).toBeGreaterThan(2);
  outage.release();

  const empty = bench.provider.fail({ kind: "status", status: 402, path: CREATE_PATH, times: "always" });
  await expect.poll(() => endWait(id).then(() => listState(id)), PATIENT).toBe("paused");
  expect(await list.page()).toContain(OUT_OF_FUNDS_NOTE);
  empty.release();

  const slow = bench.provider.fail({ kind: "slow", delayMs: 300, path: CREATE_PATH, times: "always" });
  expect(await list.post("resume")).toBe(303);
  for (let kill = 1; kill <= KILLS; kill++) {
    const due = Math.floor((ROWS * kill) / (KILLS + 3));
    await expect.poll(() => endWait(id).then(() => countSent(id)), PATIENT).toBeGreaterThanOrEqual(due);
    await first.stop("SIGKILL");
    [first, second] = [second, await bench.start()];
    await endLeases(id);
  }
  slow.release();
  await expect.poll(() => endWait(id).then(() => listState(id)), PATIENT).toBe("finished");

  expect(await bench.loadAccount("auth-ana")).toEqual({ balance: 5, held: 0 });
  expect(await bench.audit()).toMatchObject({ ...ALL_WELL, accepted: ROWS, pieces: ROWS });
  expect(await countSent(id)).toBe(ROWS);
});

/** Other people than those of the first list. */
const toSpokane = (cells: string[]) => cells.with(3, "Spokane");

test("a list without enough credits reserves and sends nothing; a stopped one releases what it did not send", async () => {
  await bench.grant("auth-bo", 9);
  const { origin } = await bench.start();
  const list = await makeList(origin, "bo", "auth-bo");
  await list.post("import", { pasted: makeCsv(10, toSpokane).replaceAll('","', '"\t"') });
  await list.post("test", { rows: "2" });
  expect(await list.post("start", { quoted: "10" })).toBe(402);
  expect(await bench.loadAccount("auth-bo")).toEqual({ balance: 9, held: 0 });

  await list.post("leave_out", { row: "4" });
  const hold = bench.provider.fail({ kind: "hold", path: CREATE_PATH, times: "always" });
  await list.post("start", { quoted: "9" });
  await expect.poll(() => hold.hits).toBeGreaterThan(0);
  expect(await list.post("stop")).toBe(303);
  hold.release();
  await bench.settle();
  const { balance, held } = await bench.loadAccount("auth-bo");
  expect(held).toBe(0);
  expect(await bench.audit()).toMatchObject(ALL_WELL);
  expect(
    await bench.inBooks((db) => db.send.count({ where: { userId: "auth-bo", state: "accepted" } })),
  ).toBe(9 - balance);
});
