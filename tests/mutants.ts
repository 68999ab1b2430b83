import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { copyProject, PROJECT } from "./support/console/console-build";

/**
 * `npm run test:mutants`: plants known money bugs, one line each, in a copy of the project and runs the money tests
 * there; `-- NAME` runs those whose name contains this text, several names are alternatives. Each must be caught.
 * Exits with 1 when one is not caught or cannot be planted.
 */
interface Mutant {
  bug: string;
  file: string;
  /** Each occurs in the file exactly once. */
  changes: [line: string, planted: string][];
  /** The tests that must catch it, one after the other. */
  suites: string[][];
}

/** For most bugs the quick suite first; the second one for bugs that pass it. */
const SUITES = [
  ["tests/server/money/send-answers.test.ts", "-t", "unknown after"],
  ["tests/server/money/storm.test.ts", "-t", "PostgreSQL"],
];

const CANCELS = [
  ["tests/server/mail/mail-api.test.ts", "-t", "on PostgreSQL cancel"],
  ["tests/server/money/cancel-answers.test.ts"],
];

/** `# bug | file below app/ | test file | its test`, then the lines to replace (`-`) and their replacements (`+`). */
const BUGS = `
# restored list continues | platform/database/restore.server.ts | server/bulk/list-starts | a list that is restored
-       await session.query(beforeCommit);
# restored list not compared | bulk/sending/restored-lists.server.ts | server/bulk/list-starts | a list that is restored
- if (lost.size === 0) return [];
+ return [];
# cancel all takes later pieces | bulk/sending/list-transitions.server.ts | server/bulk/list-starts | a list is not started while
- if (list.cancelActorId !== null)
+ if (false)
# list sent on behalf of its maker | bulk/sending/claim-rows.server.ts | server/bulk/list-starts | the starter is the actor
- findActor(db, list.starterId)
+ findActor(db, list.actorId)
# row changed after the approval | bulk/rows/edit-rows.server.ts | server/bulk/list-starts | a change that began before
- approvedBy}::text FOR UPDATE\`
+ approvedBy}::text\`
# list pauses itself without an alarm | bulk/sending/list-transitions.server.ts | server/bulk/list-starts | the starter is the actor
- if (paused === 1) await openAlarm
+ if (paused === 2) await openAlarm
# 409 read as failure | pieces/send/piece-call.server.ts
- if (status === 409 || (status >=
+ if ((status >=
- return REFUSING_STATUSES.has(status) ?
+ return REFUSING_STATUSES.has(status) || status === 409 ?
# 5xx read as failure | pieces/send/piece-call.server.ts
- return REFUSING_STATUSES.has(status) ?
+ return REFUSING_STATUSES.has(status) || status >= 500 ?
# late refusal believed | pieces/recovery/recover-sends.server.ts | server/money/send-answers | refused although it was mailed
- ? await findListed(send) : null
+ ? ({ kind: "absent" } as Listed) : null
# unstored refusal told | proxy/answer-piece.server.ts | server/money/send-faults | outcome meets a refusal that cannot be stored
- const REPORTABLE = ["accepted", "unknown"];
+ const REPORTABLE = ["accepted", "unknown", "refused"];
# database error after the call thrown | pieces/send/settle.server.ts | server/money/send-faults | a trigger that raises
- const settled = await storeAfterCall(settle);
+ const settled = await withDatabase(settle);
# lost row not written again | pieces/send/settle.server.ts | server/money/send-faults | a lost row
- const lost = found === null || found.state === "reserved";
+ const lost = false;
# new id for a lost key | pieces/send/send-record.server.ts | server/money/send-faults | a send is lost with its process
- [actorId, idempotencyKey, freed]
+ [actorId, idempotencyKey, freed, Date.now()]
# known key raises no alarm | pieces/send/settle.server.ts | server/money/send-faults | a send is lost with its process
- const KNOWN_KEY = 409;
+ const KNOWN_KEY = 0;
# fault that comes back stays closed | reconciliation/daily/daily-reconciliation.server.ts | server/money/reconciliation-daily | a fault that was fixed
- if (problem === null) await endAbsent(tx, kind, alarms);
# refunded payment adds credits | credits/purchases/complete-checkout.server.ts | server/money/checkout | refunded in full
- if (page.isRefunded) return
# token of a purchase unnamed | credits/purchases/checkout.server.ts | server/money/checkout | a program began
- actorId: viewer.actorId,
+ actorId: viewer.id,
# mailed after a refund unnoticed | pieces/events/apply-event.server.ts | server/pieces/stannp-webhook | a signed status
- if (moved === 0 && isProduced(status)) {
+ if (moved < 0 && isProduced(status)) {
# later send touched by a lost one | pieces/send/send-transitions.server.ts | server/pieces/piece-transitions | another reservation
- text IS NULL OR reservation =
+ text IS NULL OR true OR reservation =
# refusal of an earlier call believed | pieces/send/send-transitions.server.ts | server/money/send-leases | whose answer comes late
- \`AND attempts = 
+ \`AND attempts >= 
# paused process calls on | pieces/lease.server.ts | server/money/send-leases | that is paused
- Math.max(0, Math.min(deadline - performance.now(), time.leftMs()))
+ Math.max(1_000, time.leftMs())
# refusal puts off the release | pieces/recovery/recover-sends.server.ts | server/money/send-answers | refused for its content
- NOT_DONE.includes(outcome.kind) ? sinceCall(send) : null
+ null
# ended piece sent again by its list | pieces/states.ts | server/bulk/row-pieces | a person ends or decides
-   given_up: FINAL,
+   given_up: { row: "ready", keyIsFree: false, httpStatus: 200 },
# undecided piece counted as sent | bulk/sending/row-outcome.server.ts | server/bulk/row-pieces | a person ends or decides
- if (isOpen(state)) return
+ if (isOpen(state) && state !== "needs_review") return
# key stays used after an unreachable provider | pieces/send/open-piece.server.ts | server/money/released-keys | could not be reached
- if (releaseCause !== "rate_limited") return true;
+ if (releaseCause !== "rate_limited") return false;
# key freed after any release | pieces/states.ts | server/money/released-keys | after any other release
- const FINAL = { row: "refused", keyIsFree: false,
+ const FINAL = { row: "refused", keyIsFree: true,
# list searched by the process clock | pieces/recovery/recover-sends.server.ts | server/money/released-keys | days behind
- formatIsoDay(createdAt + send.ageSeconds * 1000 + DAY_MS)
+ formatIsoDay(Date.now() + DAY_MS)
- if (days.to < days.from)
+ if (days.to === days.from)
# callers use Mailroom's own keys | pieces/send/send-record.server.ts | server/money/released-keys | a caller cannot use
- key.startsWith(prefix)
+ key === prefix
# attempt raised without a release | bulk/sending/send-rows.server.ts | server/bulk/row-pieces | a new attempt only after
- kind === "again" && outcome.released ? 1 : 0
+ kind === "again" ? 1 : 0
# late list believed | pieces/recovery/recover-sends.server.ts | server/money/send-answers | list may be late
- LISTED_SOON_SECONDS = 120;
+ LISTED_SOON_SECONDS = 30;
# silent base URL starves others | pieces/lease.server.ts | server/money/send-bounded | does not delay another account
- isOfBase(from.baseUrl)} AND
+ isOfBase(from.baseUrl)} IS NOT NULL AND
# all at a base URL that is out | outside/mail-provider/call/pace.server.ts | unit/outside/provider-waits
- Math.min(1, wanted) : wanted
+ wanted : wanted
# mailed test forgotten while the database is away | pieces/send/unexpected-mail.server.ts | server/money/send-faults | a test that was mailed during
- if (await writeSpool(SPOOL_KIND, fact)) return
+ if (fact) return
# one piece charged to two sends | pieces/send/unexpected-mail.server.ts | server/money/send-answers | answered with a piece of ours
- if (known !== null) {
+ if (known?.id === send.id) {
# another account's event refunds our piece | pieces/events/provider-events.server.ts | server/pieces/stannp-webhook-early | an event of another account
- const confirmed = await isCancelledAtProvider(item);
+ const confirmed = item !== null;
# event of a released piece dropped | pieces/events/provider-events.server.ts | server/pieces/stannp-webhook-early | whose credits were released
- if (!isMailWord(status) ||
+ if (isMailWord(status) ||
# refused cancel refunded | pieces/cancel/cancel-settle.server.ts | CANCELS
- found?.kind === "found" && isCancelledWord(found.status)
+ found?.kind === "found"
# 5xx to a cancel read as no | outside/mail-provider/piece.server.ts | CANCELS
- if (REFUSING_STATUSES.has(status) || (fine &&
+ if (REFUSING_STATUSES.has(status) || status >= 500 || (fine &&
# cancelled twice over | pieces/cancel/cancel-transitions.server.ts | server/pieces/stannp-webhook | cancelled by the provider
- isStateBefore("confirmCancel")
+ Prisma.sql\`state IN ('accepted', 'cancelling', 'cancelled')\`
# cancel claimed by two | pieces/cancel/cancel-transitions.server.ts | server/money/cancel-answers | through every route
- isStateBefore("startCancel")
+ Prisma.sql\`state IN ('accepted', 'cancelling')\`
# claimed cancel taken over at once | pieces/cancel/cancel-transitions.server.ts | server/money/cancel-answers | until the lease
- s.state = 'cancelling' AND
+ s.state = 'cancelling' OR false AND
# lost claim given back | pieces/cancel/cancel-settle.server.ts | CANCELS
- dropCancel(db, piece, note)
+ dropCancel(db, (await findCaseById(db, piece.id)) ?? piece, note)
# refusal not looked into | pieces/cancel/cancel-settle.server.ts | CANCELS
- if (isStillOpen(found, by)) {
+ if (!found && isStillOpen(found, by)) {
# repeated with another key | outside/mail-provider/call/keys.server.ts | server/money/send-keys | another key
- (fingerprint === null ? keys[0] : keys.find((key) => fingerprintKey(key) === fingerprint)) ?? null
+ keys[0] ?? fingerprint
# moment read as a wait | outside/mail-provider/call/rate-headers.ts | server/money/send-answers | rate limit that ends in epoch
- if (number < FIRST_EPOCH_SECONDS) return
+ return
- Math.min(Math.max(1, seconds), MAX_WAIT_SECONDS)
+ Math.max(1, seconds)
# lease of years believed | pieces/lease.server.ts | server/money/send-answers | would end in years
- OR lease_until > clock_timestamp()
+ OR false AND lease_until > clock_timestamp()
# copied tag kept | pieces/send/mail-call.server.ts | server/money/send-answers | our key and tag
- dropSendTags(tags.join(","))
+ tags.join(",")
# cut tag counts as no piece | pieces/recovery/recover-sends.server.ts | server/money/send-bounded | cuts tags
- all.problem || maybe ?
+ all.problem ?
# given up and repeated | pieces/recovery/recover-sends.server.ts | server/money/send-bounded | given up by a person
-  && send.givenUpBy === null;
+ ;
# key of a used-up rate limit kept | pieces/send/open-piece.server.ts | server/money/send-answers | used-up rate limit
- return settledSecondsAgo >= waitSeconds;
+ return settledSecondsAgo < 0 * waitSeconds;
# call overtaken when a clock jumps | pieces/recovery/recover-sends.server.ts | server/money/database-faults | a clock that jumps
- if (isUnderWay(send.id)) return succeed(null);
+ if (isUnderWay(send.id)) void send;
# wait of a rate limit by a wrong clock | pieces/send/open-piece.server.ts | server/money/database-faults | a clock that jumps
- return settledSecondsAgo >= waitSeconds;
+ return Date.now() >= settledAt.getTime() + waitSeconds * 1_000;
# empty mail booked | pieces/send/mail-body.server.ts | server/money/send-answers | before anything is stored
- return missing === null ? finished
+ return missing !== undefined ? finished
# error of a sent request read as unreachable | outside/mail-provider/call/client.server.ts | unit/outside/provider-endings
- return "syscall" in error && error.syscall === "connect";
+ return error.message !== undefined;
# forged event taken | outside/mail-provider/webhook.server.ts | server/pieces/stannp-webhook-hostile
- => isSigned(rawBody, signature, secret)
+ => signature !== "" || secret === ""
# migration waits a minute for a table | platform/database/migrations.server.ts | server/platform/upgrade
- const TABLE_WAIT_SECONDS = 2;
+ const TABLE_WAIT_SECONDS = 60;
# charge loses an update | credits/ledger/credit-parts.server.ts | server/money/storm | PostgreSQL
- SET balance = a.balance - s.cost,
+ SET balance = (SELECT c.balance FROM credit_accounts c, pg_sleep(0.5) WHERE c.user_id = a.user_id) - s.cost,
# answer before the commit | pieces/send/settle.server.ts | server/money/storm | PostgreSQL
- const settled = await storeAfterCall(settle);
+ if (called.outcome.kind === "accepted") {
+   setTimeout(() => void storeAfterCall(settle), 300);
+   return { credits: { kind: "charged", charged: send.cost }, account: null };
+ }
+ const settled = await storeAfterCall(settle);
# balance of five seconds ago | credits/credit-users.server.ts | server/money/storm | PostgreSQL
- type Row = Pick<
+ const COPIES = new Map<string, Promise<Outcome<CreditUser>>>();
+ type Row = Pick<
- export function loadCreditUser(
+ export function loadCreditUser(viewer: Viewer, userId: string): Promise<Outcome<CreditUser>> {
+   if (!COPIES.has(userId)) setTimeout(() => COPIES.delete(userId), 5_000);
+   const copy = COPIES.get(userId) ?? loadFresh(viewer, userId);
+   COPIES.set(userId, copy);
+   return copy;
+ }
+ async function loadFresh(
# ledger ids out of order | ../prisma/migrations/20261122159100_ledger_came/migration.sql | server/money/storm | PostgreSQL
- IN ('credit', 'purchase', 'refund');
+ IN ('credit', 'purchase', 'refund');
+ ALTER SEQUENCE "credit_transactions_id_seq" CACHE 20;
`;

