import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSteps } from "../../support/child-steps";
import { copyProject, PROJECT } from "../../support/console/console-build";
import { command } from "../../support/database/postgres";
import { setUpMailConsole, setUpPostgres } from "../../support/fixtures";

/** A console of the present version sends live mail while processes of the next version change the table of sends. */

const NEXT = "29990101000000_next";
/** A lock wait of 2 s, with a margin for a busy machine. */
const LONGEST_SEND_MS = 10_000;

const postgres = await setUpPostgres();
/** A project with one additional migration; programs that start in it are the next version. */
let project: string;

const url = await postgres.createDatabase();
const app = await setUpMailConsole(url);
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "mailroom-next-"));
  await copyProject(PROJECT, project, ["prisma/migrations"]);
  await cp(process.env.TEST_PROGRAMS_FOLDER ?? "", join(project, "programs"), { recursive: true });
  await mkdir(join(project, "prisma", "migrations", NEXT));
  await writeFile(
    join(project, "prisma", "migrations", NEXT, "migration.sql"),
    `ALTER TABLE "sends" ADD COLUMN "next" TEXT; ALTER TABLE "mail_items" ADD COLUMN "next" TEXT;`,
  );
});

afterAll(() => rm(project, { recursive: true, force: true }));

test("during an upgrade and a long read, live mail waits no longer than one lock wait", async () => {
  await app.grant("user-a", 100_000);
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  await reader.query("BEGIN; SELECT count(*) FROM sends");

  const durations: number[] = [];
  let ended = false;
  const sending = (async () => {
    while (!ended) {
      const startedAt = performance.now();
      await app.mail("user-a");
      expect((await app.get("/api/mail/items?userId=user-a&type=postcard")).status).toBe(200);
      durations.push(performance.now() - startedAt);
    }
  })();
  // Its failure is rethrown at the end.
  sending.catch(() => undefined);
  const program = join(project, "programs", "database-process.mjs");
  const upgrades = [1, 2].map(() => startSteps(program, ["use", url]));
  const countBlocked = async () => {
    const { rowCount } = await command(
      url,
      `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE relation = 'sends'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted
         AND datname = current_database()`,
    );
    return rowCount ?? 0;
  };
  try {
    await expect.poll(countBlocked).toBe(1);
    const sent = durations.length;
    // Through the pause and the next attempt.
    await expect.poll(() => durations.length - sent).toBeGreaterThan(5);
    await expect.poll(countBlocked).toBe(1);
    await reader.query("COMMIT");
    const answers = await Promise.all(upgrades.map(({ waitFor }) => waitFor(() => true)));
    expect(answers).toEqual(['{"ok":true,"value":1}', '{"ok":true,"value":1}']);
    const upgraded = durations.length;
    await expect.poll(() => durations.length - upgraded).toBeGreaterThan(5);
  } finally {
    ended = true;
    await reader.end();
    await Promise.all(upgrades.map(({ stop }) => stop("SIGTERM")));
    await sending;
  }
  expect(Math.max(...durations)).toBeLessThan(LONGEST_SEND_MS);
  const { rows } = await command(
    url,
    `SELECT m.migration_name, count(*)::int AS times FROM _prisma_migrations m
     JOIN information_schema.columns ON table_name = 'sends' AND column_name = 'next'
     GROUP BY 1 ORDER BY 1 DESC LIMIT 1`,
  );
  expect(rows).toEqual([{ migration_name: NEXT, times: 1 }]);
  expect(await app.findErrors()).toEqual([]);
});
