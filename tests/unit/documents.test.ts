import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ALARM_KINDS } from "~/alarms/alarm-kinds";
import { VARIABLES } from "~/platform/env.server";
import packageJson from "../../package.json" with { type: "json" };

const documents = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.md"], { encoding: "utf8" })
  .trim()
  .split("\n");
const readText = (path: string) => readFileSync(path, "utf8");

test("docs/configuration.md has a line for each environment variable, and for no other", () => {
  const lines = readText("docs/configuration.md").split("\n");
  const named = lines
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => (line.split("|")[1] ?? "").match(/[A-Z][A-Z_]+/g) ?? []);
  expect(named.toSorted()).toEqual(VARIABLES.filter((name) => name !== "NODE_ENV").toSorted());
});

test("docs/operating.md explains each alarm", () => {
  const text = readText("docs/operating.md");
  expect(Object.values(ALARM_KINDS).filter((title) => !text.includes(title))).toEqual([]);
});

test("every relative link of a document leads to a file", () => {
  const broken = documents.flatMap((path) =>
    [...readText(path).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !existsSync(join(dirname(path), target)))
      .map((target) => `${path}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test("compose.yaml and CHANGELOG.md name the version of package.json", () => {
  expect(readText("compose.yaml")).toContain(`image: mailroom:${packageJson.version}\n`);
  expect(readText("CHANGELOG.md").match(/^## (\S+)/m)?.[1]).toBe(packageJson.version);
});

test("CONTRIBUTING.md names places that exist", () => {
  const places = readText("CONTRIBUTING.md").match(/(?<=`)(?:app|docs|prisma|tests)\/[\w./-]*(?=`)/g) ?? [];
  expect(places.length).toBeGreaterThan(5);
  expect(places.filter((place) => !existsSync(place))).toEqual([]);
});
