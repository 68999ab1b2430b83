import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ConsoleProcess } from "./console-process";

/** Replaces only the machine's clock: timers and `performance.now()` are unchanged. */
const PRELOADED = `
const { readFileSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");
const Real = Date;
const read = () => Number(readFileSync(process.env.CLOCK_FILE, "utf8"));
let by = read();
globalThis.Date = class extends Real {
  constructor(...given) { given.length ? super(...given) : super(Real.now() + by); }
  static now() { return Real.now() + by; }
};
if (isMainThread) process.on("SIGUSR2", () => { by = read(); console.log("clock set by " + by); });
`;
const SET_WITHIN_MS = 10_000;

/** A clock for consoles that can be set while they run. */
export type MovableClock = ReturnType<typeof makeClock>;

/** @param byMs the offset from the true time at the start */
export function makeClock(byMs = 0) {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-clock-"));
  const [script, file] = [join(folder, "clock.cjs"), join(folder, "by")];
  writeFileSync(script, PRELOADED);
  writeFileSync(file, String(byMs));
  return {
    /** Variables for the start of a console. Its embedded database has the same clock. */
    variables: { NODE_OPTIONS: `--require ${script}`, CLOCK_FILE: file },
    /** Sets the offset from the true time, in ms, in all of these consoles. */
    async set(to: number, consoles: readonly ConsoleProcess[]) {
      writeFileSync(file, String(to));
      await Promise.all(consoles.map((one) => tell(one, `clock set by ${to}`)));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function tell({ pid, output }: ConsoleProcess, line: string): Promise<void> {
  const count = () => output.filter((one) => one === line).length;
  const before = count();
  process.kill(pid, "SIGUSR2");
  const deadline = performance.now() + SET_WITHIN_MS;
  while (count() === before) {
    if (performance.now() > deadline) throw new Error("A console did not set its clock");
    await wait(5);
  }
}
