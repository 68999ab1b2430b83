import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type IdentityEmulator, startIdentity } from "../../emulators/identity";
import { type MailProvider, startMailProvider } from "../../emulators/mail-provider";
import { runToEnd } from "../../support/child-steps";
import { inDatabase, loadEnvironment } from "../../support/console/environment";
import { newEmbedded } from "../../support/database/embedded";
import { command } from "../../support/database/postgres";
import { setUpPostgres } from "../../support/fixtures";

/** `npm run doctor` on a sound installation with one planted fault at a time. */

const KEY = "emulator-key-0000000000000001";
const secret = () => randomBytes(32).toString("hex");
const DEAD = "http://127.0.0.1:9";

const postgres = await setUpPostgres();
let provider: MailProvider;
let identity: IdentityEmulator;
let folder: string;
let sound: Record<string, string>;

beforeAll(async () => {
  provider = await startMailProvider({ apiKey: KEY });
  identity = await startIdentity({ clientId: "mailroom", clientSecret: "secret", redirectUris: [] });
  folder = await mkdtemp(join(tmpdir(), "mailroom-doctor-"));
});
afterAll(async () => {
  await Promise.all([provider.close(), identity.close()]);
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  provider.reset();
  sound = {
    APP_ORIGIN: "https://mailroom.example.com",
    MAILROOM_DATABASE_URL: await postgres.createDatabase(),
    MAILROOM_SPOOL_DIR: folder,
    SESSION_SECRET: secret(),
    ENCRYPTION_SECRET: secret(),
    METRICS_TOKEN: secret(),
    STANNP_API_KEY: KEY,
    STANNP_BASE_URLS: `US=${provider.baseUrl}`,
    STANNP_CURRENCY: "USD",
    STANNP_WEBHOOK_SECRET: secret(),
    OAUTH_ISSUER: identity.issuer,
    OAUTH_CLIENT_ID: "mailroom",
    OAUTH_CLIENT_SECRET: secret(),
    OAUTH_ALLOWED_DOMAINS: "example.com",
    ADMIN_EMAILS: "ada@example.com",
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_WEBHOOK_SECRET: `whsec_${secret()}`,
  };
  await plant(SOUND);
});

const plant = (sql: string) => command(sound.MAILROOM_DATABASE_URL ?? "", sql);

const run = (name: string, hours: number, problem = "NULL") =>
  `INSERT INTO reconciliation_runs (name, due_at, started_at, finished_at, differences, problem)
   VALUES ('${name}', now(), now(), now() - interval '${hours} hours', 0, ${problem})
   ON CONFLICT (name) DO UPDATE SET finished_at = EXCLUDED.finished_at, problem = EXCLUDED.problem`;
const SOUND = `DO $$ BEGIN ${run("ledger", 2)}; ${run("backup", 20)}; END $$`;
const SILENT = `DO $$ BEGIN
  ALTER TABLE mail_items DROP CONSTRAINT mail_items_test_check;
  INSERT INTO users (id, display_name, username) VALUES ('u', 'U', 'u');
  INSERT INTO mail_items (id, user_id, actor_id, type, preset, method, path, base_url, status, status_rank, created_at)
  VALUES ('m1', 'u', 'u', 'letter', 'p', 'POST', 'letters/create', 'b', 'received', 0, now() - interval '30 hours');
END $$`;

/** The failed checks, as "id: state". */
async function look(variables: Record<string, string> = {}): Promise<string[]> {
  await loadEnvironment({ ...sound, ...variables });
  const { CHECKS } = await import("~/doctor/checks.server");
  const { env } = await import("~/platform/env.server");
  const { withDatabase } = await import("~/platform/database/database.server");
  const found = [];
  for (const { id, find } of CHECKS) {
    const { state, next } = await find({ settings: env(), read: withDatabase, now: Date.now() });
    if (state !== "ok") found.push(`${id}: ${state}`);
    expect(next === "").toBe(state === "ok");
  }
  return found;
}

test("a sound installation", async () => expect(await look()).toEqual([]));

type Fault = { variables?: Record<string, string>; sql?: string; provider?: () => void };
const FAULTS: [fault: string, found: string[], fault: Fault][] = [
  ["a short secret", ["settings: fails"], { variables: { SESSION_SECRET: "short" } }],
  ["a published secret", ["settings: fails"], { variables: { METRICS_TOKEN: `emulator-${secret()}` } }],
  ["no administrators", ["settings: fails", "access: look"], { variables: { ADMIN_EMAILS: "" } }],
  ["an open sign-in", ["access: look"], { variables: { OAUTH_ALLOWED_DOMAINS: "*" } }],
  ["an issuer that is away", ["sign-in: fails"], { variables: { OAUTH_ISSUER: DEAD } }],
  [
    "a database that is away",
    [
      "database: fails",
      ...["migrations", "webhook", "reconciliation", "backup", "alarms"].map((id) => `${id}: unseen`),
    ],
    { variables: { MAILROOM_DATABASE_URL: "postgres://127.0.0.1:9/none" } },
  ],
  [
    "a clock that is an hour off",
    ["clock: fails"],
    {
      provider: () => {
        const headers = { Date: new Date(Date.now() + 3_600_000).toUTCString() };
        provider.fail({
          kind: "respond",
          path: "users/me",
          times: "always",
          body: '{"success":true}',
          headers,
        });
      },
    },
  ],
  ["a refused key", ["provider: fails"], { variables: { STANNP_API_KEY: "another" } }],
  ["another currency", ["currency: look"], { variables: { STANNP_CURRENCY: "EUR" } }],
  ["a silent webhook", ["webhook: fails"], { sql: SILENT }],
  ["a late comparison", ["reconciliation: fails"], { sql: run("ledger", 30) }],
  ["an old backup", ["backup: fails"], { sql: run("backup", 60) }],
  ["no backup", ["backup: look"], { sql: "DELETE FROM reconciliation_runs WHERE name = 'backup'" }],
  ["a full disk", ["disk: fails"], { variables: { MAILROOM_SPOOL_DIR: "/proc" } }],
  [
    "an open alarm",
    ["alarms: look"],
    {
      sql: "INSERT INTO alarms (kind, subject_type, subject_id, evidence) VALUES ('list_paused', 'list', 'l', 'e')",
    },
  ],
];

