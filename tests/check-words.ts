import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Words of the dialect with their plain equivalents, and how many are left in the code. More of one fail the check;
 * lower its number when some are gone.
 */
const WORDS: [word: string, instead: string, left: number][] = [
  ["anew", "again", 0],
  ["whoever", "anyone, any process", 0],
  ["nobody", "no one, or the passive", 4],
  ["somebody", "a person, or the passive", 0],
  ["so many", "the number", 0],
  ["so long", "the duration", 0],
  ["so much", "the amount", 0],
  ["for ever", "permanently, never expires", 0],
  ["is told", "is notified, receives", 0],
  ["was told", "was notified, received", 0],
  ["goes by", "uses", 0],
  ["what it came to", "the outcome", 0],
  ["meanwhile", "during", 0],
  ["besides", "also", 0],
  ["in the name of", "on behalf of", 0],
  ["by itself", "automatically", 0],
  ["as they are known", "by name", 0],
  ["mended", "fixed", 0],
];

/**
 * Patterns that no file may contain: references to things outside the repository, and log events that are not
 * dotted keys.
 */
const FORBIDDEN: [pattern: RegExp, instead: string, paths: RegExp][] = [
  [/\bspec §|§\s?\d|\bissues? #?\d+\b/gi, "the rule itself", /^(?!.*README)/],
  [/(?<=\blog\.(?:info|warn|error)\(\s*)"(?![a-z_]+(?:\.[a-z_]+)+")[^"\n]*"/g, "a dotted key", /^app\//],
];

/** Files that contain the words themselves, or are history: an applied migration is never changed. */
const NOT_CHECKED = /^tests\/check-words\.ts$|^prisma\/migrations\//;
const CHECKED = /^(app|tests|prisma|docs)\/.*\.(tsx?|cjs|js|css|prisma|md)$|^[^/]+\.(md|js|ts)$/;

/** Each place of a pattern in a file, as a line to print. */
function listPlaces(path: string, text: string, pattern: RegExp, instead: string): string[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => {
    const line = text.slice(0, index).split("\n").length;
    return `${path}:${line}: ${JSON.stringify(found)} -> ${instead}`;
  });
}

const toPattern = (word: string) =>
  new RegExp(`\\b${word.replaceAll(" ", "\\s+(?:\\*\\s+|//\\s+)?")}\\b`, "gi");

const paths = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { encoding: "utf8" }).split(
  "\n",
);
const files = paths
  .filter((path) => CHECKED.test(path) && !NOT_CHECKED.test(path))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));
const problems = FORBIDDEN.flatMap(([pattern, instead, where]) =>
  files
    .filter(({ path }) => where.test(path))
    .flatMap(({ path, text }) => listPlaces(path, text, pattern, instead)),
);
for (const [word, instead, left] of WORDS) {
  const places = files.flatMap(({ path, text }) => listPlaces(path, text, toPattern(word), instead));
  if (places.length > left) problems.push(...places, `"${word}": ${places.length}, and ${left} are allowed`);
}
process.stdout.write(problems.map((problem) => `${problem}\n`).join(""));
process.exitCode = problems.length > 0 ? 1 : 0;
