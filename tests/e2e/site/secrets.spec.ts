import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildConsole } from "../../support/console/console-build";
import { expect, test } from "../fixtures";

test("the browser's bundle has none of the server's settings", async () => {
  const folder = join(await buildConsole(), "build/client/assets");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".js"),
  );
  expect(files.length).toBeGreaterThan(3);
  const bundle = files.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  expect(bundle).not.toMatch(/STANNP_API_KEY=|SESSION_SECRET|ZodError/);
});
