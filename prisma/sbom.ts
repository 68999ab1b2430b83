import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { print, Refusal, runCommand } from "./command";

/**
 * Lists the deployed packages with their licences in `build/sbom.json` (CycloneDX) and `build/licences.txt`. Part of
 * `npm run build`; `--check` writes nothing. Fails on a licence that was not reviewed.
 */
const ALLOWED = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "OFL-1.1", "Unlicense"];
/** Packages with another licence or none, each reviewed. */
const REVIEWED: Record<string, string> = {
  // Unchanged, part of Prisma Studio, and not in the image.
  elkjs: "EPL-2.0",
  "png-js": "MIT",
  "seq-queue": "MIT",
};

interface Component {
  name: string;
  version: string;
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
}

await runCommand("The licences were not listed.", 2, async () => {
  const words = ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev"];
  const bill = execFileSync("npm", words, { encoding: "utf8", maxBuffer: 64 * 1024 ** 2 });
  const { components } = JSON.parse(bill) as { components: Component[] };
  const listed = components.map((component) => ({ ...component, licence: findLicence(component) }));
  const unknown = listed.filter(({ name, licence }) => REVIEWED[name] !== licence && !isAllowed(licence));
  if (unknown.length > 0) {
    const names = unknown.map(({ name, version, licence }) => `${name}@${version} (${licence || "none"})`);
    throw new Refusal(`Licences to review: ${names.join(", ")}. Allow them in prisma/sbom.ts.`);
  }
  print(`${listed.length} packages, all with allowed licences.`);
  if (process.argv.includes("--check")) return 0;
  writeFileSync("build/sbom.json", bill);
  const lines = listed.map(({ name, version, licence }) => `${name}@${version}\t${licence}\n`);
  writeFileSync("build/licences.txt", lines.sort().join(""));
  return 0;
});

function isAllowed(licence: string): boolean {
  const choices = licence.replace(/[()]/g, "").split(/ or /i);
  return choices.some((choice) => choice.split(/ and /i).every((one) => ALLOWED.includes(one)));
}

function findLicence({ name, licenses = [] }: Component): string {
  const named = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? "");
  return named.join(" AND ") || (REVIEWED[name] ?? "");
}
