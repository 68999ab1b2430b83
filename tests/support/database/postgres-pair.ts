import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { chown, cp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findFreePort } from "../console/console-process";
import { layFlakyLink } from "./flaky-link";
import { addDatabase, command, initialiseServer, type Postgres, runServer } from "./postgres";

/** A PostgreSQL and its standby behind one address, as with a hosted database. */
export interface PostgresPair extends Postgres {
  /** The standby's own address; its databases have the names of the primary's. */
  standbyUrl: string;
  /**
   * Crashes the primary and promotes the standby at the same address. An asynchronous standby does not receive what
   * is written during `unheard`. `tookOver` has exclusive use of the standby, at the address that it receives.
   */
  failOver(unheard: () => Promise<void>, tookOver: (url: string) => Promise<void>): Promise<void>;
}

const START_LIMIT_MS = 120_000;

/** @param options.synchronous true when the primary confirms only what the standby has */
export async function startPostgresPair({ synchronous }: { synchronous: boolean }): Promise<PostgresPair> {
  const { folder, program, data: first, password } = await initialiseServer();
  const { runAs } = program;
  const second = join(folder, "second");
  await cp(first, second, { recursive: true, preserveTimestamps: true });
  await writeFile(join(second, "standby.signal"), "");
  if (runAs) await giveAway(second, runAs);
  const addressOf = (port: number) => `postgres://mailroom:${password}@127.0.0.1:${port}/postgres`;
  const portOf = (url: string) => Number(new URL(url).port);
  const confirm = synchronous ? ["synchronous_standby_names=*"] : [];
  // Finds a port just before it is used: another process on this machine could take it.
  const firstUrl = addressOf(await findFreePort());
  let servers: ChildProcess[] = [await runServer(program, first, portOf(firstUrl), confirm)];
  const replication = await layFlakyLink(firstUrl);
  const front = await layFlakyLink(firstUrl);
  const source = `primary_conninfo=host=127.0.0.1 port=${portOf(replication.url)} user=mailroom password=${password}`;
  const secondUrl = addressOf(await findFreePort());
  servers.push(await runServer(program, second, portOf(secondUrl), [source]));
  await waitUntil(firstUrl, "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'");
  const removeAtExit = () => {
    for (const server of servers) server.kill("SIGQUIT");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", removeAtExit);
  const refuse = async () => {
    throw new Error("A pair is not stopped; it fails over.");
  };

  return {
    url: front.url,
    standbyUrl: secondUrl,
    createDatabase: async () => (await addDatabase(front.url)).url,
    stop: refuse,
    start: refuse,
    async failOver(unheard, tookOver) {
      if (!synchronous) await replication.cut();
      await unheard();
      const [primary] = servers.splice(0, 1);
      if (primary) await crash(primary);
      await front.cut();
      await command(secondUrl, "SELECT pg_promote(true, 30)");
      await tookOver(secondUrl);
      front.turnTo(secondUrl);
      await front.mend();
    },
    async close() {
      process.off("exit", removeAtExit);
      await Promise.all([front.close(), replication.close(), ...servers.map(crash)]);
      servers = [];
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function crash(server: ChildProcess): Promise<void> {
  const ended = once(server, "exit");
  server.kill("SIGQUIT");
  await ended;
}

async function giveAway(folder: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  await chown(folder, uid, gid);
  for (const entry of await readdir(folder, { recursive: true })) await chown(join(folder, entry), uid, gid);
}

/** Repeats the statement until it returns a row. */
async function waitUntil(url: string, sql: string): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  while ((await command(url, sql)).rows.length === 0) {
    if (Date.now() > deadline) throw new Error(`PostgreSQL never came so far: ${sql}`);
    await wait(50);
  }
}