test.each(FAULTS)("%s", async (_, found, fault) => {
  fault.provider?.();
  if (fault.sql !== undefined) await plant(fault.sql);
  expect(await look(fault.variables)).toEqual(found);
});

test("facts that are queued on the disk, and a spool that is a file", async () => {
  await loadEnvironment(sound);
  const { writeSpool } = await import("~/platform/spool.server");
  expect(await writeSpool("a_test", {})).toBe(true);
  expect(await look()).toEqual(["spool: look"]);
  const file = join(folder, "file");
  await writeFile(file, "");
  expect(await look({ MAILROOM_SPOOL_DIR: file })).toEqual(["spool: fails"]);
});

test("the console opens one alarm for a fault, once, and again when it returns", async () => {
  await loadEnvironment(sound);
  const { checkSetup } = await import("~/doctor/setup-alarms.server");
  const work = async (hours: number) => {
    await plant(run("backup", hours));
    expect((await checkSetup.work({ id: "setup" })).ok).toBe(true);
    return inDatabase(
      (db) => db.$queryRaw`SELECT kind, subject_id, times FROM alarms WHERE closed_at IS NULL`,
    );
  };
  const alarm = { kind: "setup_fault", subject_id: "backup" };
  expect(await work(3)).toEqual([]);
  expect(await work(60)).toEqual([{ ...alarm, times: 1 }]);
  expect(await work(90)).toEqual([{ ...alarm, times: 2 }]);
  await plant("UPDATE alarms SET closed_at = now(), closed_by = 'u', close_reason = 'r'");
  const fault = provider.fail({ kind: "reset-before", path: "users/me", times: "always" });
  expect(await work(3)).toEqual([]);
  fault.release();
  expect(await work(90)).toEqual([]);
  expect(await work(3)).toEqual([]);
  expect(await work(60)).toEqual([{ ...alarm, times: 1 }]);
});

test("a possibly temporary fault is an alarm when it is found twice", async () => {
  await look({ OAUTH_ISSUER: DEAD });
  const { checkSetup } = await import("~/doctor/setup-alarms.server");
  const open = async () => {
    await inDatabase((db) => db.reconciliationRun.updateMany({ data: { dueAt: new Date(0) } }));
    const claimed = await checkSetup.claim(1);
    expect(claimed).toMatchObject({ ok: true });
    await checkSetup.work({ id: "setup" });
    return inDatabase((db) => db.alarm.count({ where: { subjectId: "sign-in" } }));
  };
  await plant(run("setup", 30));
  expect([await open(), await open(), await open()]).toEqual([0, 1, 1]);
});

const runDoctor = (variables: Record<string, string> = {}) =>
  // A developer's `.env` names a local one.
  runToEnd("prisma/doctor.ts", [], { ...sound, WEBHOOK_LOCAL_ORIGINS: "", ...variables });

test("the command prints a line for each check, and migrates nothing", async () => {
  const right = await runDoctor();
  expect(right.output).toMatch(/^ok +migrations +All are applied\.$/m);
  expect([right.code, right.output.includes(KEY)]).toEqual([0, false]);
  await plant(
    "DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)",
  );
  expect((await runDoctor()).output).toMatch(
    /^look +migrations +1 pending migration, from \d{14}_\w+ on\. Start a console/m,
  );
  const wrong = await runDoctor({ STANNP_API_KEY: "another" });
  expect(wrong).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^FAILS +provider +It refuses the key \(401\)\. Set/m),
  });
  expect(await runDoctor({ PORT: "many" })).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^The settings are wrong/),
  });
  const empty = await postgres.createDatabase({ empty: true });
  expect((await runDoctor({ MAILROOM_DATABASE_URL: empty })).output).toMatch(
    /^look +migrations +\d\d+ pending migrations, /m,
  );
});

test("the embedded database: through a development console's socket, else with a clear sentence", async () => {
  const url = await newEmbedded();
  const { openDatabase } = await import("~/platform/database/open-database.server");
  const { parseEnvironment } = await import("~/platform/env.server");
  const { database: target } = parseEnvironment({ DATABASE_URL: url });
  for (const [shared, line, code] of [
    [true, /^ok +database +It answers\.$/m, 0],
    [false, /^not seen +database +.* in use by the console/m, 2],
  ] as const) {
    const console = openDatabase(target, { use: "the console", shared });
    await console.run((db) => db.$executeRawUnsafe(SOUND));
    const ended = await runDoctor({ MAILROOM_DATABASE_URL: url });
    await console.close();
    expect(ended.output).toMatch(line);
    expect(ended.code).toBe(code);
  }
});
