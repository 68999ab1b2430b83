import { beforeAll, beforeEach, expect, test } from "vitest";
import { parseCursor } from "~/platform/page-cursor";
import { storeList } from "../../support/bulk/stored-list";
import { RECIPIENT } from "../../support/console/mail-console";
import { ANA } from "../../support/console/payment-console";
import { drain } from "../../support/drain";
import { planPages, writePdf } from "../../support/files/sample-pdfs";
import { setUpMailConsole, setUpPostgres } from "../../support/fixtures";
import { CREATE_PATH } from "../../support/money/lone-sends";

/** A row follows the state of its piece, and is never sent again without a person's decision. */

const postgres = await setUpPostgres();
let lists: typeof import("~/bulk/sending/list-transitions.server");
let rowEdits: typeof import("~/bulk/rows/edit-rows.server");
let rowTask: typeof import("~/bulk/sending/send-rows.server");
let pieces: typeof import("~/pieces/send/send-transitions.server");
let retries: typeof import("~/pieces/send/retry-transitions.server");

const app = await setUpMailConsole(await postgres.createDatabase());
beforeAll(async () => {
  lists = await import("~/bulk/sending/list-transitions.server");
  rowEdits = await import("~/bulk/rows/edit-rows.server");
  rowTask = await import("~/bulk/sending/send-rows.server");
  pieces = await import("~/pieces/send/send-transitions.server");
  retries = await import("~/pieces/send/retry-transitions.server");
});
beforeEach(() => app.grant(ANA.id, 10));
/** A running list of `count` people. */
async function startList(count: number): Promise<string> {
  const id = await storeList(app, count);
  expect(await lists.startList(id, count, ANA)).toMatchObject({ ok: true });
  return id;
}

const loadRows = (listId: string) =>
  app.db((db) => db.bulkRow.findMany({ where: { listId }, orderBy: { number: "asc" } }));
const loadList = (id: string) => app.db((db) => db.bulkList.findUniqueOrThrow({ where: { id } }));
const stateCounts = async (id: string) => {
  const counts: Record<string, number> = {};
  for (const { state } of await loadRows(id)) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
};
const mailed = () => app.provider.pieces.filter(({ test }) => !test).length;

/** Sends the due rows, including those that wait for the provider. */
async function sendRows(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await app.sql`UPDATE bulk_lists SET next_at = NULL, failures = 0`;
    await drain(rowTask.sendBulkRows());
  }
}

/** Ids of pieces of a new list whose calls the provider did not answer. */
async function sendUnanswered(count: number, unanswered: number): Promise<[string, string[]]> {
  const id = await startList(count);
  const silent = app.provider.fail({ kind: "reset-before", path: CREATE_PATH, times: unanswered });
  await sendRows();
  expect(silent.hits).toBe(unanswered);
  const open = (await loadRows(id)).filter(({ state }) => state === "checking");
  expect(open).toHaveLength(unanswered);
  return [id, open.map(({ sendId }) => sendId ?? "")];
}

/** Moves the last call back by a quarter of an hour, after which the provider's list counts. */
const makeDue = (id: string) =>
  app.sql`UPDATE sends SET called_at = now() - interval '20 minutes', lease_until = now() WHERE id = ${id}`;

