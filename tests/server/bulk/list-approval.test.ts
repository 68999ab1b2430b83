import { beforeAll, expect, test } from "vitest";
import { storeList } from "../../support/bulk/stored-list";
import { RECIPIENT } from "../../support/console/mail-console";
import { ANA, viewerOf } from "../../support/console/payment-console";
import { drain } from "../../support/drain";
import { readLetter } from "../../support/files/letter-reader";
import { setUpMailConsole, setUpPostgres } from "../../support/fixtures";

/** With `APPROVAL_ABOVE_CREDITS=1`, a list of two postcards, or one letter, needs approval. */

const [BO, CY, DI] = [viewerOf("bo"), viewerOf("cy"), viewerOf("di")];

const postgres = await setUpPostgres();
let lists: typeof import("~/bulk/sending/list-transitions.server");
let approval: typeof import("~/bulk/sending/list-approval.server");

const app = await setUpMailConsole(await postgres.createDatabase(), {
  variables: { APPROVAL_ABOVE_CREDITS: "1" },
});
beforeAll(async () => {
  lists = await import("~/bulk/sending/list-transitions.server");
  approval = await import("~/bulk/sending/list-approval.server");
  await app.grant(ANA.id, 20);
});
const makeList = (rows: number) => storeList(app, rows);
const list = (id: string) => app.db((db) => db.bulkList.findUniqueOrThrow({ where: { id } }));
const held = () =>
  app.db(async (db) => (await db.creditAccount.findUniqueOrThrow({ where: { userId: ANA.id } })).held);
const openAlarms = (id: string) =>
  app.db((db) => db.alarm.count({ where: { kind: "approval_needed", subjectId: id, closedAt: null } }));
const code = (done: { ok: boolean; failure?: { code: string } }) => (done.ok ? "done" : done.failure?.code);

test("a list up to the limit starts, a larger one waits: nothing is reserved and nothing can be changed", async () => {
  const small = await makeList(1);
  expect(code(await lists.startList(small, 1, ANA))).toBe("done");
  expect(await list(small)).toMatchObject({ state: "running", approvedBy: null });
  await lists.stopList(small, ANA);

  const id = await makeList(3);
  expect(code(await lists.startList(id, 3, BO))).toBe("done");
  expect(await list(id)).toMatchObject({ state: "awaiting_approval", reservationId: null });
  expect(await held()).toBe(0);
  expect(await openAlarms(id)).toBe(1);
  const edit = await import("~/bulk/rows/edit-rows.server");
  expect(code(await edit.leaveOut(id, 2, ANA))).toBe("in_progress");
  expect(code(await edit.retryRefused(id, ANA))).toBe("in_progress");
  const refused = { state: "refused", isOfThisStart: true } as const;
  expect(code(await lists.resumeList(id, ANA))).toBe("bad_input");
  const same = { cells: new Map(), allow: false };
  expect(code(await edit.correctRow(id, 2, same, ANA))).toBe("in_progress");
  expect(await lists.startList(id, 3, DI)).toMatchObject({ value: expect.stringMatching("approve") });

  await app.sql`UPDATE bulk_lists SET starts_at = now() WHERE id = ${id}`;
  const { loadList } = await import("~/bulk/list-record.server");
  expect(await loadList(id), "nothing starts yet").toMatchObject({ value: { startsAt: null } });
  for (const self of [ANA, BO]) expect(code(await lists.approveList(id, 3, self))).toBe("forbidden");
  expect(await held()).toBe(0);
  expect(code(await lists.approveList(id, 3, CY))).toBe("done");
  expect(await list(id)).toMatchObject({ state: "running", approvedBy: CY.id });
  expect(await held()).toBe(3);
  expect(await openAlarms(id)).toBe(0);
  expect(edit.isCorrectable({ state: "running", approvedBy: CY.id }, refused)).toBe(false);
  expect(code(await lists.approveList(id, 3, CY)), "once").toBe("bad_input");
  await lists.stopList(id, ANA);
  expect(await held()).toBe(0);
});

