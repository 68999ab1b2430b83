import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright";

const DEBIAN_CHROMIUM = "/usr/bin/chromium";

/** The browser the tests drive: `CHROMIUM_PATH`, Debian's, or Playwright's own; null when there is none. */
export function findBrowser(): string | null {
  const candidates = [process.env.CHROMIUM_PATH, DEBIAN_CHROMIUM, chromium.executablePath()];
  return candidates.find((path) => path && existsSync(path)) ?? null;
}

/** Gets a browser where there is none: Playwright's download, else Debian's package. */
function installBrowser(): void {
  const attempts: [string, string[]][] = [
    ["npx", ["playwright", "install", "chromium"]],
    ["sh", ["-c", "apt-get update -q && apt-get install -y -q chromium"]],
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