test("a piece that a person ends or decides as not mailed refuses its row; only a person's retry sends it", async () => {
  const before = mailed();
  const [id, [ended = "", undecided = ""]] = await sendUnanswered(3, 2);
  await app.db((db) => retries.askForReview(db, undecided, "the provider cannot tell"));
  // Its process ended before it stored the outcome in the row.
  await app.sql`
    UPDATE bulk_rows SET state = 'sending', send_id = NULL, lease_until = now() WHERE send_id = ${undecided}`;
  await app.db((db) => retries.giveUpSend(db, ended, ANA.id, "not wanted"));
  await makeDue(ended);
  await app.recoverSends();
  await sendRows();
  expect(await stateCounts(id), "the undecided one is not sent").toEqual({
    sent: 1,
    refused: 1,
    checking: 1,
  });
  expect((await loadRows(id)).find(({ sendId }) => sendId === ended)?.problem).toContain(ANA.id);
  expect(await loadList(id)).toMatchObject({ state: "finished" });

  await app.db((db) => pieces.decideNotMailed(db, undecided, ANA.id, "Ana says it was not mailed."));
  await sendRows();
  expect(await stateCounts(id)).toEqual({ sent: 1, refused: 2 });
  expect(mailed() - before).toBe(1);

  const refused = (await loadRows(id)).find(({ state }) => state === "refused")?.number ?? 0;
  await rowEdits.correctRow(id, refused, { cells: new Map([[3, ""]]), allow: false }, ANA);
  await rowEdits.retryRefused(id, ANA);
  const oneReady = { sent: 1, refused: 1, ready: 1 };
  expect(await stateCounts(id), "a correction left a problem").toEqual(oneReady);
  expect(await lists.startList(id, 1, ANA)).toMatchObject({ ok: true });
  const tester = { ...ANA, scopes: ["send:test" as const] };
  const corrected = await rowEdits.correctRow(id, refused, { cells: new Map(), allow: false }, tester);
  expect(corrected, "it would be mailed").toMatchObject({ failure: { code: "missing_scope" } });
  const salem = { cells: new Map([[3, "Salem"]]), allow: false };
  const early = await rowEdits.correctRow(id, refused, salem, ANA);
  expect(early).toMatchObject({ failure: { code: "in_progress" } });
  await app.sql`UPDATE bulk_rows SET cells = replace(cells, '""', '"Salem"') WHERE list_id = ${id}`;
  await rowEdits.retryRefused(id, ANA);
  expect(await stateCounts(id), "nothing is reserved for it").toEqual(oneReady);
  await lists.stopList(id, ANA);
  await rowEdits.retryRefused(id, ANA);
  expect(await lists.startList(id, 2, ANA)).toMatchObject({ ok: true });
  app.provider.fail({ kind: "status", status: 400, path: CREATE_PATH });
  const task = rowTask.sendBulkRows();
  const claimed = await task.claim(1);
  for (const row of claimed.ok ? claimed.value : []) {
    await task.work(row);
    const done = await rowEdits.correctRow(id, row.number, { cells: new Map(), allow: false }, ANA);
    expect(done, "this start paid it").toMatchObject({ ok: true });
  }
  await sendRows();
  expect(await stateCounts(id)).toEqual({ sent: 3 });
  expect(mailed() - before).toBe(3);
  expect(await app.findErrors()).toEqual([]);
});

test("a piece that a person ended is not sent again when its last call met an empty account", async () => {
  const before = mailed();
  const [id, [ended = ""]] = await sendUnanswered(1, 1);
  await app.db((db) => retries.giveUpSend(db, ended, ANA.id, "not wanted"));
  // The call that was under way when the person ended it.
  const attempts = await app.db(
    async (db) => (await db.send.findUniqueOrThrow({ where: { id: ended } })).attempts,
  );
  const answer = { status: 402, headers: {}, text: "{}", durationMs: 1 };
  await app.db((db) => pieces.refuseSend(db, { id: ended, attempts }, "out of funds", answer, "refused"));
  await sendRows();
  expect(await stateCounts(id)).toEqual({ refused: 1 });
  expect(mailed()).toBe(before);
});

test("a row gets a new attempt only after its piece was released", async () => {
  const id = await startList(1);
  const setRemaining = (credits: number) =>
    app.sql`
      UPDATE credit_reservations SET remaining = ${credits}::int
      WHERE id = (SELECT reservation_id FROM bulk_lists WHERE id = ${id})`;
  await setRemaining(0);
  await sendRows();
  expect(await loadList(id)).toMatchObject({ state: "paused" });
  expect(await loadRows(id)).toMatchObject([{ state: "ready", attempt: 0 }]);
  await setRemaining(1);
  expect(await lists.resumeList(id, ANA)).toMatchObject({ ok: true });
  await sendRows();
  expect(await loadRows(id)).toMatchObject([{ state: "sent", attempt: 0 }]);
  expect(await app.findErrors()).toEqual([]);
});

test("two processes that send two lists to the same people at once mail each person once, unless it is allowed", async () => {
  const [first, second] = [await storeList(app, 4), await storeList(app, 0)];
  const imports = await import("~/bulk/import/import-list.server");
  expect(await imports.importRowsOf(second, first, ANA)).toMatchObject({ ok: true });
  await app.sql`UPDATE bulk_lists SET tested_version = version, tested_at = now()`;
  for (const id of [first, second]) expect(await lists.startList(id, 4, ANA)).toMatchObject({ ok: true });
  const before = mailed();
  const [one, other] = [rowTask.sendBulkRows(), rowTask.sendBulkRows()];
  const claimed = [await one.claim(4), await other.claim(4)].flatMap((rows) => (rows.ok ? rows.value : []));
  await Promise.all(claimed.map((row, at) => (at % 2 === 0 ? one : other).work(row)));
  expect(mailed() - before).toBe(4);
  const rows = [...(await loadRows(first)), ...(await loadRows(second))];
  const refused = rows.filter(({ state, problemCode }) => state === "refused" && problemCode === "duplicate");
  expect([refused.length, rows.filter(({ state }) => state === "sent").length]).toEqual([4, 4]);
  const { listId = "", number = 0 } = refused[0] ?? {};
  const corrected = await rowEdits.correctRow(listId, number, { cells: new Map(), allow: true }, ANA);
  expect(corrected, "its credits are still reserved").toMatchObject({ ok: true });
  await sendRows();
  expect(mailed() - before).toBe(5);
  expect(await app.findErrors()).toEqual([]);
});

