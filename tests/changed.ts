import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/**
 * `npm run test:changed [since]` runs the tests that changed files need: those since `since` (default: `main`),
 * committed or not. Unit and server tests are found by the import graph and by room, because a test that starts the
 * built console imports nothing of it; scenarios by the rooms whose screens they use. `-- --no-browser` skips the
 * scenarios.
 */
/** Scenarios of rooms without a folder of their own below `e2e/`. */
const SCENARIOS: Record<string, string> = {
  alarms: "mail",
  api: "site/tokens",
  catalogue: "builder/builder.spec",
  find: "site/search",
  insights: "site/insights",
  outside: "builder/builder.spec",
  people: "site/start",
  pieces: "mail",
  platform: "site/http",
  print: "builder/mail-form",
  recipients: "mail/mail.spec",
  reconciliation: "mail/reconciliation",
  responses: "stored",
  routes: "site/main-job",
  proxy: "builder/live-mail",
  tokens: "site/tokens",
  ui: "site",
};

const words = process.argv.slice(2);
const since = words.find((word) => !word.startsWith("--")) ?? "main";
const base = git("merge-base", since, "HEAD")[0] ?? since;
const changed = [...git("diff", "--name-only", base), ...git("ls-files", "-o", "--exclude-standard")];
const rooms = new Set(changed.flatMap((path) => /^app\/(\w+)\//.exec(path)?.[1] ?? []));

const config = ["--config", "tests/vitest.config.ts"];
const byImport = run("vitest", ["list", "--filesOnly", "--changed", base, ...config], "pipe").stdout.split(
  "\n",
);
const files = byImport.map((line) => /tests\/\S+\.test\.ts/.exec(line)?.[0] ?? "").filter(Boolean);
for (const room of rooms) files.push(`tests/unit/${room}/`, `tests/server/${room}/`);
const scenarios = [
  ...changed.filter((path) => path.endsWith(".spec.ts") && existsSync(path)),
  ...[...rooms]
    .map((room) => `tests/e2e/${SCENARIOS[room] ?? room}`)
    .filter((path) => existsSync(path) || existsSync(`${path}.spec.ts`) || path.endsWith(".spec")),
];

let status = 0;
if (files.length > 0) status ||= run("vitest", ["run", ...config, ...new Set(files)]).status ?? 1;
if (scenarios.length > 0 && !words.includes("--no-browser")) {
  const projects = ["--project", "script", "--project", "no-script"];
  const playwright = ["test", "--config", "tests/playwright.config.ts", ...projects, ...new Set(scenarios)];
  status ||= run("playwright", playwright).status ?? 1;
}
process.exit(status);

function git(...words: string[]): string[] {
  return execFileSync("git", words, { encoding: "utf8" }).split("\n").filter(Boolean);
}

function run(program: string, words: string[], stdout: "pipe" | "inherit" = "inherit") {
  return spawnSync("npx", [program, ...words], { encoding: "utf8", stdio: ["inherit", stdout, "inherit"] });
}