test("a refusal needs a reason and returns the list; the requester can withdraw", async () => {
  const id = await makeList(2);
  await lists.startList(id, 2, ANA);
  expect(code(await approval.refuseList(id, "", BO))).toBe("bad_input");
  expect(await list(id)).toMatchObject({ state: "awaiting_approval" });
  expect(code(await approval.refuseList(id, "Wrong voucher", BO))).toBe("done");
  expect(await list(id)).toMatchObject({ state: "draft", note: expect.stringContaining("Wrong voucher") });
  expect(await openAlarms(id)).toBe(0);

  await lists.startList(id, 2, ANA);
  expect(code(await approval.refuseList(id, "", ANA))).toBe("done");
  expect(await list(id)).toMatchObject({ state: "draft" });
  expect(code(await lists.approveList(id, 2, BO))).toBe("bad_input");
});

test.each([
  ["rows", "UPDATE bulk_rows SET cells = replace(cells, 'Portland', 'Salem') WHERE number = 2"],
  ["template", "UPDATE bulk_lists SET design = replace(design, '21001', '21002')"],
  ["use of columns", "UPDATE bulk_lists SET mapping = replace(mapping, 'address1', 'company')"],
  ["test that still counts", "UPDATE bulk_lists SET tested_at = now() - interval '8 days'"],
])("the started list has exactly the %s for which approval was requested", async (_what, change) => {
  const id = await makeList(2);
  await lists.startList(id, 2, ANA);
  expect((await list(id)).approvalHash).toMatch(/^[0-9a-f]{64}$/);
  const ofList = change.includes("bulk_rows")
    ? `${change} AND list_id = '${id}'`
    : `${change} WHERE id = '${id}'`;
  await app.db((db) => db.$executeRawUnsafe(ofList));
  expect(code(await lists.approveList(id, 2, BO))).toBe("bad_input");
  expect(await list(id)).toMatchObject({ state: "draft", reservationId: null });
  expect(await held()).toBe(0);
  expect(await openAlarms(id)).toBe(0);
});

test("the starts of a list, and of a person in 24 hours, count together; approved ones do not", async () => {
  const { sendBulkRows } = await import("~/bulk/sending/send-rows.server");
  const { leaveOut, takeBack } = await import("~/bulk/rows/edit-rows.server");
  const id = await makeList(2);
  await leaveOut(id, 3, ANA);
  await lists.startList(id, 1, BO);
  await drain(sendBulkRows());
  await lists.finishLists();
  expect(await list(id)).toMatchObject({ state: "finished" });
  await takeBack(id, 3, ANA);
  await lists.startList(id, 1, CY);
  expect(await list(id), "the second part of one list").toMatchObject({ state: "awaiting_approval" });

  const other = await makeList(1);
  await lists.startList(other, 1, BO);
  expect(await list(other), "Bo's second list").toMatchObject({ state: "awaiting_approval" });
  expect(code(await lists.approveList(other, 1, CY))).toBe("done");
  await lists.stopList(other, ANA);

  expect(code(await lists.approveList(id, 1, BO))).toBe("done");
  await drain(sendBulkRows());
  const third = await makeList(1);
  await lists.startList(third, 1, CY);
  expect(await list(third), "Cy's first list was approved").toMatchObject({ state: "running" });
  await lists.stopList(third, ANA);
  await lists.finishLists();
});