test("a piece that is sent as a list keeps its recipient", async () => {
  const id = await storeList(app, 0);
  const imports = await import("~/bulk/import/import-list.server");
  await imports.importList(id, "", imports.takeRecipient({ ...RECIPIENT, test: "1" }), ANA);
  expect(await loadRows(id)).toMatchObject([{ state: "ready", cells: expect.stringContaining("Maria") }]);
  const mapping = '["","company","address1","city","postcode","country",""]';
  await app.sql`UPDATE bulk_lists SET mapping = ${mapping} WHERE id = ${id}`;
  const other = await storeList(app, 0);
  expect(await imports.importRowsOf(other, id, ANA)).toMatchObject({ ok: true });
  expect(await loadList(other), "its rows are taken with its columns").toMatchObject({ mapping });
});

test("a row with a fault or with returned mail stops until a person allows it; other findings are counted", async () => {
  const id = await storeList(app, 0);
  const imports = await import("~/bulk/import/import-list.server");
  const { parseList } = await import("~/bulk/import/parse-list.server");
  const csv = (...rows: string[]) => {
    const text = ["First name,Last name,Address,City,ZIP,Country", ...rows].join("\n");
    return imports.importList(id, "a.csv", parseList(Buffer.from(text)), ANA);
  };
  const returned = "Rita,Gone,7 Main Street,Portland,97205,US";
  const sent = await startList(1);
  await app.sql`
    UPDATE bulk_rows SET cells = ${JSON.stringify(returned.split(","))} WHERE list_id = ${sent}`;
  await sendRows();
  await app.sql`
    UPDATE mail_items i SET status = 'returned', status_at = '2026-03-03' FROM bulk_rows r
    WHERE r.list_id = ${sent} AND i.send_id = r.send_id`;
  const { preflight } = await import("~/pieces/send/mail-body.server");
  const { buildMailCall } = await import("~/pieces/send/mail-call.server");
  const check = async (recipient: unknown, baseUrl = app.provider.baseUrl) => {
    const fields = { size: "4x6", template: "21001", recipient };
    const call = buildMailCall({ path: "postcards/create", test: true, fields, baseUrl });
    const found = call.ok ? await preflight(call.value) : call;
    return found.ok && found.value.some(({ code }) => code === "came_back");
  };
  await app.sql`UPDATE sends SET recipient_id = '1001' WHERE id IN
    (SELECT send_id FROM bulk_rows WHERE list_id = ${sent})`;
  expect([
    await check("1001"),
    await check(1002),
    await check("1001", `${app.provider.origin}/global/v1`),
  ]).toEqual([true, false, false]);

  await csv("Noa,Fay,No fixed abode,Portland,97205,US", "(Bo,Lee,1 Main Street,Portland,97205,US", returned);
  const look = async () =>
    (await loadRows(id)).map(({ state, problemCode, warning }) => [state, problemCode, warning !== null]);
  expect(await look()).toEqual([
    ["problem", "finding", false],
    ["ready", null, true],
    ["problem", "duplicate", false],
  ]);
  const allow = (number: number) => rowEdits.correctRow(id, number, { cells: new Map(), allow: true }, ANA);
  await allow(2);
  await allow(4);
  expect((await look())[2], "a second problem is shown, not allowed with the first").toEqual([
    ...["problem", "returned", false],
  ]);
  expect((await loadRows(id))[2]?.problem).toContain("Came back on 3 Mar");
  await allow(4);
  await rowEdits.saveMapping(id, { uses: JSON.parse((await loadList(id)).mapping), country: "" }, ANA);
  expect(await look()).toEqual([
    ["ready", null, true],
    ["ready", null, true],
    ["ready", null, false],
  ]);
  const stale = { cells: new Map([[3, "Salem"]]), allow: false, opened: "as it was before" };
  expect(await rowEdits.correctRow(id, 2, stale, ANA)).toMatchObject({ failure: { code: "in_progress" } });
  await rowEdits.correctRow(id, 2, { cells: new Map(), allow: false }, ANA);
  expect((await look())[0]).toEqual(["problem", "finding", false]);
  await rowEdits.allowAll(id, "duplicate", ANA);
  expect((await look())[0], "another kind of problem").toEqual(["problem", "finding", false]);
  await rowEdits.allowAll(id, "finding", ANA);
  expect((await look())[0]).toEqual(["ready", null, true]);
});

