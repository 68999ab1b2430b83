import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import dotenv from "dotenv";
import { type CheckedFact, verifyFacts } from "../app/outside/mail-provider/verify-facts.server";
import { EnvironmentError, env } from "../app/platform/env.server";

/**
 * `npm run verify-provider`: asks the account at the first base URL (`--base LABEL`: another one) whether the provider works
 * as the code assumes, one line per fact. Only reads and tests, at most 40 calls in 60 s. `--save FILE` writes what was seen,
 * which names no person, for the emulator. Exit code 0: all facts hold or cannot be tested; 1: some differ; 2: not all could
 * be asked.
 */
const DIFFERS = 1;
const NOT_ASKED = 2;
const TITLES: Record<CheckedFact["verdict"], string> = {
  holds: "holds",
  differs: "DIFFERS",
  untested: "untested",
  unasked: "no answer",
};

dotenv.config({ quiet: true });
process.env.LOG_LEVEL ??= "warn";
try {
  process.exitCode = await verifyConfigured();
} catch (error) {
  const isMisused =
    error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  if (!(error instanceof EnvironmentError || isMisused)) throw error;
  process.exitCode = refuse(error instanceof Error ? error.message : "");
}

async function verifyConfigured(): Promise<number> {
  const { values } = parseArgs({ options: { base: { type: "string" }, save: { type: "string" } } });
  const { baseUrls, providerKey } = env();
  if (providerKey === null) return refuse("Set STANNP_API_KEY, in .env or outside.");
  const wanted = values.base ?? baseUrls[0].label;
  const base = baseUrls.find(({ label }) => label.toLowerCase() === wanted.toLowerCase());
  if (!base) return refuse(`STANNP_BASE_URLS has ${baseUrls.map(({ label }) => label).join(", ")}.`);
  print(`${base.label} ${base.url}`);
  const checked = await verifyFacts(base);
  if (!checked.ok) return refuse(checked.failure.message);
  for (const found of checked.value) print(formatLine(found));
  if (values.save !== undefined) {
    const seen = checked.value.filter(({ verdict }) => verdict === "holds" || verdict === "differs");
    const saved = Object.fromEntries(seen.map((one) => [one.fact.id, one.seen]));
    writeFileSync(values.save, `${JSON.stringify(saved, null, 2)}\n`);
  }
  const count = (verdict: CheckedFact["verdict"]) =>
    checked.value.filter((one) => one.verdict === verdict).length;
  const [holds, differs, untested, unasked] = [
    count("holds"),
    count("differs"),
    count("untested"),
    count("unasked"),
  ];
  print(`${holds} hold, ${differs} differ, ${untested} cannot be tested here, ${unasked} got no answer.`);
  if (differs > 0) return DIFFERS;
  return unasked > 0 ? NOT_ASKED : 0;
}

function formatLine({ fact, verdict, seen }: CheckedFact): string {
  const head = `${TITLES[verdict].padEnd(11)}${fact.id.padEnd(16)}${fact.assumed}`;
  if (verdict === "holds") return head;
  if (verdict !== "differs") return `${head} ${seen}`;
  return `${head} Expected: ${fact.expected.join(" or ")}. Seen: ${seen}.`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function refuse(reason: string): number {
  process.stderr.write(`The provider was not asked. ${reason}\n`);
  return NOT_ASKED;
}
