import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { countOpenAlarms } from "~/alarms/alarm-record.server";
import { discoverProvider } from "~/outside/identity/discovery.server";
import { findHome } from "~/outside/mail-provider/account-home";
import { callBase } from "~/outside/mail-provider/piece.server";
import { findWebhookSilence } from "~/pieces/events/provider-events.server";
import { listMigrations } from "~/platform/database/migrations.server";
import {
  type Environment,
  findProductionProblem,
  listOpenings,
  reportEnvironment,
} from "~/platform/env.server";
import { formatCount } from "~/platform/format-integer";
import type { Outcome } from "~/platform/outcome";
import { countSpooled } from "~/platform/spool.server";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/platform/time";
import { loadFinishedRuns } from "~/reconciliation/daily/runs.server";
import type { PrismaClient } from "../../prisma/client/client";

/** `look`: a person should know. `fails`: a part does not work. `unseen`: the check could not be made. */
export interface Finding {
  state: "ok" | "look" | "fails" | "unseen";
  text: string;
  /** The next step; empty: ok. */
  next: string;
  /** True for a fault that may end within an hour. */
  passing?: true;
}

interface Setup {
  settings: Environment;
  /** Reads the database without migrating it. */
  read<T>(work: (db: PrismaClient) => Promise<T>): Promise<Outcome<T>>;
  now: number;
}

interface Check {
  id: string;
  /** True when the console opens an alarm for a failure. */
  alarms?: true;
  find(setup: Setup): Promise<Finding>;
}

const CALL_LIMIT_MS = 10_000;
const CLOCK = { lookMs: 10_000, failMs: 5 * MINUTE_MS };
const DISK = { lookBytes: 2 * 1024 ** 3, failBytes: 512 * 1024 ** 2 };
const BACKUP_LATE_MS = 2 * DAY_MS;
const RUN_LATE_MS = DAY_MS + 2 * HOUR_MS;
/** A random secret has more distinct characters. */
const FEW_CHARACTERS = 8;

export const CHECKS: readonly Check[] = [
  { id: "settings", find: checkSettings },
  { id: "access", find: checkAccess },
  { id: "sign-in", alarms: true, find: checkSignIn },
  { id: "database", find: checkDatabase },
  { id: "migrations", find: checkMigrations },
  { id: "clock", alarms: true, find: checkClock },
  { id: "provider", alarms: true, find: checkProvider },
  { id: "currency", find: checkCurrency },
  { id: "webhook", find: checkWebhook },
  { id: "reconciliation", find: checkReconciliation },
  { id: "backup", alarms: true, find: checkBackup },
  { id: "spool", alarms: true, find: checkSpool },
  { id: "disk", alarms: true, find: checkDisk },
  { id: "alarms", find: checkAlarms },
];

async function checkSettings({ settings }: Setup): Promise<Finding> {
  const problem = findProductionProblem();
  const isPublic = new URL(settings.appOrigin).protocol === "https:";
  if (problem !== null) {
    const text = `Not fit for production: ${problem.replaceAll("\n", " ")}`;
    return { state: isPublic ? "fails" : "look", text, next: "Set a value of your own, then restart." };
  }
  const { sessionSecrets, encryptionSecrets, providerWebhookSecrets, metricsToken, stripe } = settings;
  const secrets = [
    sessionSecrets,
    encryptionSecrets,
    providerWebhookSecrets,
    stripe?.webhookSecrets,
    metricsToken,
  ];
  if (secrets.flatMap((some) => some ?? []).some((secret) => new Set(secret).size < FEW_CHARACTERS))
    return look("A secret repeats few characters.", "Replace it as SECURITY.md says: openssl rand -hex 32.");
  const { missing } = reportEnvironment();
  return missing.length === 0
    ? ok("Every part is configured, and no secret is weak.")
    : look(
        `Not set: ${missing.join(", ")}.`,
        "Set what you need; docs/configuration.md says what is off without each.",
      );
}

async function checkAccess({ settings }: Setup): Promise<Finding> {
  const open = listOpenings(settings);
  return open.length === 0
    ? ok("Sign-in and administration are limited.")
    : look(open.join(" "), "List them in the settings above.");
}

async function checkSignIn({ settings: { identity } }: Setup): Promise<Finding> {
  if (identity === null) return look("No one can sign in.", "Set OAUTH_ISSUER and OAUTH_CLIENT_ID.");
  try {
    await discoverProvider(identity.issuer);
    return ok("The identity provider answers.");
  } catch {
    const next = "Open its /.well-known/openid-configuration from this machine.";
    return { ...fails("The identity provider cannot be read, so no one can sign in.", next), passing: true };
  }
}