const COPIED = [
  "app",
  "prisma",
  "public",
  "tests",
  "package.json",
  "postcss.config.js",
  "remix.config.js",
  "remix.env.d.ts",
  "tsconfig.json",
  "vite.config.ts",
];

const names = process.argv.slice(2);
const chosen = parseMutants().filter(
  ({ bug }) => names.length === 0 || names.some((name) => bug.includes(name)),
);
if (chosen.length === 0) throw new Error(`No planted bug is called ${names.join(" or ")}.`);
// A run with names follows a run in which the tests passed.
const failing =
  names.length === 0
    ? await findCatcher(
        null,
        chosen.flatMap(({ suites }) => suites),
      )
    : null;
if (failing !== null) throw new Error(`Without any planted bug these tests fail already: ${failing}.`);
let missed = 0;
for (const mutant of chosen) {
  const catcher = await findCatcher(mutant, mutant.suites);
  if (catcher === null) missed++;
  process.stdout.write(
    `${mutant.bug.padEnd(24)} ${catcher === null ? "NOT CAUGHT" : `caught by ${catcher}`}\n`,
  );
}
process.stdout.write(
  `\n${chosen.length} planted bugs, ${chosen.length - missed} caught, ${missed} not caught.\n`,
);
process.exitCode = missed === 0 ? 0 : 1;

