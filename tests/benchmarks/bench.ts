import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * `npm run bench` runs all benchmarks, each in its own process; `npm run bench -- requests` runs one, with its options
 * behind the name. Exits with 1 when one of them fails or a route exceeds its limit.
 */
const BENCHMARKS = {
  requests: () => import("./requests"),
  lists: () => import("./lists"),
  navigation: () => import("./navigation"),
  pages: () => import("./pages"),
};

const [name, ...options] = process.argv.slice(2);
if (name === undefined) {
  for (const each of Object.keys(BENCHMARKS)) {
    process.stdout.write(`\n== ${each}\n\n`);
    const words = ["--import", "tsx", import.meta.filename, each];
    const [code] = await once(spawn(process.execPath, words, { stdio: "inherit" }), "exit");
    if (code !== 0) process.exitCode = 1;
  }
} else if (name in BENCHMARKS) {
  const { run } = await BENCHMARKS[name as keyof typeof BENCHMARKS]();
  await run(options);
} else {
  process.stderr.write(`Choose one of: ${Object.keys(BENCHMARKS).join(", ")}.\n`);
  process.exitCode = 2;
}
