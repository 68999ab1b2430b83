import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { ConsoleProcess } from "../support/console/console-process";

const MB = 1024 * 1024;
const LOOK_MS = 200;

/** Reads a file of all responses from a console and tells its speed and what memory it took, in one line. */
export async function measureExport(console: ConsoleProcess, cookie: string, path: string): Promise<string> {
  const before = readMemoryMb(console.pid);
  let peak = before;
  let reading = true;
  const watch = async () => {
    while (reading) {
      peak = Math.max(peak, readMemoryMb(console.pid));
      await wait(LOOK_MS);
    }
  };
  const watching = watch();
  const startedAt = performance.now();
  const reply = await fetch(console.origin + path, {
    headers: { Cookie: cookie, "Accept-Encoding": "identity" },
  });
  if (!reply.ok || !reply.body) throw new Error(`${path} answered ${reply.status}`);
  let bytes = 0;
  let lines = 0;
  for await (const chunk of reply.body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines++;
  }
  reading = false;
  await watching;
  const seconds = (performance.now() - startedAt) / 1000;
  const size = `${lines.toLocaleString("en")} lines, ${Math.round(bytes / MB)} MB`;
  return `${path}: ${size} in ${seconds.toFixed(0)} s; the console had ${before} MB, ${peak} MB at most.`;
}

/** What a process has in memory. */
function readMemoryMb(pid: number): number {
  const [, kilobytes = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