function parseMutants(): Mutant[] {
  return BUGS.split(/^# /m)
    .slice(1)
    .map((block) => {
      const [head = "", ...lines] = block.replace(/\n$/, "").split("\n");
      const [bug = "", file = "", test, title] = head.split(" | ");
      const changes: Mutant["changes"] = [];
      for (const line of lines) {
        const [part, last] = [line.slice(2), changes.at(-1)];
        if (line.startsWith("-")) changes.push([part, ""]);
        else if (last) last[1] += last[1] === "" ? part : `\n${part}`;
      }
      const suite = [`tests/${test}.test.ts`, ...(title ? ["-t", title] : [])];
      const suites = test === undefined ? SUITES : test === "CANCELS" ? CANCELS : [suite];
      return { bug, file: `app/${file}`, changes, suites };
    });
}

/** Finds the first suite that fails on a copy with this bug; null when none does. */
async function findCatcher(mutant: Mutant | null, suites: readonly string[][]): Promise<string | null> {
  const copy = await mkdtemp(join(tmpdir(), "mailroom-mutant-"));
  try {
    await copyProject(PROJECT, copy, COPIED);
    if (mutant) await plant(copy, mutant);
    for (const suite of new Set(suites)) {
      const words = ["node_modules/vitest/vitest.mjs", "run", "--config", "tests/vitest.config.ts", ...suite];
      const { status } = spawnSync(process.execPath, words, { cwd: copy });
      if (status === null) throw new Error(`${suite.join(" ")} was ended by a signal.`);
      if (status !== 0) return suite[0] ?? "";
    }
    return null;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function plant(copy: string, { bug, file, changes }: Mutant): Promise<void> {
  const path = join(copy, file);
  let text = await readFile(path, "utf8");
  for (const [line, planted] of changes) {
    const times = text.split(line).length - 1;
    if (times !== 1)
      throw new Error(`"${bug}": ${file} has "${line}" ${times} times; it must be there once.`);
    text = text.replace(line, () => planted);
  }
  // A bug that is not valid TypeScript would be caught by every test.
  if (ts.transpileModule(text, { reportDiagnostics: true }).diagnostics?.length)
    throw new Error(`With "${bug}" ${file} cannot be read.`);
  await writeFile(path, text);
}