async function checkDatabase({ settings, read }: Setup): Promise<Finding> {
  if (settings.database.kind === "none") {
    return fails("None is configured: nothing is stored and live mail is off.", "Set MAILROOM_DATABASE_URL.");
  }
  const answer = await read((db) => db.$queryRaw`SELECT 1`);
  if (answer.ok) return ok("It answers.");
  const { details, message } = answer.failure;
  // A running console has it open, which is no fault.
  const state = settings.database.kind === "embedded" && /in use/.test(details ?? "") ? "unseen" : "fails";
  return { state, text: details ?? message, next: "Fix this, then run the doctor again." };
}

async function checkMigrations({ read }: Setup): Promise<Finding> {
  const applied = await read(async (db) => {
    const [table] = await db.$queryRaw<{ found: boolean }[]>`
      SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`;
    if (!table?.found) return [];
    return db.$queryRaw<{ name: string }[]>`
      SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  });
  if (!applied.ok) return unseen();
  const known = new Set(applied.value.map(({ name }) => name));
  const here = listMigrations();
  const pending = here.filter((name) => !known.has(name));
  const newer = known.size + pending.length - here.length;
  if (newer > 0)
    return look(
      `It is ${formatCount(newer, "migration")} ahead of this version.`,
      "Deploy the newer version here too.",
    );
  return pending.length === 0
    ? ok("All are applied.")
    : look(
        `${formatCount(pending.length, "pending migration")}, from ${pending[0]} on.`,
        "Start a console of this version.",
      );
}

/** Compares this machine's clock with those of the database and the provider. */
async function checkClock({ read, settings }: Setup): Promise<Finding> {
  const skews: [string, number][] = [];
  const answer = await read(async (db) => {
    const [row] = await db.$queryRaw<{ at: Date }[]>`SELECT clock_timestamp() AS at`;
    return row ? row.at.getTime() - Date.now() : 0;
  });
  if (answer.ok) skews.push(["the database", answer.value]);
  const date = Date.parse((await readAccount(settings))?.headers.date ?? "");
  if (!Number.isNaN(date)) skews.push(["the provider", date - Date.now()]);
  if (skews.length === 0) return unseen();
  const [[name, skew] = ["", 0]] = skews.sort(([, one], [, other]) => Math.abs(other) - Math.abs(one));
  const text = `It differs by ${Math.abs(Math.round(skew / 1_000))} s from ${name}.`;
  const isComplete = settings.providerKey === null || !Number.isNaN(date);
  if (Math.abs(skew) < CLOCK.lookMs) return isComplete ? ok("The clocks agree.") : unseen();
  const next = "Synchronise the clocks (NTP): webhooks older than 5 minutes are refused.";
  return Math.abs(skew) < CLOCK.failMs ? look(text, next) : fails(text, next);
}

async function checkProvider({ settings }: Setup): Promise<Finding> {
  if (settings.providerKey === null)
    return look("No key is set: nothing can be sent.", "Set STANNP_API_KEY.");
  const answer = await readAccount(settings);
  if (answer?.status === 200) return ok("It accepts the key.");
  if (answer?.status === 401 || answer?.status === 403) {
    return fails(
      `It refuses the key (${answer.status}).`,
      "Set STANNP_API_KEY to a key of this region's account.",
    );
  }
  const next = "Look at its status page, and at this server's outbound connection.";
  return { ...fails("It cannot be reached, or fails.", next), passing: true };
}

async function checkCurrency({ settings: { providerCurrency, baseUrls } }: Setup): Promise<Finding> {
  if (providerCurrency === null) return look("No margin is shown.", "Set STANNP_CURRENCY to the account's.");
  const usual = findHome(baseUrls[0]) === "US" ? "usd" : "gbp";
  return providerCurrency === usual
    ? ok(`${usual.toUpperCase()}, as ${baseUrls[0].label} suggests.`)
    : look(
        `${providerCurrency.toUpperCase()}, although ${baseUrls[0].label} suggests ${usual.toUpperCase()}.`,
        "Compare STANNP_CURRENCY with the provider's invoice.",
      );
}

async function checkWebhook({ settings, read }: Setup): Promise<Finding> {
  if (settings.providerWebhookSecrets.length === 0) {
    return look(
      "Statuses are polled; no webhook is set up.",
      "Set STANNP_WEBHOOK_SECRET and register the webhook.",
    );
  }
  const silence = await read(findWebhookSilence);
  if (!silence.ok) return unseen();
  return silence.value === null
    ? ok("Events arrive, or none is due.")
    : fails(
        "No event came for a day, although pieces are in production.",
        "Resume the webhook at the provider.",
      );
}

async function checkReconciliation({ settings, read, now }: Setup): Promise<Finding> {
  if (settings.reconcileIntervalMs === 0) {
    return look("Background work is off here.", "Let another instance have RECONCILE_INTERVAL_MS above 0.");
  }
  const runs = await read(loadFinishedRuns);
  if (!runs.ok) return unseen();
  const daily = runs.value.filter(({ name }) => !["backup", "setup"].includes(name));
  const late = daily.filter(({ finishedAt }) => now - finishedAt.getTime() > RUN_LATE_MS);
  const unfinished = daily.find(({ problem }) => problem !== null);
  if (daily.length === 0) return look("None has run yet.", "Start a console; the first runs after an hour.");
  if (late.length > 0) {
    const names = late.map(({ name }) => name).join(", ");
    return fails(
      `No run for over a day: ${names}.`,
      "Start a console, and read its log for background.task_failed.",
    );
  }
  return unfinished
    ? look(`${unfinished.name}: ${unfinished.problem}`, "It is tried again within a day.")
    : ok("The daily checks ran.");
}

async function checkBackup({ read, now }: Setup): Promise<Finding> {
  const runs = await read(loadFinishedRuns);
  if (!runs.ok) return unseen();
  const last = runs.value.find(({ name }) => name === "backup");
  const next = "Run npm run backup each day, to another disk.";
  if (!last) return look("None was made by this version.", next);
  if (last.problem !== null) {
    return fails(`The last one failed: ${last.problem}`, "Run npm run backup again; it says what is wrong.");
  }
  const hours = Math.round((now - last.finishedAt.getTime()) / HOUR_MS);
  return hours * HOUR_MS > BACKUP_LATE_MS
    ? fails(`The last one is ${hours} h old.`, next)
    : ok(`${hours} h old.`);
}

async function checkSpool(): Promise<Finding> {
  const waiting = await countSpooled().catch(() => null);
  if (waiting === null)
    return fails("MAILROOM_SPOOL_DIR cannot be read.", "Make it a folder of this account.");
  return waiting === 0
    ? ok("Nothing waits for the database.")
    : look(
        `Waiting for the database: ${formatCount(waiting, "record")}.`,
        "Start a console on this disk; it stores them.",
      );
}

async function checkDisk({ settings: { database, spoolFolder } }: Setup): Promise<Finding> {
  const folder = database.kind === "embedded" && database.folder !== "memory" ? database.folder : spoolFolder;
  const free = await findFreeBytes(folder);
  if (free === null) return unseen();
  const text = `${(free / 1024 ** 3).toFixed(1)} GB are free.`;
  if (free >= DISK.lookBytes) return ok(text);
  const next = "Free some, or move MAILROOM_SPOOL_DIR and the database.";
  return free >= DISK.failBytes ? look(text, next) : fails(text, next);
}

async function checkAlarms({ read }: Setup): Promise<Finding> {
  const open = await read(countOpenAlarms);
  if (!open.ok) return unseen();
  return open.value === 0 ? ok("None is open.") : look(`${open.value} open.`, "Settle them at /alarms.");
}

/** Finds the free bytes of the disk of a folder or its nearest existing parent. */
async function findFreeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    const isAbsent = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isAbsent && dirname(folder) !== folder ? findFreeBytes(dirname(folder)) : null;
  }
}

async function readAccount({ providerKey, baseUrls }: Environment) {
  if (providerKey === null) return null;
  const { result } = await callBase(baseUrls[0].url, "users/me", { timeoutMs: CALL_LIMIT_MS });
  return result.kind === "answered" ? result : null;
}

function ok(text: string): Finding {
  return { state: "ok", text, next: "" };
}

function look(text: string, next: string): Finding {
  return { state: "look", text, next };
}

function fails(text: string, next: string): Finding {
  return { state: "fails", text, next };
}

function unseen(): Finding {
  return { state: "unseen", text: "The check could not be made.", next: "See the lines that fail." };
}
