import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { buildConsole } from "../../support/console/console-build";

/**
 * Limits of the JavaScript with which a page starts: KB with gzip, and files. A page that needs more loads it on
 * demand (`ui/lazy-module.ts`).
 */
const BUDGETS = {
  _index: { kb: 123, requests: 7 },
  stored: { kb: 111.1, requests: 10 },
  users: { kb: 111.5, requests: 8 },
  mail: { kb: 111.6, requests: 8 },
  "sends.$id": { kb: 109.5, requests: 9 },
};

interface Scripts {
  module: string;
  imports: string[];
}

let folder: string;
beforeAll(async () => {
  folder = await buildConsole();
});

/**
 * Adds up the scripts that a page loads before it reacts: its route, the root and the entry with all their imports.
 * Chunks that are loaded on demand do not count.
 */
function weighPage(route: string) {
  const files = join(folder, "build/client");
  const manifest = readdirSync(join(files, "assets")).find((name) => name.startsWith("manifest-")) ?? "";
  const text = readFileSync(join(files, "assets", manifest), "utf8");
  const { entry, routes } = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) as {
    entry: Scripts;
    routes: Record<string, Scripts>;
  };
  const starts = [entry, routes.root, routes[`routes/${route}`]];
  const paths = new Set(starts.flatMap((start) => (start ? [start.module, ...start.imports] : [])));
  const scripts = [...paths].map((path) => readFileSync(join(files, path)));
  const gzipBytes = scripts.reduce((sum, script) => sum + gzipSync(script).length, 0);
  return { scripts: scripts.map(String), gzipBytes };
}

test.each(Object.entries(BUDGETS))("the scripts of %s stay within %j", (route, { kb, requests }) => {
  const page = weighPage(route);
  expect(page.gzipBytes / 1024).toBeLessThan(kb);
  expect(page.scripts.length).toBeLessThanOrEqual(requests);
  // Chromium compiles them beside their download.
  for (const script of page.scripts) expect(script).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/);
});
