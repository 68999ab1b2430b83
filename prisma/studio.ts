import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import dotenv from "dotenv";
import { findFolderUse } from "../app/platform/database/embedded.server";
import { type Database, openDatabase } from "../app/platform/database/open-database.server";
import { findSocketFolder, isServed } from "../app/platform/database/studio-socket.server";
import { type DatabaseTarget, env } from "../app/platform/env.server";
import { NO_DATABASE, print, Refusal } from "./command";

/**
 * `npm run studio`: Prisma Studio on the configured database. It connects to a server directly, and to the embedded
 * database through a socket: the console's while that runs, else its own. `-- --port 6000` chooses the port.
 */
const FIRST_PORT = 5555;
const PORTS_TRIED = 20;
const START_LIMIT_MS = 30_000;
const SERVE_LIMIT_MS = 20_000;
const STOP_LIMIT_MS = 2_000;
const POLL_MS = 100;

dotenv.config({ quiet: true });
let own: Database | undefined;
let studio: ChildProcess | undefined;
let ending = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(0));
try {
  const address = await findAddress(env().database);
  const port = await choosePort();
  studio = startStudio(address, port);
  await waitForStudio(studio, port);
  print(`Prisma Studio: http://localhost:${port} (Ctrl-C ends it)`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  await end(1);
}

/** The variables that Studio's PostgreSQL driver reads. */
async function findAddress(target: DatabaseTarget): Promise<Record<string, string>> {
  if (target.kind === "postgres") return { MAILROOM_DATABASE_URL: target.url };
  if (target.kind === "none") throw new Refusal(NO_DATABASE);
  if (target.folder === "memory") {
    throw new Refusal(
      "pglite://memory lives and ends inside the console; there is nothing to open from outside.",
    );
  }
  if (process.platform === "win32") {
    throw new Refusal(
      "Prisma Studio reaches the embedded database through a Unix socket, which Windows lacks.",
    );
  }
  const folder = resolve(target.folder);
  const use = await findFolderUse(folder);
  if (use === null) await serveOurselves(target);
  else await waitForDoor(folder, use);
  // Studio's driver takes a socket's folder from PGHOST only. One connection, because all share one session.
  return {
    MAILROOM_DATABASE_URL: "postgresql:///postgres?max=1",
    PGHOST: findSocketFolder(folder),
    PGPORT: "5432",
    PGUSER: "postgres",
  };
}

async function serveOurselves(target: DatabaseTarget): Promise<void> {
  own = openDatabase(target, { use: "Prisma Studio", shared: true });
  const ping = await own.run((db) => db.$queryRaw`SELECT 1`);
  if (!ping.ok) throw new Refusal(ping.failure.details ?? ping.failure.message);
}

async function waitForDoor(folder: string, use: string): Promise<void> {
  const deadline = Date.now() + SERVE_LIMIT_MS;
  while (!isServed(folder)) {
    if (Date.now() > deadline) {
      throw new Refusal(
        `The embedded database is in use by ${use}, which does not let Prisma Studio in (only a console in development does). Stop it, then try again.`,
      );
    }
    await wait(POLL_MS);
  }
}

async function choosePort(): Promise<number> {
  const { values } = parseArgs({ options: { port: { type: "string" } } });
  if (values.port !== undefined) {
    const port = Number(values.port);
    if (!(await isFree(port))) throw new Refusal(`Port ${values.port} cannot be used. Choose another one.`);
    return port;
  }
  for (let port = FIRST_PORT; port < FIRST_PORT + PORTS_TRIED; port++) {
    if (await isFree(port)) return port;
  }
  throw new Refusal(
    `Ports ${FIRST_PORT} to ${FIRST_PORT + PORTS_TRIED - 1} are taken. Choose one: npm run studio -- --port 6000`,
  );
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) return done(false);
    const probe = createServer();
    probe.once("error", () => done(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => done(true)));
  });
}

function startStudio(address: Record<string, string>, port: number): ChildProcess {
  const program = createRequire(import.meta.url).resolve("prisma/build/index.js");
  // The address is passed in the environment, where other users of the machine cannot read its password.
  return spawn(process.execPath, [program, "studio", "--port", String(port), "--browser", "none"], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: {
      ...process.env,
      ...address,
      CHECKPOINT_DISABLE: "1",
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function waitForStudio(child: ChildProcess, port: number): Promise<void> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-4_000);
    });
  }
  child.once("exit", () => {
    if (ending) return;
    process.stderr.write(`${output.trim()}\nPrisma Studio ended unexpectedly.\n`);
    void end(1);
  });
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline && !ending) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    if (answer?.ok) return;
    await wait(POLL_MS);
  }
  if (!ending) throw new Refusal(`Prisma Studio did not start in time.\n${output}`);
}

/** Ends the process and removes the lock. */
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  if (studio && studio.exitCode === null && studio.signalCode === null) {
    const ended = once(studio, "exit");
    studio.kill("SIGTERM");
    const inTime = await Promise.race([ended, wait(STOP_LIMIT_MS, null, { ref: false })]);
    if (inTime === null) studio.kill("SIGKILL");
  }
  await own?.close();
  process.exit(code);
}
