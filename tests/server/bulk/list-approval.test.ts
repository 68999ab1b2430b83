import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Viewer } from "~/people/viewer.server";
import { type MailConsole, RECIPIENT, startMailConsole } from "../../support/console/mail-console";
import { ANA } from "../../support/console/payment-console";
import { type Postgres, startPostgres } from "../../support/database/postgres";

/** `APPROVAL_ABOVE_CREDITS=1`: a list of two postcards, or one letter, is too much for one person. */

const person = (name: string): Viewer => ({
  ...ANA,
  id: `auth-${name}`,
  subject: name,
  displayName: name,
  actorId: `auth-${name}`,
});
const [BO, CY] = [person("bo"), person("cy")];

let postgres: Postgres;
let app: MailConsole;
let lists: typeof import("~/bulk/sending/list-transitions.server");
let approval: typeof import("~/bulk/sending/list-approval.server");

beforeAll(async () => {
  postgres = await startPostgres();
  app = await startMailConsole(await postgres.createDatabase(), {
    variables: { APPROVAL_ABOVE_CREDITS: "1" },
  });
  lists = await import("~/bulk/sending/list-transitions.server");
  approval = await import("~/bulk/sending/list-approval.server");
  await app.grant(ANA.id, 20);
});
afterAll(async () => {
  await app?.close();
  await postgres?.close();
});

/** A tested list that Ana made. */
async function makeList(rows: number): Promise<string> {
  const id = randomUUID();
  await app.db(async (db) => {
    const list = { id, actorId: ANA.id, userId: ANA.id, name: "spring.csv", mailType: "postcard" };
    const design = JSON.stringify({
      baseUrl: app.provider.baseUrl,
      path: "postcards/create",
      body: {},
      files: {},
    });
    await db.bulkList.create({ data: { ...list, design, columns: '["Name"]', testedVersion: 0 } });
    const data = Array.from({ length: rows }, (_, at) => ({ number: at + 2, cells: `["Row ${at}"]` }));
    await db.bulkRow.createMany({ data: data.map((row) => ({ ...row, listId: id, state: "ready" })) });
  });
  return id;
}

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
  expect(code(await edit.leaveOut(id, 2))).toBe("in_progress");
  expect(code(await edit.retryRefused(id))).toBe("in_progress");
  expect(code(await lists.resumeList(id))).toBe("bad_input");
  expect(edit.isCorrectable({ state: "awaiting_approval", approvedBy: null }, "ready")).toBe(false);

  for (const self of [ANA, BO]) expect(code(await lists.approveList(id, 3, self))).toBe("forbidden");
  expect(await held()).toBe(0);
  expect(code(await lists.approveList(id, 3, CY))).toBe("done");
  expect(await list(id)).toMatchObject({ state: "running", approvedBy: CY.id });
  expect(await held()).toBe(3);
  expect(await openAlarms(id)).toBe(0);
  expect(edit.isCorrectable({ state: "running", approvedBy: CY.id }, "refused")).toBe(false);
  expect(code(await lists.approveList(id, 3, CY)), "once").toBe("bad_input");
  await lists.stopList(id, ANA);
  expect(await held()).toBe(0);
});

test("a refusal needs a reason and gives the list back; who asked can withdraw", async () => {
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

test("what is started is what was asked for, to the letter", async () => {
  const id = await makeList(2);
  await lists.startList(id, 2, ANA);
  await app.db(
    (db) => db.$executeRaw`UPDATE bulk_rows SET cells = '["Other"]' WHERE list_id = ${id} AND number = 2`,
  );
  expect(code(await lists.approveList(id, 2, BO))).toBe("bad_input");
  expect(await list(id)).toMatchObject({ state: "draft", reservationId: null });
  expect(await held()).toBe(0);
  expect(await openAlarms(id)).toBe(0);
});

test("a list that waits until it is erased stops, and its alarm ends", async () => {
  const id = await makeList(3);
  expect(code(await lists.startList(id, 3, ANA))).toBe("done");
  expect(await openAlarms(id)).toBe(1);
  await app.db(
    (db) => db.$executeRaw`UPDATE bulk_lists SET created_at = now() - interval '40 days' WHERE id = ${id}`,
  );
  const { expireLists } = await import("~/bulk/erase-lists.server");
  await app.db((db) => expireLists(db, 30));
  expect(await list(id)).toMatchObject({ state: "stopped" });
  expect(await openAlarms(id)).toBe(0);
});

test("one piece above the limit is refused, one below it is sent; a list that cannot be paid is not asked about", async () => {
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
