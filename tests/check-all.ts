import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import packageJson from "../package.json" with { type: "json" };

/**
 * `npm run check`: runs every `check:…` of package.json, as many at once as there are processors, the longest
 * first. Prints the output of each at its end. Exits with 1 when one of them fails.
 */
const LONGEST_FIRST = ["check:types", "check:dead", "check:arrows"];

const names = Object.keys(packageJson.scripts).filter((name) => name.startsWith("check:"));
const waiting = [...new Set([...LONGEST_FIRST, ...names])];
const failed: string[] = [];

function run(name: string): Promise<void> {
  return new Promise((resolve) => {
    execFile(
      "npm",
      ["run", "--silent", name],
      { maxBuffer: Number.POSITIVE_INFINITY },
      (error, output, wrong) => {
        process.stdout.write(`${error ? "FAILED" : "ok"}: ${name}\n${output}${wrong}`);
        if (error) failed.push(name);
        resolve();
      },
    );
  });
}

async function runNext(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await run(name);
}

await Promise.all(Array.from({ length: availableParallelism() }, runNext));
process.exit(failed.length === 0 ? 0 : 1);
