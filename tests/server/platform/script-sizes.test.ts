import { beforeAll, expect, test } from "vitest";
import { weighPage } from "../../benchmarks/page-scripts";
import { buildConsole } from "../../support/console/console-build";

/** Of JavaScript by gzip, with which a page starts. Who needs more loads it when it is needed (`ui/lazy-module.ts`). */
const BUDGETS_KB = { _index: 155, stored: 120, users: 128, mail: 118, "sends.$id": 114 };

let folder: string;
beforeAll(async () => {
  folder = await buildConsole();
});

test.each(Object.entries(BUDGETS_KB))(
  "the page of %s starts with at most %s KB of scripts",
  (route, budget) => {
    expect(weighPage(folder, route).gzipBytes / 1024).toBeLessThan(budget);
  },
);
