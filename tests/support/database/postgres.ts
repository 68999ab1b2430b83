import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { chown, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import type { DatabaseTarget } from "~/platform/env.server";
import { isAlive } from "../console/console-build";
import { findFreePort } from "../console/console-process";
import { type PostgresProgram, preparePostgres } from "./postgres-program";

/** Names the database of a run that others are copies of. */
const TEMPLATE = "TEST_TEMPLATE_DATABASE";
/** Linux's file system in memory. Creating the files of a database takes a fifth of the time of a disk's. */
const IN_MEMORY = "/dev/shm";
const NEEDED_BYTES = 4 * 2 ** 30;
const START_LIMIT_MS = 120_000;
/** Attempts to create the tables. */
const TABLE_TRIES = 10;
/** Speed over durability: test data need not survive a power cut. It does survive a crash of the server. */
const SETTINGS = [
  "fsync=off",
  "full_page_writes=off",
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=500",
  "max_parallel_workers_per_gather=0",
  "track_commit_timestamp=on",
];

/** A real PostgreSQL for tests. Its address stays the same across `stop` and `start`. */
export interface Postgres {
  /** The address of its maintenance database. */
  url: string;
  /** Creates a database and returns its address. It has our tables if {@link prepareTables} made them, unless `empty` is set. */
  createDatabase(options?: { empty?: boolean }): Promise<string>;
  /** `immediate` is a crash: connections are not closed and nothing is flushed. Only for own servers. */
  stop(mode?: "fast" | "immediate"): Promise<void>;
  start(): Promise<void>;
  /** Ends the server and removes its files. */
  close(): Promise<void>;
}

/**
 * Starts a new PostgreSQL in a temporary folder, or uses the one that `TEST_DATABASE_URL` names.
 * @param options.own starts a server that the test may stop, even when `TEST_DATABASE_URL` is set
 */
export async function startPostgres(options: { own?: boolean } = {}): Promise<Postgres> {
  const named = process.env.TEST_DATABASE_URL;
  return named && !options.own ? borrowServer(named) : startOwnServer();
}

async function startOwnServer(): Promise<Postgres> {
  const { folder, program, data, password } = await initialiseServer();
  const port = await findFreePort();
  const url = `postgres://mailroom:${password}@127.0.0.1:${port}/postgres`;

  let server: ChildProcess | undefined = await runServer(program, data, port);
  const removeAtExit = () => {
    server?.kill("SIGQUIT");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", removeAtExit);

  async function stop(mode: "fast" | "immediate" = "fast"): Promise<void> {
    const running = server;
    server = undefined;
    if (!running || running.exitCode !== null) return;
    const ended = once(running, "exit");
    running.kill(mode === "fast" ? "SIGINT" : "SIGQUIT");
    await ended;
  }

  return {
    url,
    createDatabase: async () => addDatabase(url).then((database) => database.url),
    stop,
    start: async () => {
      server ??= await runServer(program, data, port);
    },
    close: async () => {
      await stop("immediate");
      process.off("exit", removeAtExit);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a folder for databases, in memory if there is room. Removes those of test processes that were killed. */
export function makeDatabaseFolder(kind: "embedded" | "postgres"): string {
  const place = existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir();
  const { bavail, bsize } = statfsSync(place);
  const parent = bavail * bsize > NEEDED_BYTES ? place : tmpdir();
  for (const name of readdirSync(parent)) {
    const owner = /^mailroom-(?:embedded|postgres)-(\d+)-/.exec(name)?.[1];
    if (owner && !isAlive(Number(owner))) rmSync(join(parent, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(parent, `mailroom-${kind}-${process.pid}-`));
}

/** Creates the files of a new server, `data` below `folder`. */
export async function initialiseServer() {
  const folder = makeDatabaseFolder("postgres");
  const program = preparePostgres(folder);
  const [password, passwordFile] = [randomBytes(12).toString("hex"), join(folder, "password")];
  await writeFile(passwordFile, password, { mode: 0o600 });
  const { runAs } = program;
  if (runAs) for (const path of [folder, passwordFile]) await chown(path, runAs.uid, runAs.gid);
  const data = join(folder, "data");
  await promisify(execFile)(
    program.initdb,
    [
      `--pgdata=${data}`,
      "--username=mailroom",
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--no-locale",
      "--no-sync",
    ],
    { ...runAs, cwd: tmpdir() },
  );
  return { folder, program, data, password };
}

/** Starts a server in an initialised folder; resolves when it accepts connections. */
export async function runServer(
  program: PostgresProgram,
  data: string,
  port: number,
  more: readonly string[] = [],
): Promise<ChildProcess> {
  const settings = [...SETTINGS, ...more].flatMap((setting) => ["-c", setting]);
  const words = ["-D", data, "-p", String(port), ...settings];
  const server = spawn(program.postgres, words, {
    ...program.runAs,
    cwd: tmpdir(),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const refuse = (reason: string) => reject(new Error(`PostgreSQL ${reason}.\n${output}`));
    const timer = setTimeout(() => refuse("did not start in time"), START_LIMIT_MS);
    server.stderr.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-4_000);
      if (!/ready to accept (read-only )?connections/.test(output)) return;
      clearTimeout(timer);
      resolve();
    });
    server.once("error", (error) => refuse(`cannot be run: ${error.message}`));
    server.once("exit", (code) => {
      clearTimeout(timer);
      refuse(`ended with ${code}`);
    });
  });
  return server;
}

function borrowServer(url: string): Postgres {
  const databases: string[] = [];
  const refuse = async () => {
    throw new Error(
      "This server is not ours to stop. Ask for one of your own: startPostgres({ own: true }).",
    );
  };
  return {
    url,
    createDatabase: async ({ empty = false } = {}) => {
      const database = await addDatabase(url, empty ? undefined : process.env[TEMPLATE]);
      databases.push(database.name);
      return database.url;
    },
    stop: refuse,
    start: refuse,
    close: async () => {
      // A busy machine may not end its connections in time; the run removes the whole server anyway.
      for (const name of databases)
        await command(url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`).catch(() => null);
    },
  };
}

/** Creates a database with empty tables. `createDatabase` copies it in this process and in those that it starts. */
export async function prepareTables(serverUrl: string): Promise<void> {
  const { name, url } = await addDatabase(serverUrl);
  await createTables({ kind: "postgres", url });
  process.env[TEMPLATE] = name;
}

/** Creates our tables in an empty database. */
export async function createTables(target: DatabaseTarget): Promise<void> {
  const { openDatabase } = await import("~/platform/database/open-database.server");
  const database = openDatabase(target, { use: "the tests", shared: false });
  let made = await database.run(async () => null);
  // The product gives up after seconds; a busy machine needs longer.
  for (let tries = 1; !made.ok && tries < TABLE_TRIES; tries++) made = await database.run(async () => null);
  await database.close();
  if (!made.ok) throw new Error(made.failure.details ?? made.failure.message);
}

/** Creates a database on a server, empty or as a copy of another one. */
export async function addDatabase(
  serverUrl: string,
  template = "template1",
): Promise<{ name: string; url: string }> {
  const name = `mailroom_test_${randomUUID().replaceAll("-", "")}`;
  // Copies files. The default strategy writes each page to the log, too.
  await command(serverUrl, `CREATE DATABASE "${name}" TEMPLATE "${template}" STRATEGY file_copy`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { name, url: url.href };
}

/** Runs one statement on its own connection. */
export async function command(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
