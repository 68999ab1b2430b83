import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Account, loadAccount } from "~/credits/ledger/ledger.server";
import { type Database, openDatabase } from "~/platform/database/open-database.server";
import { parseEnvironment } from "~/platform/env.server";
import type { PrismaClient } from "../../../prisma/client/client";
import { type MailProviderOptions, startMailProvider } from "../../emulators/mail-provider";
import { buildConsole } from "../console/console-build";
import { type ConsoleProcess, METRICS_TOKEN, startConsole } from "../console/console-process";
import { newEmbedded } from "../database/embedded";
import type { Postgres } from "../database/postgres";
import { type Audit, auditBooks } from "./audit";
import { giveCredits } from "./give-credits";

export const PROVIDER_KEY = "emulator-key-0000000000000001";
/** Short, so that abandoned work is settled soon. The lease of a send is 5 s longer. */
export const CALL_LIMIT_MS = 1_500;
/**
 * An idle machine needs a few seconds, and two minutes when the provider refuses a repeat. On a busy machine a call that
 * exceeds its limit starts those two minutes again.
 */
export const SETTLED_MS = 300_000;
const OPEN_STATES = ["reserved", "sending", "unknown", "cancelling"];
/** Gauge samples of work that does not wait for a person. */
const OPEN_PIECES = /^mailroom_open_pieces\{state="(?!needs_review)[^}]*\} (\d+)$/gm;
const OPEN_PIECES_READ = 'mailroom_gauge_unavailable{gauge="mailroom_open_pieces"} 0';

/** A provider, a database with people and credits, and consoles that a test may kill. */
export type MoneyBench = Awaited<ReturnType<typeof openBench>>;

export interface BenchOptions {
  /** Null for the embedded database in a folder. */
  postgres: Postgres | null;
  provider?: Partial<MailProviderOptions>;
}

export async function openBench({ postgres, provider: options }: BenchOptions) {
  const spool = await mkdtemp(join(tmpdir(), "mailroom-spool-"));
  const databaseUrl = postgres ? await postgres.createDatabase() : newEmbedded();
  const provider = await startMailProvider({
    apiKey: PROVIDER_KEY,
    rateLimitPerMinute: 10_000_000,
    statusStepMs: 0,
    ...options,
  });
  const running = new Set<ConsoleProcess>();
  let books: Database | undefined;
  const killAll = () => void stopConsoles("SIGKILL");
  process.once("exit", killAll);

  return {
    provider,
    databaseUrl,
    start,
    inBooks,

    /** Changes rows of the database by a statement. */
    sql: (statement: TemplateStringsArray, ...values: unknown[]) =>
      inBooks((db) => db.$executeRaw(statement, ...values)),

    /** Creates the user if needed and adds credits by an adjustment. */
    grant: (userId: string, credits: number) => inBooks((db) => giveCredits(db, userId, credits)),

    /** Balance and held credits; zeros without an account. */
    loadAccount: (userId: string): Promise<Account> => inBooks((db) => loadAccount(db, userId)),

    /** Compares the books with the provider's pieces. Stops the consoles first on the embedded database. */
    async audit(): Promise<Audit> {
      if (!postgres) await stopConsoles("SIGKILL");
      return inBooks((db) => auditBooks(db, provider));
    },

    /**
     * Waits until nothing is held, unknown or being cancelled; rejects after `SETTLED_MS`, or `limitMs`, with a list
     * of the open work. On the embedded database it stops the consoles first and starts a new one. Returns the time
     * it took in ms.
     */
    async settle(limitMs = SETTLED_MS): Promise<number> {
      const startedAt = performance.now();
      const countOpen = await openCounter();
      for (;;) {
        const open = await countOpen();
        const tookMs = performance.now() - startedAt;
        if (open === 0) {
          if (!postgres) await stopConsoles("SIGKILL");
          return Math.round(tookMs);
        }
        if (tookMs > limitMs) {
          const seconds = Math.round(limitMs / 1000);
          throw new Error(`${open} sends are still open after ${seconds} s: ${await describeOpen()}`);
        }
        await wait(250);
      }
    },

    async close() {
      process.off("exit", killAll);
      await stopConsoles("SIGKILL");
      await closeBooks();
      await provider.close();
      await rm(spool, { recursive: true, force: true });
    },
  };

  /** Starts a console on the database; several at once on PostgreSQL, one on the embedded database. */
  async function start(variables: Record<string, string> = {}): Promise<ConsoleProcess> {
    // Two processes on one folder refuse each other: the books stay closed while a console has it open.
    if (!postgres) await closeBooks();
    const started = await startConsole(
      {
        LOG_LEVEL: "info",
        DATABASE_URL: databaseUrl,
        STANNP_API_KEY: PROVIDER_KEY,
        STANNP_BASE_URLS: `US=${provider.baseUrl}`,
        STANNP_TIMEOUT_MS: String(CALL_LIMIT_MS),
        RECONCILE_INTERVAL_MS: "1000",
        MAILROOM_SPOOL_DIR: spool,
        ...variables,
      },
      await buildConsole(),
    );
    running.add(started);
    return started;
  }

  /**
   * Reads and changes the database. On the embedded one only while no console runs, because it allows one process.
   */
  async function inBooks<T>(work: (db: PrismaClient) => Promise<T>): Promise<T> {
    books ??= openDatabase(parseEnvironment({ DATABASE_URL: databaseUrl }).database, {
      use: "a test",
      shared: false,
    });
    const done = await books.run(work);
    if (!done.ok) throw new Error(done.failure.details ?? done.failure.message);
    return done.value;
  }

  /** Describes each open send with the reason why it waits. Stops the consoles first on the embedded database. */
  async function describeOpen(): Promise<string> {
    if (!postgres) await stopConsoles("SIGKILL");
    const rows = await inBooks((db) =>
      db.send.findMany({
        where: { state: { in: OPEN_STATES } },
        select: { id: true, state: true, attempts: true, createdAt: true, leaseUntil: true, note: true },
        take: 20,
      }),
    );
    return JSON.stringify(rows);
  }

  /** Counts the open work: in the books, or through a console on the embedded database, which allows one process. */
  async function openCounter(): Promise<() => Promise<number>> {
    if (postgres) {
      return () => inBooks((db) => db.send.count({ where: { state: { in: OPEN_STATES } } }));
    }
    await stopConsoles("SIGKILL");
    const { origin } = await start({ METRICS_TOKEN });
    return async () => {
      const reply = await fetch(`${origin}/metrics`, {
        headers: { Authorization: `Bearer ${METRICS_TOKEN}` },
      });
      const metrics = await reply.text();
      // Samples are absent when nothing is open or when they could not be read.
      if (!metrics.includes(OPEN_PIECES_READ)) return Number.NaN;
      return [...metrics.matchAll(OPEN_PIECES)].reduce((sum, [, count]) => sum + Number(count), 0);
    };
  }

  async function stopConsoles(signal: NodeJS.Signals): Promise<void> {
    await Promise.all([...running].map((one) => one.stop(signal)));
    running.clear();
  }

  async function closeBooks(): Promise<void> {
    await books?.close();
    books = undefined;
  }
}