test("rows of a template whose PDF has ink in the address zone stop, and are allowed together", async () => {
  const ink = "0 0 450 306 re f";
  const { objects } = planPages(1, "/Contents 4 0 R /MediaBox [0 0 450 306]");
  const back = writePdf({ objects: [...objects, `<< /Length ${ink.length} >>\nstream\n${ink}\nendstream`] });
  const body = { back: Buffer.from(back).toString("base64"), clearzone: "false" };
  const id = await storeList(app, 2, { body });
  const mapping = JSON.parse((await loadList(id)).mapping);
  expect(await rowEdits.saveMapping(id, { uses: mapping, country: "" }, ANA)).toMatchObject({ ok: true });
  expect(await loadRows(id)).toMatchObject(
    Array(2).fill({
      state: "problem",
      problemCode: "finding",
      problem: expect.stringContaining("address zone"),
    }),
  );
  await rowEdits.allowAll(id, "finding", ANA);
  // A fault of every row is shown once, for the list.
  const warning = expect.not.stringContaining("Clear zones are off");
  expect(await loadRows(id)).toMatchObject(Array(2).fill({ state: "ready", warning }));
  const { loadListPage } = await import("~/bulk/page/load-list-page.server");
  const page = await loadListPage(id, new URL(`${app.origin}/bulk/${id}`), ANA, new Date());
  const warnings = expect.arrayContaining([expect.stringContaining("Clear zones are off")]);
  expect(page).toMatchObject({ value: { warnings } });
  await app.sql`UPDATE bulk_rows SET cells = '[' WHERE list_id = ${id} AND number = 2`;
  await expect(rowEdits.saveMapping(id, { uses: mapping, country: "" }, ANA)).rejects.toThrow();
  expect(await stateCounts(id), "the check was cut short").toEqual({ problem: 2 });
});

test("a row that is being sent or checked is erased with its person and never mailed afterwards", async () => {
  const { eraseListRows } = await import("~/bulk/erase-lists.server");
  const [id, [open = ""]] = await sendUnanswered(2, 1);
  await app.sql`
    UPDATE bulk_rows SET state = 'sending', send_id = NULL, attempt = 1, lease_until = now()
    WHERE list_id = ${id} AND state = 'sent'`;
  const before = app.provider.received.filter(({ path }) => /create$/.test(path)).length;
  const found = (await loadRows(id)).map(({ number }) => ({ listId: id, number }));
  await app.db((db) => eraseListRows(db, found));
  const { attempts } = await app.db((db) => db.send.findUniqueOrThrow({ where: { id: open } }));
  await app.db((db) => pieces.refuseSend(db, { id: open, attempts }, "not reached", null, "unreachable"));
  await sendRows();
  const rows = await loadRows(id);
  expect(rows.map(({ state, cells }) => [state, cells])).toEqual([
    ["left_out", "[]"],
    ["left_out", "[]"],
  ]);
  expect(await rowEdits.takeBack(id, 2, ANA), "nothing is left of it").toMatchObject({ ok: false });
  expect(app.provider.received.filter(({ path }) => /create$/.test(path))).toHaveLength(before);
});

test("the pieces of a list are found by it and counted, and their page and file name it", async () => {
  const { countStatuses, listMailItems } = await import("~/mail/list-items.server");
  const { streamMailItemsCsv } = await import("~/mail/items-csv.server");
  const { everyPieceOf } = await import("~/mail/piece-filter");
  const { loadPieceDetails } = await import("~/pieces/page/load-details.server");
  await app.mail(ANA.id);
  const [id, [open]] = await sendUnanswered(3, 1);
  const sent = (await loadRows(id)).map(({ sendId }) => sendId ?? "");
  const filter = { ...everyPieceOf(null), list: id };
  const page = await listMailItems({ filter, cursor: null, limit: 2 }, ANA);
  const rest = await listMailItems(
    { filter, cursor: parseCursor((page.ok && page.value.nextCursor) || "") },
    ANA,
  );
  const listed = [page, rest].flatMap((part) => (part.ok ? part.value.rows : []));
  expect(listed.map((row) => row.id).sort()).toEqual([...sent].sort());
  expect(listed.map(({ listName }) => listName)).toEqual(["spring.csv", "spring.csv", "spring.csv"]);
  const counts = await countStatuses(filter);
  expect(counts.ok && counts.value.map(({ status, count }) => [status, count])).toEqual([
    [null, 3],
    ["checking", 1],
    ["received", 2],
  ]);
  const one = { ...everyPieceOf(ANA.id), ids: [open ?? ""] };
  const file = await streamMailItemsCsv(one, ANA);
  const [, line] = (file.ok ? await new Response(file.value).text() : "").split("\r\n");
  expect(line).toMatch(/,\S+,"\d+ Main Street, Portland 97205, US",spring\.csv$/);
  const details = await loadPieceDetails(open ?? "", new Date());
  expect(details.ok && details.value.list).toEqual({ id, name: "spring.csv" });
});
