import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { wordsToStart } from "./child-programs";
import { PROJECT } from "./console/console-build";

/** A TypeScript program of ours in a process of its own, read line by line. */
export type ChildSteps = ReturnType<typeof startSteps>;

/** Starts `node` on the file with the given arguments and only these variables and `PATH`. */
export function startSteps(file: string, words: string[], variables: Record<string, string> = {}) {
  const child = spawn(process.execPath, [...wordsToStart(file), ...words], {
    cwd: PROJECT,
    env: { NODE_ENV: "test", PATH: process.env.PATH ?? "", LOG_LEVEL: "silent", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  const watchers = new Set<() => void>();
  let errors = "";
  let ended = false;
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString("utf8");
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    for (const look of watchers) look();
  });
  child.once("close", () => {
    ended = true;
    for (const look of watchers) look();
  });
  return {
    process: child,
    /** Lines of standard output so far. */
    lines,
    /** Its standard error so far. */
    errors: () => errors,
    /** Waits for the first line that `test` accepts. Rejects when the program ends without one. */
    waitFor: (test: (line: string) => boolean) =>
      new Promise<string>((resolve, reject) => {
        const look = () => {
          const found = lines.find(test);
          if (found === undefined && !ended) return;
          watchers.delete(look);
          if (found === undefined) reject(new Error(`${file} ended.\n${lines.join("\n")}\n${errors}`));
          else resolve(found);
        };
        watchers.add(look);
        look();
      }),
    /** Ends the program and waits; returns its exit code or the signal. */
    stop: async (signal: NodeJS.Signals) => {
      if (!ended) {
        const end = once(child, "close");
        child.kill(signal);
        await end;
      }
      return child.signalCode ?? child.exitCode ?? 0;
    },
  };
}

/** Runs the file to its end. Returns its exit code and its output. */
export async function runToEnd(
  file: string,
  words: string[],
  variables: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const { process: child } = startSteps(file, words, variables);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const [code] = await once(child, "close");
  return { code, output };
}
