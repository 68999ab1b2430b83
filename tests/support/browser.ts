import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright";

/** Debian's packages. The headless one needs a fifth less processor time for the same scenarios. */
const DEBIAN = ["chromium-headless-shell", "chromium"];

/**
 * Finds the browser that the tests drive: `CHROMIUM_PATH`, Debian's, or Playwright's own; null when there is none.
 */
export function findBrowser(): string | null {
  const candidates = [
    process.env.CHROMIUM_PATH,
    ...DEBIAN.map((name) => `/usr/bin/${name}`),
    chromium.executablePath(),
  ];
  return candidates.find((path) => path && existsSync(path)) ?? null;
}

/** Installs a browser if there is none: Playwright's download, else Debian's packages. */
function installBrowser(): void {
  const attempts: [string, string[]][] = [
    ["npx", ["playwright", "install", "chromium"]],
    ...DEBIAN.map((name): [string, string[]] => [
      "sh",
      ["-c", `apt-get update -q && apt-get install -y -q ${name}`],
    ]),
  ];
  for (const [command, words] of attempts) {
    process.stdout.write(`No browser found; trying: ${command} ${words.join(" ")}\n`);
    spawnSync(command, words, { stdio: "inherit" });
    if (findBrowser()) return;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  if (!findBrowser()) installBrowser();
  if (!findBrowser()) {
    process.stderr.write("The browser tests need Chromium. Install it, or set CHROMIUM_PATH to one.\n");
    process.exit(1);
  }
}
