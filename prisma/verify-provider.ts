import { openSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type CheckedFact, verifyFacts } from "../app/outside/mail-provider/facts.server";
import { env } from "../app/platform/env.server";
import { print, Refusal, runCommand } from "./command";

/**
 * `npm run verify-provider`: checks at the account of the first base URL (`--base LABEL`: another one) that the
 * provider works as the code assumes, one line per fact. Makes only reads and tests, at most 40 calls in 60 s.
 * `--save FILE` writes the observed facts, without personal data, for the emulator. Exit code 0: all facts hold or
 * cannot be tested; 1: some differ; 2: not all could be checked.
 */
const DIFFERS = 1;
const NOT_ASKED = 2;
const TITLES: Record<CheckedFact["verdict"], string> = {
  holds: "holds",
  differs: "DIFFERS",
  untested: "untested",
  unasked: "no answer",
};

await runCommand("The provider was not asked.", NOT_ASKED, async () => {
  const { values } = parseArgs({ options: { base: { type: "string" }, save: { type: "string" } } });
  const { baseUrls, providerKey } = env();
  if (providerKey === null) throw new Refusal("Set STANNP_API_KEY, in .env or outside.");
  const wanted = values.base ?? baseUrls[0].label;
  const base = baseUrls.find(({ label }) => label.toLowerCase() === wanted.toLowerCase());
  if (!base) throw new Refusal(`STANNP_BASE_URLS has ${baseUrls.map(({ label }) => label).join(", ")}.`);
  // Opened before any call, so that an unwritable path fails early.
  const file = values.save === undefined ? null : openSync(values.save, "w");
  print(`${base.label} ${base.url}`);
  const checked = await verifyFacts(base);
  if (!checked.ok) throw new Refusal(checked.failure.message);
  for (const found of checked.value) print(formatLine(found));
  if (file !== null) {
    const seen = checked.value.filter(({ verdict }) => verdict === "holds" || verdict === "differs");
    const saved = Object.fromEntries(seen.map((one) => [one.id, one.seen]));
    writeFileSync(file, `${JSON.stringify(saved, null, 2)}\n`);
  }
  const count = (verdict: CheckedFact["verdict"]) =>
    checked.value.filter((one) => one.verdict === verdict).length;
  print(
    `${count("holds")} hold, ${count("differs")} differ, ${count("untested")} cannot be tested here, ${count("unasked")} got no answer.`,
  );
  if (count("differs") > 0) return DIFFERS;
  return count("unasked") > 0 ? NOT_ASKED : 0;
});

function formatLine({ id, assumed, expected, verdict, seen }: CheckedFact): string {
  const head = `${TITLES[verdict].padEnd(11)}${id.padEnd(16)}${assumed}`;
  if (verdict === "holds") return head;
  if (verdict !== "differs") return `${head} ${seen}`;
  return `${head} Expected: ${expected.join(" or ")}. Seen: ${seen}.`;
}
