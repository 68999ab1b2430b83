import { beforeAll, expect, test } from "vitest";
import { weighPage } from "../../benchmarks/scripts";
import { buildConsole } from "../../support/console/console-build";

/** Of JavaScript with which a page starts: KB by gzip, and files. Who needs more loads it when it is needed (`ui/lazy-module.ts`). */
const BUDGETS = {
  _index: { kb: 121.5, requests: 8 },
  stored: { kb: 105.5, requests: 9 },
  users: { kb: 117, requests: 11 },
  mail: { kb: 105, requests: 7 },
  "sends.$id": { kb: 105, requests: 12 },
};

let folder: string;
beforeAll(async () => {
  folder = await buildConsole();
});

test.each(Object.entries(BUDGETS))("the scripts of %s stay within %j", (route, { kb, requests }) => {
  const page = weighPage(folder, route);
  expect(page.gzipBytes / 1024).toBeLessThan(kb);
  expect(page.requests).toBeLessThanOrEqual(requests);
});
