import { beforeAll, expect, test } from "vitest";
import { PROVIDER_NO_ANSWER } from "~/bulk/messages";
import { makeCsv, makeList } from "../../support/bulk/list-client";
import type { ConsoleProcess } from "../../support/console/console-process";
import { setUpBench } from "../../support/fixtures";
import { ALL_WELL } from "../../support/money/audit";
import { CREATE_PATH } from "../../support/money/lone-sends";

/** More rows than a process sends at a time. */
const ROWS = 20;
/** Longer than any call is held here, so that only the test ends a claim. */
const PATIENT = { STANNP_TIMEOUT_MS: "30000", RECONCILE_INTERVAL_MS: "300" };

const bench = await setUpBench();
/** Shared by the tests; the one that kills it starts another one. */
let console: ConsoleProcess;
beforeAll(async () => {
  console = await bench.start(PATIENT);
});
const loadListRow = (id: string) => bench.inBooks((db) => db.bulkList.findUniqueOrThrow({ where: { id } }));
const countRows = (id: string, state: string) =>
  bench.inBooks((db) => db.bulkRow.count({ where: { listId: id, state } }));
/** The state of a list, whose wait for the provider it ends. */
const hurry = async (id: string) => {
  await bench.sql`UPDATE bulk_lists SET next_at = NULL WHERE id = ${id}`;
  return (await loadListRow(id)).state;
};
/** Ends the claims of a process that has died. */
const endClaims = () =>
  bench.inBooks(async (db) => {
    await db.$executeRaw`UPDATE bulk_rows SET lease_until = now() WHERE state = 'sending'`;
    await db.$executeRaw`UPDATE sends SET lease_until = now() WHERE state IN ('reserved', 'sending', 'unknown')`;
  });

test("a list is mailed once and charged once through an empty provider account, an outage and a kill", async () => {
  await bench.grant("auth-ana", ROWS + 5);
  const list = await makeList(console.origin, "ana", "auth-ana");
  const { id } = list;
  const large = new File([Buffer.alloc(13_000_000, "Ana,Lopez\n")], "all.csv");
  expect(await list.post("import", { file: large }), "too large").toBe(413);
  expect(await list.post("import", { file: new File([makeCsv(ROWS)], "spring.csv") })).toBe(303);
  expect(await list.post("start", { quoted: String(ROWS) }), "not tested").toBe(400);
  expect(await list.post("test", { rows: "2, 3" })).toBe(303);
  expect(await list.post("start", { quoted: String(ROWS + 1) }), "not as quoted").toBe(400);

  const empty = bench.provider.fail({ kind: "status", status: 402, path: CREATE_PATH, times: "always" });
  expect(await list.post("start", { quoted: String(ROWS) })).toBe(303);
  await expect.poll(async () => (await loadListRow(id)).state).toBe("paused");
  expect(await list.page()).toContain(
    "The provider's account is out of funds; your credits are not affected.",
  );
  expect(await bench.loadAccount("auth-ana")).toMatchObject({ held: ROWS });
  empty.release();

  const outage = bench.provider.fail({ kind: "reset-before", path: CREATE_PATH, times: "always" });
  expect(await list.post("resume")).toBe(303);
  await expect.poll(async () => (await loadListRow(id)).failures).toBeGreaterThan(0);
  expect(await list.page()).toContain(PROVIDER_NO_ANSWER);
  expect(await countRows(id, "sent")).toBe(0);

  // Applies to requests that the outage lets pass: the provider has these pieces, and its answers are lost.
  const held = bench.provider.fail({ kind: "hold", moment: "after", path: CREATE_PATH, times: "always" });
  outage.release();
  const hits = async () => {
    await hurry(id);
    return held.hits;
  };
  await expect.poll(hits).toBeGreaterThan(0);
  await console.stop("SIGKILL");
  held.release();
  await endClaims();
  [console] = await Promise.all([bench.start(PATIENT), bench.start(PATIENT)]);
  await expect.poll(() => hurry(id)).toBe("finished");

  expect(await bench.loadAccount("auth-ana")).toEqual({ balance: 5, held: 0 });
  expect(await bench.audit()).toMatchObject({ ...ALL_WELL, accepted: ROWS, pieces: ROWS });
  expect(await countRows(id, "sent")).toBe(ROWS);

  // Longer than the limit of a call: the piece stays unchanged, its console rests, and the other one cancels it.
  const busy = { kind: "respond", status: 429, headers: { "X-RateLimit-Reset": "200" } } as const;
  bench.provider.fail({ ...busy, path: "postcards/cancel" });
  list.origin = console.origin;
  expect(await list.post("cancel")).toBe(303);
  await expect.poll(() => bench.inBooks((db) => db.send.count({ where: { state: "cancelled" } }))).toBe(ROWS);
  expect(await list.post("cancel"), "nothing is left to cancel").toBe(400);
  expect(await bench.loadAccount("auth-ana")).toEqual({ balance: ROWS + 5, held: 0 });
  expect(await bench.audit()).toMatchObject(ALL_WELL);
});

/** Makes the recipients different from those of the first list. */
const toSpokane = (cells: string[]) => cells.with(3, "Spokane");

test("a list without enough credits reserves and sends nothing; a stopped one releases what it did not send", async () => {
  await bench.grant("auth-bo", 9);
  const list = await makeList(console.origin, "bo", "auth-bo");
  await list.post("import", { pasted: makeCsv(10, toSpokane).replaceAll('","', '"\t"') });
  await list.post("test", { rows: "2" });
  expect(await list.post("start", { quoted: "10", starts_at: "2027-01-01T09:00" }), "Enter").toBe(400);
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

test("the provider checks addresses on request: unknown ones are corrected or allowed", async () => {
  const list = await makeList(console.origin, "ana", "auth-ana");
  const pasted = [
    "First name\tLast name\tAddress\tCity\tState\tZIP\tCountry\tCode",
    "Ida\tLopez\t1 Main Street\tBoise\tID\t83702\tUS\tA",
    "Bea\tLopez\tNowhere\tBoise\tID\t83702\tUS\tB",
    "Cleo\tLopez\t3 Rue Saint-Éloi\tMontréal\tQC\tH2X 1Y4\tCA\tC",
  ].join("\n");
  await list.post("import", { pasted });
  const loadRows = () =>
    bench.inBooks((db) => db.bulkRow.findMany({ where: { listId: list.id }, orderBy: { number: "asc" } }));
  bench.provider.fail({ kind: "status", status: 503, path: "addresses/validate" });
  expect(await list.post("check_addresses")).toBe(303);
  await expect
    .poll(async () => (await loadRows()).map(({ addressCheck }) => addressCheck))
    .toEqual(["valid", "not_found", "unchecked"]);
  await expect.poll(async () => (await loadListRow(list.id)).checkingAddresses).toBe(false);
  expect((await loadRows()).map(({ state }) => state)).toEqual(["ready", "problem", "ready"]);
  expect((await loadRows())[1]?.problem).toBe("The provider does not find this address.");

  expect(await list.post("correct", { row: "3", allow: "1" })).toBe(303);
  expect((await loadRows())[1]).toMatchObject({ state: "ready", addressCheck: "not_found" });
  expect(await list.post("correct", { row: "3", "cell.2": "2 Main Street" })).toBe(303);
  expect((await loadRows())[1]).toMatchObject({ state: "ready", addressCheck: null });
});
