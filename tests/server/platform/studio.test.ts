import { readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "~/platform/database/open-database.server";
import { findSocketFolder } from "~/platform/database/studio-socket.server";
import type { DatabaseTarget } from "~/platform/env.server";
import { seedUsers } from "../../../prisma/seed";
import { type ChildSteps, startSteps } from "../../support/child-steps";
import { findFreePort } from "../../support/console/console-process";
import { newEmbedded } from "../../support/database/embedded";

const program = fileURLToPath(new URL("../../../prisma/studio.ts", import.meta.url));

let folder: string;
let studio: ChildSteps | undefined;
const opened: Database[] = [];

beforeEach(() => {
  folder = newEmbedded().slice("pglite://".length);
});
afterEach(async () => {
  await studio?.stop("SIGKILL");
  for (const database of opened.splice(0)) await database.close();
});

/** Opens the database as the console does, in development by default. */
function openAsConsole(target: DatabaseTarget, shared = true): Database {
  const database = openDatabase(target, { use: "the console", shared });
  opened.push(database);
  return database;
}

function startStudioOn(address: string, port: number): ChildSteps {
  const variables = { MAILROOM_DATABASE_URL: address, POSTGRES_URL: "", DATABASE_URL: "" };
  studio = startSteps(program, ["--port", String(port)], variables);
  return studio;
}

/** Starts Studio and returns the function with which its page queries rows. */
async function openStudio(address: string): Promise<(sql: string) => Promise<[unknown, unknown]>> {
  const port = await findFreePort();
  const line = await startStudioOn(address, port).waitFor((text) => text.includes("http"));
  expect(line).toBe(`Prisma Studio: http://localhost:${port} (Ctrl-C ends it)`);
  const page = await fetch(`http://127.0.0.1:${port}/`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('src="/studio.js"');
  return async (sql) => {
    const answer = await fetch(`http://127.0.0.1:${port}/bff`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ procedure: "query", query: { sql, parameters: [] }, schema: "public" }),
    });
    return answer.json();
  };
}

const ZOE = "SELECT display_name FROM users WHERE username = 'zoe'";
const SEEN = [null, [{ display_name: "Zoë's shop" }]];

test("on the embedded database while the console uses it, no writes are lost", async () => {
  const database = openAsConsole({ kind: "embedded", folder });
  await database.run(seedUsers);
  const socketFolder = statSync(findSocketFolder(folder));
  expect(socketFolder.mode & 0o077).toBe(0);

  const ask = await openStudio(`pglite://${folder}`);
  expect(await ask(ZOE)).toEqual(SEEN);
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  const calls = numbers.map((number) =>
    number % 2 === 0
      ? ask(
          `INSERT INTO users (id, display_name, username) VALUES ('s${number}', 'S', 's${number}') RETURNING id`,
        )
      : ask("SELECT * FROM absent"),
  );
  const written = numbers.map((number) =>
    database.run((db) =>
      db.$transaction(async (tx) => {
        await tx.user.create({ data: { id: `c${number}`, displayName: "C", username: `c${number}` } });
        return tx.user.count();
      }),
    ),
  );
  expect((await Promise.all(written)).every(({ ok }) => ok)).toBe(true);
  const answers = await Promise.all(calls);
  expect(answers.map(([error]) => error === null)).toEqual(numbers.map((number) => number % 2 === 0));
  const stored = await database.run((db) => db.user.count({ where: { displayName: { in: ["S", "C"] } } }));
  expect(stored).toEqual({ ok: true, value: 30 });

  expect(await studio?.stop("SIGINT")).toBe(0);
  expect(await database.run((db) => db.user.count({ where: { username: "zoe" } }))).toEqual({
    ok: true,
    value: 1,
  });
});

test("a client that disconnects in the middle of a transaction loses nothing", async () => {
  const database = openAsConsole({ kind: "embedded", folder });
  await database.run(seedUsers);
  const guest = new pg.Client({ host: findSocketFolder(folder), port: 5432, user: "postgres" });
  await guest.connect();
  await guest.query("BEGIN");
  await guest.query("UPDATE users SET display_name = 'X'");
  const waiting = database.run((db) =>
    db.user.update({ where: { username: "zoe" }, data: { email: "z@example.com" } }),
  );
  await guest.end();
  expect(await waiting).toMatchObject({
    ok: true,
    value: { displayName: "Zoë's shop", email: "z@example.com" },
  });

  const silent = new pg.Client({ host: findSocketFolder(folder), port: 5432, user: "postgres" });
  await silent.connect();
  await silent.query("BEGIN");
  await silent.query("UPDATE users SET display_name = 'X'");
  const found = await database.run((db) => db.user.findUnique({ where: { username: "zoe" } }));
  expect(found).toMatchObject({ ok: true, value: { displayName: "Zoë's shop" } });

  // A client that stays connected does not keep the console from ending.
  silent.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => silent.once("end", resolve));
  await database.close();
  await ended;
  expect(readdirSync(folder).filter((name) => name.startsWith("mailroom"))).toEqual([]);
});
