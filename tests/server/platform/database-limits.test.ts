import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { readLong } from "~/platform/database/database.server";
import { type Database, openDatabase } from "~/platform/database/open-database.server";
import { Prisma } from "../../../prisma/client/client";
import { command } from "../../support/database/postgres";
import { setUpPostgres } from "../../support/fixtures";

const postgres = await setUpPostgres();
let database: Database;
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await database.close();
});

function open(url: string): Database {
  database = openDatabase({ kind: "postgres", url }, { use: "a test", shared: false });
  return database;
}

async function readSettings(): Promise<unknown> {
  const read = await database.run(
    (db) => db.$queryRaw`
      SELECT current_setting('statement_timeout') AS "statement", current_setting('TimeZone') AS "zone",
        current_setting('idle_in_transaction_session_timeout') AS "idle", current_setting('work_mem') AS "memory"`,
  );
  return read.ok ? read.value : read.failure;
}

test("each connection has its limits from its start, in addition to the options of the address", async () => {
  open(await postgres.createDatabase());
  expect(await readSettings()).toMatchObject([{ statement: "20s", idle: "20s", zone: "UTC" }]);
  await database.close();
  const address = new URL(await postgres.createDatabase());
  address.searchParams.set("options", "-c work_mem=7MB");
  open(address.href);
  expect(await readSettings()).toMatchObject([{ statement: "20s", memory: "7MB", zone: "UTC" }]);
});

test("a pooler that refuses limits is used without them, so that they apply to no other client", async () => {
  const pooler = await startRefusingPooler(await postgres.createDatabase());
  open(pooler.url);
  expect(await readSettings()).toMatchObject([{ statement: "0", idle: "0", zone: "UTC" }]);
  expect(pooler.refused).toBe(1);
});

test("a query of whole tables may take longer than the limit of a statement", async () => {
  const url = await postgres.createDatabase();
  open(url);
  const locker = new pg.Client({ connectionString: url });
  await readSettings();
  await locker.connect();
  closing.push(() => locker.end());
  await locker.query("BEGIN; LOCK TABLE credit_accounts");
  const result = database.run(async (db) => {
    await db.$executeRaw`SET statement_timeout = '300ms'`;
    return readLong(db, Prisma.sql`SELECT count(*)::int AS count FROM credit_accounts`);
  });
  const waiting = async () => {
    const found = await command(
      url,
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND clock_timestamp() - query_start > interval '600 ms'`,
    );
    return found.rowCount;
  };
  await expect.poll(waiting).toBe(1);
  await locker.query("COMMIT");
  expect(await result).toEqual({ ok: true, value: [{ count: 0 }] });
});

/** Refuses the start messages that `pgbouncer` refuses, and forwards everything else. */
async function startRefusingPooler(target: string): Promise<{ url: string; readonly refused: number }> {
  const far = new URL(target);
  const sockets = new Set<Socket>();
  let refused = 0;
  const server = createServer((near) => {
    sockets.add(near);
    near.on("error", () => near.destroy());
    near.once("data", (start) => {
      if (start.includes("statement_timeout")) {
        refused += 1;
        const fields = Buffer.from("SFATAL\0C08P01\0Munsupported startup parameter in options\0\0");
        const head = Buffer.alloc(5, "E");
        head.writeInt32BE(fields.length + 4, 1);
        near.end(Buffer.concat([head, fields]));
        return;
      }
      const beyond = connect(Number(far.port), far.hostname);
      sockets.add(beyond);
      beyond.on("error", () => near.destroy());
      beyond.write(start);
      near.pipe(beyond).pipe(near);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String(typeof address === "object" && address ? address.port : 0);
  return {
    url: url.href,
    get refused() {
      return refused;
    },
  };
}
