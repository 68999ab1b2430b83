import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import { failNotPossible } from "~/bulk/messages";
import { backUp } from "~/platform/database/backup.server";
import { parseEnvironment } from "~/platform/env.server";
import { storeList } from "../../support/bulk/stored-list";
import { loadEnvironment } from "../../support/console/environment";
import { type MailConsole, startMailConsole } from "../../support/console/mail-console";
import { ANA, viewerOf } from "../../support/console/payment-console";
import { countBlocked } from "../../support/database/blocked";
import { drain } from "../../support/drain";
import { setUpPostgres } from "../../support/fixtures";

/** Starts and pauses of lists, and requests that are refused while a list changes. */

const BO = viewerOf("bo");
const HOUR_MS = 3_600_000;
const CREATE = /postcards\/create/;

const postgres = await setUpPostgres();
let url: string;
let app: MailConsole;

afterEach(async () => {
  vi.useRealTimers();
  await app?.close();
});

async function open(variables: Record<string, string> = {}) {
  url = await postgres.createDatabase();
  app = await startMailConsole(url, { variables });
  await app.grant(ANA.id, 20);
  return load();
}

async function load() {
  return {
    ...(await import("~/bulk/sending/list-transitions.server")),
    ...(await import("~/bulk/sending/start-times.server")),
    ...(await import("~/bulk/sending/cancel-pieces.server")),
    ...(await import("~/bulk/sending/send-rows.server")),
    ...(await import("~/bulk/sending/restored-lists.server")),
    ...(await import("~/bulk/rows/edit-rows.server")),
  };
}

const code = (done: { ok: boolean; failure?: { code: string } }) => (done.ok ? "done" : done.failure?.code);
const list = (id: string) => app.db((db) => db.bulkList.findUniqueOrThrow({ where: { id } }));
const rows = (id: string) =>
  app.db((db) => db.bulkRow.findMany({ where: { listId: id }, orderBy: { number: "asc" } }));
const openAlarms = (id: string) =>
  app.db((db) => db.alarm.count({ where: { kind: "list_paused", subjectId: id, closedAt: null } }));

test("the starter is the actor of the pieces, with the starter's daily limit; the pause opens an alarm", async () => {
  const lists = await open({ DAILY_CREDITS_PER_PERSON: "2" });
  const id = await storeList(app, 3);
  expect(code(await lists.startList(id, 3, BO))).toBe("done");
  await drain(lists.sendBulkRows());
  const sends = await app.db((db) => db.send.findMany());
  expect(sends.map(({ actorId, userId, state }) => [actorId, userId, state])).toEqual([
    [BO.id, ANA.id, "accepted"],
    [BO.id, ANA.id, "accepted"],
  ]);
  expect(await list(id)).toMatchObject({ state: "paused", starterEmail: BO.email });
  expect(await openAlarms(id)).toBe(1);
  expect(await app.findErrors()).toEqual([]);

  expect(code(await lists.resumeList(id, ANA))).toBe("done");
  expect(await openAlarms(id)).toBe(0);
  await drain(lists.sendBulkRows());
  expect(await openAlarms(id), "the limit is still used up").toBe(1);
  expect(code(await lists.stopList(id, ANA))).toBe("done");
  expect(await openAlarms(id)).toBe(0);
  // Ana's own limit is unused.
  expect(code(await lists.startList(id, 1, ANA))).toBe("done");
  await drain(lists.sendBulkRows());
  expect((await rows(id)).map(({ state }) => state)).toEqual(["sent", "sent", "sent"]);
  expect(await app.findErrors()).toEqual([]);
});

test("a list is not started while all its pieces are cancelled, or rows of the last start are being sent", async () => {
  const lists = await open();
  const id = await storeList(app, 2);
  expect(code(await lists.leaveOut(id, 3, ANA))).toBe("done");
  await lists.startList(id, 1, ANA);
  await drain(lists.sendBulkRows());
  await lists.finishLists();
  expect(code(await lists.cancelPieces(id, ANA))).toBe("done");
  expect(code(await lists.takeBack(id, 3, ANA))).toBe("done");
  expect(code(await lists.startList(id, 1, ANA))).toBe("in_progress");
  await drain(lists.cancelBulkPieces);
  await lists.cancelBulkPieces.cleanUp?.();

  const underWay = (state: string) =>
    app.db((db) => db.bulkRow.updateMany({ where: { listId: id, number: 3 }, data: { state } }));
  await underWay("sending");
  expect(code(await lists.startList(id, 0, ANA))).toBe("in_progress");
  await underWay("ready");
  expect(code(await lists.startList(id, 1, ANA))).toBe("done");
  await drain(lists.sendBulkRows());
  await drain(lists.cancelBulkPieces);
  const states = await app.db((db) => db.send.findMany({ orderBy: { createdAt: "asc" } }));
  expect(states.map(({ state }) => state)).toEqual(["cancelled", "accepted"]);
});

