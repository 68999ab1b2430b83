import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runBatch } from "~/platform/background-runner.server";
import { fail, succeed } from "~/platform/outcome";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spool-"));
  vi.stubEnv("MAILROOM_SPOOL_DIR", folder);
  vi.stubEnv("LOG_LEVEL", "silent");
  // Simulates another process, which knows only the files.
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const load = () => import("~/platform/spool.server");
const listFiles = () =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\./.test(name));

test("a fact outlives its process and a change of password, is delivered in order, and is removed once stored", async () => {
  vi.stubEnv("MAILROOM_DATABASE_URL", "postgres://ana:old@127.0.0.1/mailroom");
  const before = await load();
  for (const fact of [{ n: 1 }, { n: 2 }]) expect(await before.writeSpool("mailed", fact)).toBe(true);
  await before.writeSpool("other", { n: 3 });
  vi.stubEnv("MAILROOM_DATABASE_URL", "postgres://ana:new@127.0.0.1/mailroom");
  vi.resetModules();
  const { replaySpool } = await load();
  const applied: unknown[] = [];
  let up = false;
  const task = replaySpool("mailed", async (content) => {
    if (!up) return fail("database_unavailable", "away");
    applied.push(content);
    return succeed(null);
  });
  expect(await runBatch(task)).toEqual({ claimed: 2, done: 0 });
  expect(listFiles()).toHaveLength(3);
  up = true;
  expect(await runBatch(task)).toEqual({ claimed: 2, done: 2 });
  expect(applied).toEqual([{ n: 1 }, { n: 2 }]);
  expect(await runBatch(task)).toEqual({ claimed: 0, done: 0 });
  expect(listFiles()).toEqual([expect.stringMatching(/other-/)]);
});

test("a folder that cannot be read is a failure, not an empty spool", async () => {
  writeFileSync(join(folder, "file"), "");
  vi.stubEnv("MAILROOM_SPOOL_DIR", join(folder, "file"));
  const { countSpooled, replaySpool } = await load();
  await expect(runBatch(replaySpool("mailed", async () => succeed(null)))).rejects.toThrow("ENOTDIR");
  await expect(countSpooled()).rejects.toThrow("ENOTDIR");
});

test("only this user can read it, and invalid JSON is set aside", async () => {
  const { countSpooled, replaySpool, writeSpool } = await load();
  await writeSpool("mailed", { n: 1 });
  expect(await countSpooled()).toBe(1);
  const [name = ""] = listFiles();
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  writeFileSync(join(folder, name), '{"n":');
  expect(await runBatch(replaySpool("mailed", async () => succeed(null)))).toEqual({ claimed: 0, done: 0 });
  expect(listFiles()).toEqual([`${name}.unreadable`]);
  expect(await countSpooled()).toBe(0);
  const old = Date.now() / 1_000 - 31 * 86_400;
  utimesSync(join(folder, `${name}.unreadable`), old, old);
  await runBatch(replaySpool("mailed", async () => succeed(null)));
  expect(listFiles()).toEqual([]);
});

test("a full disk is reported", async () => {
  writeFileSync(join(folder, "file"), "");
  vi.stubEnv("MAILROOM_SPOOL_DIR", join(folder, "file", "below"));
  const { writeSpool } = await load();
  expect(await writeSpool("mailed", {})).toBe(false);
});
