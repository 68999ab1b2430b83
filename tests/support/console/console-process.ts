import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { listen } from "../../emulators/listen";
import { buildConsole, listNodeOptions } from "./console-build";

/** The secrets of a console, of the length that production requires. */
export const SESSION_SECRET = "session-secret-of-the-tests-0001";
export const METRICS_TOKEN = "metrics-token-of-the-tests-00001";
/** Turns the limits off: tests send more requests than a person does. The tests of the limits set their own. */
export const NO_LIMITS = { RATE_LIMITS: "off", STANNP_CONCURRENCY: "1000", FRESH_SIGN_IN_MINUTES: "0" };
/** Names the folder of a run's build. */
const BUILT = "TEST_CONSOLE_FOLDER";
const START_LIMIT_MS = 120_000;
/** Ends a console whose test process was killed and could not stop it. */
const END_WITH_PARENT = `data:text/javascript,${encodeURIComponent(
  "const parent = process.ppid; setInterval(() => process.ppid === parent || process.exit(), 1000).unref()",
)}`;

export type ConsoleProcess = Awaited<ReturnType<typeof startConsole>>;

/**
 * Starts the production build in its own process with exactly these variables, and waits until it listens. Picks a
 * free port before the start, because the public address must be known by then.
 * @param folder has `build/` in it; the run's build by default
 */
export async function startConsole(
  variables: Record<string, string>,
  folder = process.env[BUILT] ?? process.cwd(),
) {
  let started = await tryToStart(variables, folder);
  // Another process took the port after it was picked.
  while (started === null) started = await tryToStart(variables, folder);
  return started;
}

async function tryToStart(variables: Record<string, string>, folder: string) {
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const words = [...listNodeOptions(), "--import", END_WITH_PARENT, "build/index.js"];
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? "",
      NODE_ENV: "production",
      PORT: String(port),
      APP_ORIGIN: origin,
      SESSION_SECRET,
      ...NO_LIMITS,
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  const errors: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => errors.push(line));
  const lines = createInterface({ input: child.stdout }).on("line", (line) => output.push(line));
  const isListening = () => output.some((line) => line.includes('"http.listening"'));
  const untilListening = async () => {
    while (!isListening()) await once(lines, "line");
  };
  // After its exit its last lines may still be on their way.
  const closed = once(child, "close");
  await Promise.race([untilListening(), closed, wait(START_LIMIT_MS, null, { ref: false })]);
  if (!isListening()) {
    child.kill("SIGKILL");
    if (errors.some((line) => line.startsWith(`Port ${port} is taken`))) return null;
    throw new Error(`The console does not listen.\n${[...output, ...errors].join("\n")}`);
  }
  return {
    origin,
    pid: child.pid ?? 0,
    /** Lines that the process wrote to standard output (log lines) and standard error. */
    output,
    errors,
    /** False once it has ended, for any reason. */
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** Ends it and reads all of its output. Returns its exit code, or null when the signal ended it. */
    stop: async (signal: NodeJS.Signals = "SIGTERM") => {
      child.kill(signal);
      await closed;
      return child.exitCode;
    },
  };
}

/** Builds the console once for the run (`globalSetup` of Playwright), unless the same tree is built already. */
export default async function buildForRun(): Promise<void> {
  process.env[BUILT] = await buildConsole();
}

/** Finds a port on which nothing listens now. */
export async function findFreePort(): Promise<number> {
  const { port, close } = await listen(createServer());
  await close();
  return port;
}
