import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

/** A server in a process of its own whose processor time can be asked for. */
export interface MeasuredProcess {
  origin: string;
  /** Milliseconds of the processor, user and system, since its start. */
  cpuMs(): Promise<number>;
  /** Bytes in memory. */
  memory(): Promise<number>;
  /** From its start to its first answer. */
  startMs: number;
  stop(): Promise<void>;
}

interface Report {
  cpu: NodeJS.CpuUsage;
  rss: number;
}

/** Loaded into the process before its program: answers each message with what the process has used. */
const REPORTER = `data:text/javascript,${encodeURIComponent(
  "process.on('message',()=>process.send({cpu:process.cpuUsage(),rss:process.memoryUsage.rss()}));process.channel?.unref()",
)}`;
const START_LIMIT_MS = 60_000;
const LOOK_MS = 5;

/**
 * Starts `node` with these words and waits until the address answers.
 * @param path answers with 200 once it is up
 */
export async function startMeasured(
  words: readonly string[],
  { folder, port, path, env }: { folder: string; port: number; path: string; env: Record<string, string> },
): Promise<MeasuredProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["--import", REPORTER, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", PORT: String(port), ...env },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString("utf8")).slice(-4_000);
  });
  const origin = `http://127.0.0.1:${port}`;
  for (;;) {
    const up = await fetch(origin + path).then(
      (reply) => reply.ok,
      () => false,
    );
    if (up) break;
    if (child.exitCode !== null || performance.now() - startedAt > START_LIMIT_MS) {
      child.kill("SIGKILL");
      throw new Error(`${words.join(" ")} did not start.\n${said}`);
    }
    await wait(LOOK_MS);
  }
  const startMs = performance.now() - startedAt;
  return {
    origin,
    startMs,
    cpuMs: async () => {
      const { cpu } = await ask(child);
      return (cpu.user + cpu.system) / 1_000;
    },
    memory: async () => (await ask(child)).rss,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

async function ask(child: ChildProcess): Promise<Report> {
  const answered = once(child, "message");
  child.send("report");
  const [report] = (await answered) as [Report];
  return report;
}
