import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

interface Rule {
  pattern: RegExp;
  /** What to write in its place. */
  instead: string;
  /** Paths that the rule is for; all where it is left out. */
  paths?: RegExp;
}

export interface Finding {
  path: string;
  line: number;
  found: string;
  instead: string;
}

/** These hold the forbidden words themselves, or are history: an applied migration is never changed. */
const NOT_CHECKED = /^tests\/(check-words|unit\/checks\/check-words\.test)\.ts$|^prisma\/migrations\//;
const CHECKED = /^(app|tests|prisma)\/.*\.(tsx?|cjs|js|css|prisma|md)$|^[^/]+\.(md|js|ts)$/;

const NOT_HERE = "the rule itself; that document is not in the repository";

/** Only what is wrong wherever it stands, so that the check has no false alarms. */
const RULES: Rule[] = [
  { pattern: /\bspec §|§\s?\d/g, instead: NOT_HERE },
  {
    pattern: /\b(?:money|security|provider-api|performance|words|house|spec|design)\.md\b/g,
    instead: NOT_HERE,
  },
  { pattern: /\bissues? #?\d+\b/gi, instead: NOT_HERE, paths: /^(?!.*README)/ },
  { pattern: /\b[Gg][1-9]\b/g, instead: "the behaviour in plain words" },
  { pattern: /\bg[1-9]-/g, instead: "the behaviour in plain words" },
  { pattern: /twins?(?![a-z])/gi, instead: "duplicate" },
  { pattern: /early[-_ ]?news/gi, instead: "pending event" },
  { pattern: /\bnews\b|(?<=[a-z])News\b|\bunasked/g, instead: "event; unexpected" },
  { pattern: /\bheard\b|\bHeard\b|\bhear[A-Z]\w*/g, instead: "received, reported or applied" },
  { pattern: /\bgo(?:es|ing)? out\b|\bwent out\b|\bgone out\b/gi, instead: "is sent" },
  { pattern: /\bdoors?\b/gi, instead: "route, socket, or what it is" },
  {
    // What people and programs read; "our books" are an account's.
    pattern: /\b(?:un)?book(?:ed|ing|ings)\b/gi,
    instead: "stored, charged or added",
    paths:
      /messages\.ts$|\.schema\.server\.ts$|^app\/api\/|^app\/sending\/proxy-types\.ts$|^prisma\/[^/]+\.ts$/,
  },
  { pattern: /\bverdict\b/g, instead: "outcome or check", paths: /^app\/(outside|pieces|builder\/reopen)\// },
  {
    pattern: /(?<=\bfunction )(?:describe|tell|explain)(?=[A-Z(])\w*/g,
    instead: "format…, parse… or to…",
    paths: /^(app|prisma)\//,
  },
  { pattern: /(["'])reconcile\1/g, instead: "RECOVERY", paths: /^app\/(pieces(?!\/event-sources)|story)\// },
  { pattern: /\bwhole story\b/gi, instead: "View piece" },
  { pattern: /\bwait(?:s|ed|ing)? for a person\b|\bneeds a person\b/gi, instead: "needs a decision" },
  { pattern: /\bstands here\b/gi, instead: "what is meant" },
  { pattern: /(?<!allow_|pg_)promot(?:e|ed|es|ing|ion)/gi, instead: "send the tested piece live" },
  {
    pattern: /(?<!fire|water|bullet)proof/gi,
    instead: "preview, test send, tested piece or provider's PDF",
  },
  { pattern: /reconciler\b/gi, instead: "recovery, or background runner" },
  { pattern: /reconcile(?:Sends|Cancels|Checkouts)\b/g, instead: "recover…" },
  { pattern: /look(?:s|ed|ing)?[ -]?after/gi, instead: "recover" },
  { pattern: /\bkept draft/gi, instead: "parked draft, or autosave" },
  { pattern: /takeBreaths?|\bbreathe\b/g, instead: "yieldToEventLoop" },
  { pattern: /\b(?:describe|tell)Silence\b/g, instead: "formatNoResponse" },
  { pattern: /\bmail-order\b|\bMailOrder\b/g, instead: "SendContext" },
  {
    pattern: /(?<=\blog\.(?:info|warn|error)\(\s*)"(?![a-z_]+(?:\.[a-z_]+)+")[^"\n]*"/g,
    instead: "a dotted key, as in send.recovered",
    paths: /^app\//,
  },
];

/** What is wrong in a file, its name included. */
export function findWords(path: string, text: string): Finding[] {
  return RULES.filter(({ paths }) => paths?.test(path) ?? true).flatMap(({ pattern, instead }) => [
    ...[...path.matchAll(pattern)].map(([found]) => ({ path, line: 0, found, instead })),
    ...[...text.matchAll(pattern)].map(({ 0: found, index }) => ({
      path,
      line: text.slice(0, index).split("\n").length,
      found,
      instead,
    })),
  ]);
}

/** `app/pieces/send/decide.ts` is of the room `app/pieces`. */
function nameRoom(path: string): string {
  const folders = path.split("/").slice(0, -1);
  return folders.slice(0, 2).join("/") || "root";
}

function main(under: string): void {
  const paths = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "--", under], {
    encoding: "utf8",
  })
    .split("\n")
    .filter((path) => CHECKED.test(path) && !NOT_CHECKED.test(path));
  const findings = paths.flatMap((path) => findWords(path, readFileSync(path, "utf8")));
  for (const { path, line, found, instead } of findings) {
    process.stdout.write(`${path}:${line}: ${JSON.stringify(found)} -> ${instead}\n`);
  }
  const rooms = new Map<string, number>();
  for (const { path } of findings) rooms.set(nameRoom(path), (rooms.get(nameRoom(path)) ?? 0) + 1);
  for (const [room, count] of [...rooms].sort((a, b) => b[1] - a[1])) {
    process.stdout.write(`${String(count).padStart(5)}  ${room}\n`);
  }
  process.stdout.write(`${findings.length} words to replace in ${paths.length} files.\n`);
  if (findings.length > 0) process.exitCode = 1;
}

// `npm run check:words app/pieces` looks at one room.
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv[2] ?? ".");
