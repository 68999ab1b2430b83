import { beforeEach, describe, expect, test } from "vitest";
import type { AlarmKind } from "~/alarms/alarm-kinds";
import { closeAlarmsAbout, countOpenAlarms, markClosed, openAlarm } from "~/alarms/alarm-record.server";
import type { PrismaClient } from "../../../prisma/client/client";
import { newEmbedded } from "../../support/database/embedded";
import { setUpDatabase, setUpPostgres } from "../../support/fixtures";

const postgres = await setUpPostgres();

describe.each([
  ["PostgreSQL", await postgres.createDatabase()],
  ["embedded", newEmbedded()],
])("alarms on %s", (_kind, url) => {
  const run = setUpDatabase(url);
  let made = 0;
  let report: { kind: AlarmKind; subject: { type: "piece"; id: string } };
  const list = (db: PrismaClient) =>
    db.alarm.findMany({ where: { subjectId: report.subject.id }, orderBy: { id: "asc" } });

  beforeEach(() => {
    report = { kind: "mailed_after_release", subject: { type: "piece", id: `piece-${++made}` } };
  });

  test("the same report is counted, another one is added, another kind has its own alarm", async () => {
    await run(async (db) => {
      const before = await countOpenAlarms(db);
      const seen = { ...report, text: "The webhook says dispatched.", facts: { providerId: "7" } };
      expect(await openAlarm(db, seen)).toBe("opened");
      expect(await openAlarm(db, seen)).toBe("known");
      expect(await openAlarm(db, { ...report, text: "The list has it." })).toBe("added");
      expect(await openAlarm(db, { ...seen, kind: "settling_failed" })).toBe("opened");
      const [first, second] = await list(db);
      expect([first?.times, first?.evidence.split("\n").length, second?.times]).toEqual([3, 2, 1]);
      expect(await countOpenAlarms(db)).toBe(before + 2);
    });
  });

  test("concurrent reports open one", async () => {
    await run(async (db) => {
      const each = Array.from({ length: 8 }, (_, at) => openAlarm(db, { ...report, text: `report ${at}` }));
      const opened = await Promise.all(each);
      expect(opened.filter((how) => how === "opened")).toHaveLength(1);
      expect((await list(db)).map(({ times }) => times)).toEqual([8]);
    });
  });

  test("one that ends with a decision cannot be closed by hand", async () => {
    await run(async (db) => {
      const waiting = { ...report, kind: "approval_needed" } as const;
      await openAlarm(db, { ...waiting, text: "Ana asks." });
      const [open] = await list(db);
      expect(await markClosed(db, String(open?.id), "auth-ben", "no time")).toBe(false);
      expect((await list(db)).map(({ closedBy }) => closedBy)).toEqual([null]);
      await closeAlarmsAbout(db, waiting, "auth-ben", "approved");
      expect((await list(db)).map(({ closedBy }) => closedBy)).toEqual(["auth-ben"]);
    });
  });

  test("a closed one is opened again by the next report, but not by one marked as a repetition", async () => {
    await run(async (db) => {
      await openAlarm(db, { ...report, text: "seen" });
      await closeAlarmsAbout(db, report, "system", "settled");
      expect(await openAlarm(db, { ...report, text: "seen", once: true })).toBe("known");
      expect((await list(db)).map(({ closedBy }) => closedBy)).toEqual(["system"]);
      expect(await openAlarm(db, { ...report, text: "seen again", once: true })).toBe("opened");
      expect(await openAlarm(db, { ...report, text: "seen" })).toBe("added");
      const [, open] = await list(db);
      expect(await markClosed(db, String(open?.id), "auth-ana", "looked into")).toBe(true);
      expect(await markClosed(db, String(open?.id), "auth-ben", "too")).toBe(false);
      expect(await openAlarm(db, { ...report, text: "seen" })).toBe("opened");
      expect((await list(db)).map(({ closedBy, closeReason }) => [closedBy, closeReason])).toEqual([
        ["system", "settled"],
        ["auth-ana", "looked into"],
        [null, null],
      ]);
    });
  });

  test("one that is rolled back with its transaction leaves no trace", async () => {
    await run(async (db) => {
      const failed = db.$transaction(async (tx) => {
        await openAlarm(tx, { ...report, text: "seen" });
        throw new Error("rolled back");
      });
      await expect(failed).rejects.toThrow("rolled back");
      expect(await list(db)).toEqual([]);
    });
  });
});
