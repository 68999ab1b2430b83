import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * `npm run bench`: all benchmarks one after the other, each in a process of its own so that none finds what another
 * left. Ends with 1 when one of them does.
 */
const PARTS = ["scripts", "pages", "requests", "stored", "mail", "money", "find"];

for (const part of PARTS) {
  process.stdout.write(`\n== ${part}\n\n`);
  const words = ["--import", "tsx", `tests/benchmarks/${part}.ts`];
  const running = spawn(process.execPath, words, { stdio: "inherit" });
  const [code] = await once(running, "exit");
  if (code !== 0) process.exitCode = 1;
}