test.each(["correct", "take back", "leave out", "retry"])(
  "%s: a change that began before the list waits for approval is not stored",
  async (kind) => {
    const lists = await open();
    const id = await storeList(app, 1);
    const state = { correct: "ready", "take back": "left_out", "leave out": "ready", retry: "refused" }[kind];
    await app.db((db) => db.bulkRow.updateMany({ data: { state } }));
    const before = await rows(id);
    const change = () => {
      if (kind === "take back") return lists.takeBack(id, 2, BO);
      if (kind === "leave out") return lists.leaveOut(id, 2, BO);
      if (kind === "retry") return lists.retryRefused(id, BO);
      return lists.correctRow(id, 2, { cells: new Map([[0, "Someone else"]]), allow: false }, BO);
    };
    const changed = await app.db((db) =>
      db.$transaction(
        async (tx) => {
          await tx.$queryRaw`SELECT 1 FROM bulk_lists WHERE id = ${id} FOR UPDATE`;
          const changing = change();
          await expect.poll(() => app.db(countBlocked)).toBe(1);
          await tx.$executeRaw`
            UPDATE bulk_lists SET state = 'awaiting_approval', approval_from = 'draft', approval_asked_by = 'auth-ana',
              approval_asked_at = now(), approval_rows = 1, approval_hash = '' WHERE id = ${id}`;
          return { changing };
        },
        { timeout: 30_000 },
      ),
    );
    await changed.changing;
    expect(await rows(id)).toEqual(before);
  },
);

test("a list of a person who is no longer on the allow-lists pauses with an alarm; another person starts it", async () => {
  const lists = await open({
    OAUTH_ISSUER: "http://127.0.0.1:9",
    OAUTH_CLIENT_ID: "mailroom",
    OAUTH_CLIENT_SECRET: "secret",
    OAUTH_ALLOWED_EMAILS: "ana@example.com",
  });
  const id = await storeList(app, 1);
  await lists.startList(id, 1, BO);
  await drain(lists.sendBulkRows());
  expect(await app.db((db) => db.send.count())).toBe(0);
  expect(await list(id)).toMatchObject({ state: "paused" });
  expect(await openAlarms(id)).toBe(1);
  await lists.stopList(id, ANA);
  expect(code(await lists.startList(id, 1, ANA))).toBe("done");
  await drain(lists.sendBulkRows());
  expect((await rows(id)).map(({ state }) => state)).toEqual(["sent"]);
});

test("a test counts for seven days, and quotes the provider's price in its currency", async () => {
  const lists = await open({ STANNP_CURRENCY: "EUR" });
  const old = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
  const id = await storeList(app, 1, { testedAt: old });
  expect(code(await lists.startList(id, 1, ANA))).toBe("bad_input");
  const { testRows } = await import("~/bulk/sending/test-rows.server");
  app.provider.fail({ kind: "answer-live", path: CREATE });
  expect(JSON.stringify(await testRows(id, "2", ANA))).toContain("mailed");
  expect(code(await testRows(id, "2", ANA))).toBe("done");
  const { loadListPage } = await import("~/bulk/page/load-list-page.server");
  const page = await loadListPage(id, new URL(`${app.origin}/bulk/${id}`), ANA, new Date());
  expect(page).toMatchObject({ value: { quote: { providerCost: expect.stringMatching(/^€\d/) } } });
  await lists.correctRow(id, 2, { cells: new Map([[3, "Salem"]]), allow: false }, ANA);
  expect(await rows(id), "its PDF is no longer shown").toMatchObject([{ testedVersion: null }]);
  expect(code(await lists.startList(id, 1, ANA))).toBe("done");
});

