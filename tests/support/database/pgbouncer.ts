import { spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findFreePort } from "../console/console-process";
import { command, type Postgres } from "./postgres";
import { findAccount } from "./postgres-program";

const START_LIMIT_MS = 120_000;

/**
 * Starts a server behind `pgbouncer` in transaction mode: each transaction may get another connection. Uses
 * Debian's package.
 */
export async function startPooled<T extends Postgres>(postgres: T): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "mailroom-pgbouncer-"));
  const runAs = findAccount();
  const port = await findFreePort();
  const { hostname, port: behind, username, password } = new URL(postgres.url);
  const settings = `
    [databases]
    * = host=${hostname} port=${behind} user=${username} password=${password}
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = ${port}
    unix_socket_dir =
    auth_type = any
    pool_mode = transaction
    default_pool_size = 8
    max_client_conn = 500
    server_login_retry = 1
    ignore_startup_parameters = extra_float_digits`;
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, settings.replace(/^ +/gm, ""), { mode: 0o600 });
  if (runAs) for (const path of [folder, file]) await chown(path, runAs.uid, runAs.gid);
  const pooler = spawn("pgbouncer", ["--quiet", file], { ...runAs, cwd: tmpdir(), stdio: "ignore" });
  const through = (url: string) => {
    const address = new URL(url);
    address.port = String(port);
    return address.href;
  };
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await command(through(postgres.url), "SELECT 1").catch(() => null))) {
    if (Date.now() > deadline) throw new Error("pgbouncer did not start in time");
    await wait(50);
  }
  return {
    ...postgres,
    url: through(postgres.url),
    createDatabase: async () => through(await postgres.createDatabase()),
    close: async () => {
      const ended = once(pooler, "exit");
      pooler.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true });
      await postgres.close();
    },
  };
}