test("the proof of a list names who approved it, each piece with its ledger hash, and shows the first one", async () => {
  const { sendBulkRows } = await import("~/bulk/sending/send-rows.server");
  const { makeListProof } = await import("~/bulk/page/list-proof.server");
  const id = await makeList(2);
  const name = "Łódź, Ωμέγα, Москва";
  await app.db((db) => db.bulkList.update({ where: { id }, data: { name } }));
  await lists.startList(id, 2, BO);
  expect(code(await makeListProof(id, 1))).toBe("not_found");
  await lists.approveList(id, 2, CY);
  await drain(sendBulkRows());
  await lists.finishLists();
  const proof = await makeListProof(id, 1);
  if (!proof.ok) throw new Error(proof.failure.message);
  const pages = await readLetter(proof.value);
  const text = pages.map((page) => page.text.replace(/\s+/g, " ")).join(" ");
  const rows = await app.db((db) => db.bulkRow.findMany({ where: { listId: id } }));
  const ledger = await app.db((db) =>
    db.creditTransaction.findMany({ where: { causeKey: { in: rows.map(({ sendId }) => sendId ?? "") } } }),
  );
  expect(ledger).toHaveLength(2);
  const parts = [
    name,
    "approved by cy",
    "Pieces 1 to 2 of 2",
    "2 Main Street",
    ...ledger.map(({ hash }) => hash),
  ];
  for (const part of parts) expect(text).toContain(part);
  // The provider's PDF has the address as text too.
  expect(pages.at(-1)?.text).toContain("Portland");
  const again = await makeListProof(id, 1);
  expect(again.ok && Buffer.compare(again.value, proof.value)).toBe(0);
  expect(code(await makeListProof(id, 2))).toBe("not_found");
});

test("a person who imported or changed a row does not approve the list", async () => {
  const { correctRow } = await import("~/bulk/rows/edit-rows.server");
  const id = await makeList(3);
  expect(code(await correctRow(id, 2, { cells: new Map([[3, "Boise"]]), allow: false }, BO))).toBe("done");
  await app.db((db) =>
    db.bulkRow.updateMany({ where: { listId: id, number: 3 }, data: { changedBy: DI.id } }),
  );
  await lists.startList(id, 3, ANA);
  for (const self of [BO, DI]) expect(code(await lists.approveList(id, 3, self))).toBe("forbidden");
  expect(await list(id)).toMatchObject({ state: "awaiting_approval" });
  expect(code(await lists.approveList(id, 3, CY))).toBe("done");
  await lists.stopList(id, ANA);
});

test("a list that waits, or is paused, until it is erased stops: its alarm ends, and its credits are released", async () => {
  const id = await makeList(3);
  expect(code(await lists.startList(id, 3, ANA))).toBe("done");
  expect(await openAlarms(id)).toBe(1);
  await app.sql`
    UPDATE bulk_lists SET created_at = now() - interval '40 days', imported_at = now() WHERE id = ${id}`;
  const { expireLists } = await import("~/bulk/erase-lists.server");
  const expire = () => app.db((db) => expireLists(db, 30));
  await expire();
  expect(await list(id), "its rows are young").toMatchObject({ state: "awaiting_approval" });
  await app.sql`UPDATE bulk_lists SET imported_at = NULL WHERE id = ${id}`;
  await app.sql`ALTER TABLE bulk_rows ADD CONSTRAINT kept CHECK (cells <> '[]') NOT VALID`;
  await expect(expire()).rejects.toThrow("kept");
  expect(await list(id), "all or nothing").toMatchObject({ erasedAt: null });
  await app.sql`ALTER TABLE bulk_rows DROP CONSTRAINT kept`;
  const paused = await makeList(1);
  await lists.startList(paused, 1, DI);
  await lists.pauseList(paused, ANA);
  await expire();
  expect(await list(id)).toMatchObject({ state: "stopped" });
  expect(await openAlarms(id)).toBe(0);
  expect([(await list(paused)).state, await held()]).toEqual(["paused", 1]);
  await app.sql`UPDATE bulk_lists SET created_at = '2020-01-01', started_at = '2020-01-01' WHERE id = ${paused}`;
  await expire();
  expect([(await list(paused)).state, await held()]).toEqual(["stopped", 0]);
});

test("one piece above the limit is refused, one below it is sent; an unpaid list requests no approval", async () => {
  const letter = { size: "US-LETTER", template: "21001", recipient: RECIPIENT };
  const sent = app.provider.received.length;
  const refused = await app.proxy({ path: "letters/create", body: letter, user_id: ANA.id });
  expect(refused).toMatchObject({ status: 403, json: { code: "needs_approval" } });
  expect(app.provider.received).toHaveLength(sent);
  await app.mail(ANA.id, "postcard");
  const id = await makeList(50);
  expect(code(await lists.startList(id, 50, ANA))).toBe("insufficient_credits");
  expect(await list(id)).toMatchObject({ state: "draft" });
});