test("a list that is restored sends nothing until a person resumes it, and skips pieces that were mailed after the backup", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mailroom-list-"));
  try {
    const before = await open();
    const id = await storeList(app, 4);
    const draft = await storeList(app, 1);
    await before.startList(id, 4, ANA);
    const task = before.sendBulkRows();
    const claimed = await task.claim(1);
    if (!claimed.ok) throw new Error(claimed.failure.message);
    for (const row of claimed.value) await task.work(row);
    const file = join(folder, "mid-list.backup");
    await backUp(parseEnvironment({ DATABASE_URL: url }).database, file);
    await app.db((db) =>
      db.bulkRow.updateMany({ where: { listId: id, number: 5 }, data: { state: "left_out" } }),
    );
    await drain(before.sendBulkRows());
    const mailed = () => app.provider.received.filter(({ path }) => CREATE.test(path)).length;
    expect(mailed()).toBe(3);

    const restored = await postgres.createDatabase({ empty: true });
    const env = { PATH: process.env.PATH ?? "", NODE_ENV: "test", MAILROOM_DATABASE_URL: restored } as const;
    await promisify(execFile)(process.execPath, ["--import", "tsx", "prisma/restore.ts", file], { env });
    const kept = Object.entries(process.env).filter(([name]) => /^(APP_|SESSION_|STANNP_|LOG_)/.test(name));
    await loadEnvironment({ ...Object.fromEntries(kept), MAILROOM_DATABASE_URL: restored });
    const after = await load();
    const { closeDatabase } = await import("~/platform/database/database.server");

    await drain(after.sendBulkRows());
    expect(await list(id)).toMatchObject({ state: "paused", note: expect.any(String) });
    expect(await openAlarms(id)).toBe(1);
    expect(mailed()).toBe(3);

    app.provider.fail({ kind: "status", status: 500, path: /reporting\/list/ });
    expect(code(await after.resumeList(id, BO))).toBe("provider_unreachable");
    expect(await list(id)).toMatchObject({ state: "paused" });
    expect(code(await after.resumeList(id, BO))).toBe("done");
    expect(await openAlarms(id)).toBe(0);
    await drain(after.sendBulkRows());
    await after.finishLists();
    expect((await rows(id)).map(({ state }) => state)).toEqual(["sent", "left_out", "left_out", "sent"]);
    expect(mailed(), "one row was not mailed before").toBe(4);
    expect(await list(id)).toMatchObject({ state: "finished", restoredAt: null });
    expect(code(await after.startList(draft, 1, ANA))).toBe("done");
    await closeDatabase();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("a start of many pieces, or a scheduled one, sends nothing until its time and can be undone or moved", async () => {
  const lists = await open();
  const id = await storeList(app, 26);
  const count = (state: string) => app.db((db) => db.bulkRow.count({ where: { listId: id, state } }));
  const held = async () =>
    (await app.db((db) => db.creditAccount.findUniqueOrThrow({ where: { userId: ANA.id } }))).held;
  await app.grant(ANA.id, 40);
  const before = await held();
  expect(code(await lists.startList(id, 26, ANA))).toBe("done");
  await drain(lists.sendBulkRows());
  expect([await count("ready"), await held()]).toEqual([26, before + 26]);
  expect(code(await lists.pauseList(id, ANA))).toBe("bad_input");
  expect(code(await lists.undoStart(id, ANA))).toBe("done");
  expect(await list(id)).toMatchObject({ state: "draft", startedAt: null, startsAt: null, nextAt: null });
  expect(await held()).toBe(before);
  expect(await lists.undoStart(id, ANA), "a second press").toEqual(failNotPossible("draft"));

  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  for (const days of [-1, 31]) {
    expect(code(await lists.startList(id, 26, ANA, inDays(days)))).toBe("bad_input");
  }
  expect(code(await lists.startList(id, 26, ANA, inDays(2)))).toBe("done");
  expect(code(await lists.moveStart(id, inDays(31), ANA))).toBe("bad_input");
  expect(code(await lists.moveStart(id, inDays(3), ANA))).toBe("done");
  await app.db((db) => db.$executeRawUnsafe(lists.PAUSE_RESTORED_LISTS));
  expect(code(await lists.resumeList(id, ANA))).toBe("done");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 100 * HOUR_MS });
  await drain(lists.sendBulkRows());
  expect([await count("ready"), await held()], "a restored list, too").toEqual([26, before + 26]);
  // Makes it due, by the clock of the database, for two processes at once.
  await app.sql`
    UPDATE bulk_lists SET starts_at = now(), next_at = now(), started_at = now() WHERE id = ${id}`;
  expect(code(await lists.undoStart(id, ANA))).toBe("bad_input");
  expect(code(await lists.moveStart(id, inDays(1), ANA))).toBe("bad_input");
  vi.setSystemTime(Date.now() - 200 * HOUR_MS);
  await Promise.all([drain(lists.sendBulkRows()), drain(lists.sendBulkRows())]);
  await drain(lists.sendBulkRows());
  expect([await count("sent"), (await list(id)).state, await held()]).toEqual([26, "finished", before]);
  vi.useRealTimers();
  const { endedAt } = await list(id);
  await app.sql`UPDATE bulk_rows SET state = 'ready' WHERE list_id = ${id} AND number = 2`;
  expect(code(await lists.startList(id, 1, ANA, inDays(2)))).toBe("done");
  expect(code(await lists.undoStart(id, ANA))).toBe("done");
  expect(await list(id), "as before").toMatchObject({ state: "finished", endedAt });
  const keys = app.provider.pieces.filter(({ test }) => !test).length;
  expect(keys).toBe(await app.db((db) => db.send.count({ where: { state: "accepted" } })));
});
