import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { copyProject, PROJECT } from "./support/console/console-build";

/**
 * `npm run test:mutants`: plants known money bugs, one line each, in a copy of the project and runs
 * the money tests there; `-- NAME` takes those whose name has this text, several names are alternatives. Each must be caught. Ends with 1 when one was not, with 2 when it could not be planted.
 */
interface Mutant {
  bug: string;
  file: string;
  /** Each stands in the file exactly once. */
  changes: [line: string, planted: string][];
  /** What has to catch it; {@link SUITES} when absent. */
  suites?: string[][];
}

const CANCEL_SUITES = [
  ["tests/server/mail/mail-api.test.ts", "-t", "on PostgreSQL cancel"],
  ["tests/server/money/cancel-answers.test.ts", "-t", "on PostgreSQL"],
];

const STORM = [["tests/server/money/storm.test.ts", "-t", "PostgreSQL"]];

/** Rules of lists, each with its test. */
const catchesOfLists = (title: string) => [["tests/server/bulk/list-starts.test.ts", "-t", title]];

const MUTANTS: Mutant[] = [
  {
    bug: "restored list continues",
    file: "app/platform/database/backup.server.ts",
    changes: [["      await session.execute(beforeCommit);\n", ""]],
    suites: catchesOfLists("a list that is restored"),
  },
  {
    bug: "restored list not compared",
    file: "app/bulk/sending/restored-lists.server.ts",
    changes: [["if (lost.size === 0) return [];", "return [];"]],
    suites: catchesOfLists("a list that is restored"),
  },
  {
    bug: "cancel all takes later pieces",
    file: "app/bulk/sending/list-transitions.server.ts",
    changes: [["if (list.cancelActorId !== null)", "if (false)"]],
    suites: catchesOfLists("a list is not started while"),
  },
  {
    bug: "list sent on behalf of its maker",
    file: "app/bulk/sending/claim-rows.server.ts",
    changes: [["findActor(db, list.starterId)", "findActor(db, list.actorId)"]],
    suites: catchesOfLists("the starter is the actor"),
  },
  {
    bug: "row changed after the approval",
    file: "app/bulk/rows/edit-rows.server.ts",
    changes: [["approvedBy}::text FOR UPDATE`", "approvedBy}::text`"]],
    suites: catchesOfLists("a change that began before"),
  },
  {
    bug: "list pauses itself without an alarm",
    file: "app/bulk/sending/list-transitions.server.ts",
    changes: [["if (paused === 1) await openAlarm", "if (paused === 2) await openAlarm"]],
    suites: catchesOfLists("the starter is the actor"),
  },
  {
    bug: "409 read as failure",
    file: "app/pieces/send/provider-outcome.ts",
    changes: [
      ["if (status === 409 || (status >=", "if ((status >="],
      ["return REFUSING_STATUSES.has(status) ?", "return REFUSING_STATUSES.has(status) || status === 409 ?"],
    ],
  },
  {
    bug: "5xx read as failure",
    file: "app/pieces/send/provider-outcome.ts",
    changes: [
      ["return REFUSING_STATUSES.has(status) ?", "return REFUSING_STATUSES.has(status) || status >= 500 ?"],
    ],
  },
  {
    bug: "new key per retry",
    file: "app/pieces/recovery/recover-sends.server.ts",
    changes: [["body: begun.value,", "body: begun.value.replace(send.id, send.id + send.attempts),"]],
  },
  {
    bug: "bytes changed on retry",
    file: "app/pieces/recovery/recover-sends.server.ts",
    changes: [["body: begun.value,", 'body: begun.value + " ",']],
  },
  {
    bug: "late refusal believed",
    file: "app/pieces/recovery/recover-sends.server.ts",
    changes: [["? await findListed(send) : null", '? ({ kind: "absent" } as Listed) : null']],
    suites: [["tests/server/money/send-listed.test.ts", "-t", "refused although it was mailed"]],
  },
  {
    bug: "release on timeout",
    file: "app/pieces/send/piece-call.server.ts",
    changes: [['kind: result.kind === "unreachable" ? "never_sent" : "unknown"', 'kind: "never_sent"']],
  },
  {
    bug: "unstored refusal told",
    file: "app/sending/live-send.server.ts",
    changes: [
      [
        'const MAY_BE_TOLD = ["accepted", "unknown"];',
        'const MAY_BE_TOLD = ["accepted", "unknown", "refused"];',
      ],
    ],
    suites: [["tests/server/money/send-unstored.test.ts", "-t", "a refusal that cannot be stored"]],
  },
  {
    bug: "database error after the call thrown",
    file: "app/pieces/send/settle.server.ts",
    changes: [
      ["const settled = await storeAfterCall(settle);", "const settled = await withDatabase(settle);"],
      [
        'import { storeAfterCall } from "~/platform/database/store-after-call.server";',
        'import { withDatabase } from "~/platform/database/database.server";',
      ],
    ],
    suites: [["tests/server/money/send-unstored.test.ts", "-t", "a trigger that raises"]],
  },
  {
    bug: "lost row not written anew",
    file: "app/pieces/send/settle.server.ts",
    changes: [['const lost = found === null || found.state === "reserved";', "const lost = false;"]],
    suites: [["tests/server/money/send-unstored.test.ts", "-t", "a failover lost the row"]],
  },
  {
    bug: "new id for a lost key",
    file: "app/pieces/send/send-id.server.ts",
    changes: [["[actorId, idempotencyKey, freed]", "[actorId, idempotencyKey, freed, Date.now()]"]],
    suites: [["tests/server/money/send-unstored.test.ts", "-t", "a send is lost with its process"]],
  },
  {
    bug: "known key raises no alarm",
    file: "app/pieces/send/settle.server.ts",
    changes: [["const KNOWN_KEY = 409;", "const KNOWN_KEY = 0;"]],
    suites: [["tests/server/money/send-unstored.test.ts", "-t", "a send is lost with its process"]],
  },
  {
    bug: "fault that comes back stays closed",
    file: "app/reconciliation/daily/daily-reconciliation.server.ts",
    changes: [["if (problem === null) await endAbsent(tx, kind, alarms);", ""]],
    suites: [
      ["tests/server/money/reconciliation-daily.test.ts", "-t", "on PostgreSQL a fault that was fixed"],
    ],
  },
  {
    bug: "refunded payment adds credits",
    file: "app/credits/purchases/payment-check.ts",
    changes: [["if (page.isRefunded) return PAYMENT_REFUNDED;", ""]],
    suites: [["tests/server/money/checkout.test.ts", "-t", "on PostgreSQL .* refunded in full"]],
  },
  {
    bug: "token of a purchase unnamed",
    file: "app/credits/purchases/checkout.server.ts",
    changes: [["actorId: viewer.actorId,", "actorId: viewer.id,"]],
    suites: [["tests/server/money/checkout.test.ts", "-t", "on PostgreSQL .* a program began"]],
  },
  {
    bug: "mailed after a refund unnoticed",
    file: "app/pieces/events/apply-event.server.ts",
    changes: [["if (moved === 0 && isProduced(status)) {", "if (moved < 0 && isProduced(status)) {"]],
    suites: [["tests/server/pieces/stannp-webhook.test.ts", "-t", "on PostgreSQL a signed word"]],
  },
  {
    bug: "later send touched by a lost one",
    file: "app/pieces/send/send-transitions.server.ts",
    changes: [["text IS NULL OR reservation =", "text IS NULL OR true OR reservation ="]],
    suites: [["tests/server/pieces/piece-transitions.test.ts", "-t", "another reservation"]],
  },
  {
    bug: "refusal of an earlier call believed",
    file: "app/pieces/send/send-transitions.server.ts",
    changes: [["`AND attempts = ", "`AND attempts >= "]],
    suites: [["tests/server/money/send-leases.test.ts", "-t", "whose word comes late"]],
  },
  {
    bug: "paused process calls on",
    file: "app/pieces/call-until-answered.server.ts",
    changes: [
      [
        "Math.max(0, Math.min(deadline - performance.now(), time.leftMs()))",
        "Math.max(1_000, time.leftMs())",
      ],
    ],
    suites: [["tests/server/money/send-leases.test.ts", "-t", "that is paused"]],
  },
  {
    bug: "refusal puts off the release",
    file: "app/pieces/recovery/recover-sends.server.ts",
    changes: [["NOT_DONE.includes(outcome.kind) ? sinceCall(send) : null", "null"]],
    suites: [["tests/server/money/send-listed.test.ts", "-t", "each further refusal"]],
  },
  {
    bug: "ended piece sent again by its list",
    file: "app/pieces/release-causes.ts",
    changes: [["  given_up: FINAL,", '  given_up: { row: "ready", keyIsFree: false, httpStatus: 200 },']],
    suites: [["tests/server/bulk/row-pieces.test.ts", "-t", "a person ends or decides"]],
  },
  {
    bug: "undecided piece counted as sent",
    file: "app/bulk/sending/row-outcome.server.ts",
    changes: [["if (isOpen(state)) return", 'if (isOpen(state) && state !== "needs_review") return']],
    suites: [["tests/server/bulk/row-pieces.test.ts", "-t", "a person ends or decides"]],
  },
  {
    bug: "key stays used after an unreachable provider",
    file: "app/sending/earlier-send.server.ts",
    changes: [
      [
        'if (releaseCause !== "rate_limited") return true;',
        'if (releaseCause !== "rate_limited") return false;',
      ],
    ],
    suites: [["tests/server/money/released-keys.test.ts", "-t", "could not be reached"]],
  },
  {
    bug: "key freed after any release",
    file: "app/pieces/release-causes.ts",
    changes: [
      [
        'const FINAL = { row: "refused", keyIsFree: false,',
        'const FINAL = { row: "refused", keyIsFree: true,',
      ],
    ],
    suites: [["tests/server/money/released-keys.test.ts", "-t", "after any other release"]],
  },
  {
    bug: "list searched by the process clock",
    file: "app/pieces/recovery/recover-sends.server.ts",
    changes: [
      ["formatIsoDay(createdAt + send.ageSeconds * 1000 + DAY_MS)", "formatIsoDay(Date.now() + DAY_MS)"],
      ["if (days.to < days.from)", "if (days.to === days.from)"],
    ],
    suites: [["tests/server/money/released-keys.test.ts", "-t", "days behind"]],
  },
  {
    bug: "callers use Mailroom's own keys",
    file: "app/pieces/send/send-id.server.ts",
    changes: [["key.startsWith(prefix)", "key === prefix"]],
    suites: [["tests/server/money/released-keys.test.ts", "-t", "a caller cannot use"]],
  },
  {
    bug: "attempt raised without a release",
    file: "app/bulk/sending/send-rows.server.ts",
    changes: [['kind === "again" && outcome.released ? 1 : 0', 'kind === "again" ? 1 : 0']],
    suites: [["tests/server/bulk/row-pieces.test.ts", "-t", "a new attempt only after"]],
  },
  {
    bug: "late list believed",
    file: "app/pieces/recovery/recover-sends.server.ts",
    changes: [["otherwiseRefused: 120 }", "otherwiseRefused: 30 }"]],
    suites: [["tests/server/money/send-listed.test.ts", "-t", "late by a minute"]],
  },
  {
    bug: "silent base URL starves others",
    file: "app/pieces/lease.server.ts",
    changes: [["isOfBase(from.baseUrl)} AND", "isOfBase(from.baseUrl)} IS NOT NULL AND"]],
    suites: [["tests/server/money/send-bounded.test.ts", "-t", "delays nothing of another account"]],
  },
  {
    bug: "all at a base URL that is out",
    file: "app/pieces/recovery/circuit.ts",
    changes: [["Math.min(1, wanted) : wanted", "wanted : wanted"]],
    suites: [["tests/unit/pieces/circuit.test.ts"]],
  },
  {
    bug: "mailed test forgotten while the database is away",
    file: "app/sending/unexpected-live.server.ts",
    changes: [["if (await writeSpool(SPOOL_KIND, fact)) return", "if (fact) return"]],
    suites: [["tests/server/money/send-unstored.test.ts", "-t", "a test that was mailed while"]],
  },
  {
    bug: "one piece charged to two sends",
    file: "app/sending/unexpected-live.server.ts",
    changes: [["if (known !== null) {", "if (known?.id === send.id) {"]],
    suites: [["tests/server/money/send-unstored.test.ts", "-t", "answered with a piece of ours"]],
  },
  {
    bug: "another account's event refunds our piece",
    file: "app/pieces/events/provider-events.server.ts",
    changes: [["const confirmed = await isCancelledAtProvider(item);", "const confirmed = item !== null;"]],
    suites: [["tests/server/pieces/stannp-webhook-early.test.ts", "-t", "an event of another account"]],
  },
  {
    bug: "event of a released piece dropped",
    file: "app/pieces/events/provider-events.server.ts",
    changes: [["if (!isMailWord(status)) return false;", "if (isMailWord(status)) return false;"]],
    suites: [["tests/server/pieces/stannp-webhook-early.test.ts", "-t", "whose credits were released"]],
  },
  {
    bug: "refused cancel refunded",
    file: "app/pieces/cancel/cancel-settle.server.ts",
    changes: [['found?.kind === "found" && isCancelledWord(found.status)', 'found?.kind === "found"']],
    suites: CANCEL_SUITES,
  },
  {
    bug: "5xx to a cancel read as no",
    file: "app/outside/mail-provider/piece.server.ts",
    changes: [
      [
        "if (REFUSING_STATUSES.has(status) || (fine &&",
        "if (REFUSING_STATUSES.has(status) || status >= 500 || (fine &&",
      ],
    ],
    suites: CANCEL_SUITES,
  },
  {
    bug: "cancelled twice over",
    file: "app/pieces/cancel/cancel-transitions.server.ts",
    changes: [
      ['isStateBefore("confirmCancel")', "Prisma.sql`state IN ('accepted', 'cancelling', 'cancelled')`"],
    ],
    suites: [["tests/server/pieces/stannp-webhook.test.ts", "-t", "on PostgreSQL cancelled"]],
  },
  {
    bug: "refund of the price",
    file: "app/credits/ledger/piece-credits.server.ts",
    changes: [["SET balance = a.balance + s.charged,", "SET balance = a.balance + 1,"]],
    suites: CANCEL_SUITES,
  },
  {
    bug: "cancel claimed by two",
    file: "app/pieces/cancel/cancel-transitions.server.ts",
    changes: [['isStateBefore("startCancel")', "Prisma.sql`state IN ('accepted', 'cancelling')`"]],
    suites: [["tests/server/money/cancel-parallel.test.ts", "-t", "on PostgreSQL"]],
  },
  {
    bug: "claimed cancel taken over at once",
    file: "app/pieces/cancel/cancel-transitions.server.ts",
    changes: [["s.state = 'cancelling' AND", "s.state = 'cancelling' OR false AND"]],
    suites: [["tests/server/money/cancel-kills.test.ts", "-t", "on PostgreSQL"]],
  },
  {
    bug: "lost claim given back",
    file: "app/pieces/cancel/cancel-settle.server.ts",
    changes: [
      [
        "dropCancel(db, piece, failure.message)",
        "dropCancel(db, (await findCaseById(db, piece.id)) ?? piece, failure.message)",
      ],
    ],
    suites: CANCEL_SUITES,
  },
  {
    bug: "refusal not looked into",
    file: "app/pieces/cancel/cancel-settle.server.ts",
    changes: [["if (isStillOpen(found, by)) {", "if (!found && isStillOpen(found, by)) {"]],
    suites: CANCEL_SUITES,
  },
  {
    bug: "late response not flagged",
    file: "app/pieces/send/store-responses.server.ts",
    changes: [["await flagIfCancelled(\n      tx,\n      taken.map(({ id }) => id),\n    );", ""]],
    suites: CANCEL_SUITES,
  },
  {
    bug: "repeated with another key",
    file: "app/outside/mail-provider/call/keys.server.ts",
    changes: [
      [
        "(fingerprint === null ? keys[0] : keys.find((key) => fingerprintKey(key) === fingerprint)) ?? null",
        "keys[0] ?? fingerprint",
      ],
    ],
    suites: [["tests/server/money/send-keys.test.ts", "-t", "another key"]],
  },
  {
    bug: "moment read as a wait",
    file: "app/outside/mail-provider/call/rate-limit.ts",
    changes: [
      ["if (number < FIRST_EPOCH_SECONDS) return", "return"],
      ["Math.min(Math.max(1, seconds), MAX_WAIT_SECONDS)", "Math.max(1, seconds)"],
    ],
    suites: [["tests/server/money/send-bounded.test.ts", "-t", "rate limit that ends in epoch"]],
  },
  {
    bug: "lease of years believed",
    file: "app/pieces/lease.server.ts",
    changes: [["OR lease_until > clock_timestamp()", "OR false AND lease_until > clock_timestamp()"]],
    suites: [["tests/server/money/send-bounded.test.ts", "-t", "would end in years"]],
  },
  {
    bug: "copied tag kept",
    file: "app/sending/mail-fields.ts",
    changes: [['dropSendTags(tags.join(","))', 'tags.join(",")']],
    suites: [["tests/server/money/send-bounded.test.ts", "-t", "copied tags"]],
  },
  {
    bug: "cut tag counts as no piece",
    file: "app/pieces/recovery/recover-sends.server.ts",
    changes: [["all.problem || maybe ?", "all.problem ?"]],
    suites: [["tests/server/money/send-bounded.test.ts", "-t", "cuts tags"]],
  },
  {
    bug: "given up and repeated",
    file: "app/pieces/recovery/recover-sends.server.ts",
    changes: [[" && send.givenUpBy === null;", ";"]],
    suites: [["tests/server/money/send-bounded.test.ts", "-t", "given up by a person"]],
  },
  {
    bug: "key of a used-up rate limit kept",
    file: "app/sending/earlier-send.server.ts",
    changes: [["return settledSecondsAgo >= waitSeconds;", "return settledSecondsAgo < 0 * waitSeconds;"]],
    suites: [["tests/server/money/send-bounded.test.ts", "-t", "used-up rate limit"]],
  },
  {
    bug: "call overtaken when a clock jumps",
    file: "app/pieces/recovery/recover-sends.server.ts",
    changes: [["if (isUnderWay(send.id)) return succeed(null);", "if (isUnderWay(send.id)) void send;"]],
    suites: [["tests/server/money/database-faults.test.ts", "-t", "a clock that jumps"]],
  },
  {
    bug: "wait of a rate limit by a wrong clock",
    file: "app/sending/earlier-send.server.ts",
    changes: [
      [
        "return settledSecondsAgo >= waitSeconds;",
        "return Date.now() >= settledAt.getTime() + waitSeconds * 1_000;",
      ],
    ],
    suites: [["tests/server/money/database-faults.test.ts", "-t", "a clock that jumps"]],
  },
  {
    bug: "rest of a base URL by a wrong clock",
    file: "app/pieces/recovery/circuit.ts",
    changes: [
      ["room(wanted: number, now = performance.now())", "room(wanted: number, now = Date.now())"],
      ["{ waitSeconds: number }, now = performance.now())", "{ waitSeconds: number }, now = Date.now())"],
    ],
    suites: [["tests/unit/pieces/circuit.test.ts"]],
  },
  {
    bug: "empty mail booked",
    file: "app/sending/mail-body.server.ts",
    changes: [["return missing === null ? finished", "return missing !== undefined ? finished"]],
    suites: [["tests/server/money/send-bounded.test.ts", "-t", "before anything is booked"]],
  },
  {
    bug: "error of a sent request read as unreachable",
    file: "app/outside/mail-provider/call/client.server.ts",
    changes: [
      ['return "syscall" in error && error.syscall === "connect";', "return error.message !== undefined;"],
    ],
    suites: [["tests/unit/outside/provider-endings.test.ts"]],
  },
  {
    bug: "forged event taken",
    file: "app/outside/mail-provider/webhook.server.ts",
    changes: [["=> isSigned(rawBody, signature, secret)", '=> signature !== "" || secret === ""']],
    suites: [["tests/server/pieces/stannp-webhook-hostile.test.ts", "-t", "on PostgreSQL"]],
  },
  {
    bug: "migration waits a minute for a table",
    file: "app/platform/database/migrations.server.ts",
    changes: [["const TABLE_WAIT_SECONDS = 2;", "const TABLE_WAIT_SECONDS = 60;"]],
    suites: [["tests/server/platform/upgrade.test.ts"]],
  },
  {
    bug: "charge loses an update",
    file: "app/credits/ledger/piece-credits.server.ts",
    changes: [
      [
        "SET balance = a.balance - s.cost,",
        "SET balance = (SELECT c.balance FROM credit_accounts c, pg_sleep(0.5) WHERE c.user_id = a.user_id) - s.cost,",
      ],
    ],
    suites: STORM,
  },
  {
    bug: "answer before the commit",
    file: "app/pieces/send/settle.server.ts",
    changes: [
      [
        "const settled = await storeAfterCall(settle);",
        `if (called.outcome.kind === "accepted") {
          setTimeout(() => void storeAfterCall(settle), 300);
          return { credits: { kind: "charged", charged: send.cost }, account: null };
        }
        const settled = await storeAfterCall(settle);`,
      ],
    ],
    suites: STORM,
  },
  {
    bug: "balance of five seconds ago",
    file: "app/credits/credit-users.server.ts",
    changes: [
      ["interface Row {", "const COPIES = new Map<string, Promise<Outcome<CreditUser>>>();\ninterface Row {"],
      [
        "export async function loadCreditUser(",
        `export function loadCreditUser(viewer: Viewer, userId: string): Promise<Outcome<CreditUser>> {
          if (!COPIES.has(userId)) setTimeout(() => COPIES.delete(userId), 5_000);
          const copy = COPIES.get(userId) ?? loadFresh(viewer, userId);
          COPIES.set(userId, copy);
          return copy;
        }
        async function loadFresh(`,
      ],
    ],
    suites: STORM,
  },
  {
    bug: "half a refund",
    file: "app/pieces/cancel/cancel-transitions.server.ts",
    changes: [
      [
        "RETURNING id, user_id, mail_type, charged, provider_id,",
        "RETURNING id, user_id, mail_type, (charged + 1) / 2 AS charged, provider_id,",
      ],
    ],
    suites: STORM,
  },
  {
    bug: "ledger ids out of order",
    file: "prisma/migrations/20261122159100_ledger_came/migration.sql",
    changes: [
      [
        `IN ('credit', 'purchase', 'refund');`,
        `IN ('credit', 'purchase', 'refund');\nALTER SEQUENCE "credit_transactions_id_seq" CACHE 20;`,
      ],
    ],
    suites: STORM,
  },
];

/** The quick one first; the second is for what it lets pass. */
const SUITES = [["tests/server/money/send-answers.test.ts", "-t", "not known"], ...STORM];
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
const NOT_CAUGHT = 1;
const NOT_PLANTED = 2;

class CannotPlant extends Error {}

try {
  process.exitCode = await runMutants();
} catch (error) {
  if (!(error instanceof CannotPlant)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = NOT_PLANTED;
}

async function runMutants(): Promise<number> {
  const names = process.argv.slice(2);
  const chosen = MUTANTS.filter(({ bug }) => names.length === 0 || names.some((name) => bug.includes(name)));
  if (chosen.length === 0) throw new CannotPlant(`No planted bug is called ${names.join(" or ")}.`);
  const rows: [bug: string, found: string][] = [];
  // Whoever names some has just seen their tests pass.
  const healthy = names.length === 0 ? await findCatcher(null, chosen) : null;
  if (healthy !== null)
    throw new CannotPlant(`Without any planted bug these tests fail already: ${healthy}.`);
  for (const mutant of chosen) {
    const catcher = await findCatcher(mutant);
    rows.push([mutant.bug, catcher === null ? "NOT CAUGHT" : `caught by ${catcher}`]);
    process.stdout.write(`${mutant.bug.padEnd(24)} ${rows.at(-1)?.[1]}\n`);
  }
  const missed = rows.filter(([, found]) => found === "NOT CAUGHT").length;
  process.stdout.write(
    `\n${rows.length} planted bugs, ${rows.length - missed} caught, ${missed} not caught.\n`,
  );
  return missed === 0 ? 0 : NOT_CAUGHT;
}

/** The first suite that fails on a copy with this bug; null when none does. */
async function findCatcher(mutant: Mutant | null, all: readonly Mutant[] = []): Promise<string | null> {
  const copy = await mkdtemp(join(tmpdir(), "mailroom-mutant-"));
  try {
    await copyProject(PROJECT, copy, COPIED);
    if (mutant) await plant(copy, mutant);
    // A bug that does not even build is caught by nothing.
    if (!(await succeeds(copy, ["node_modules/@remix-run/dev/dist/cli.js", "vite:build"]))) {
      throw new CannotPlant(`With "${mutant?.bug ?? "no bug"}" the console cannot be built.`);
    }
    const suites = new Set((mutant ? [mutant] : all).flatMap((one) => one.suites ?? SUITES));
    for (const suite of suites) {
      const words = ["run", "--config", "tests/vitest.config.ts", "--project", projectOf(suite), ...suite];
      if (!(await succeeds(copy, ["node_modules/vitest/vitest.mjs", ...words]))) return suite[0] ?? "";
    }
    return null;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

function projectOf([file = ""]: string[]): string {
  return file.startsWith("tests/unit/") ? "unit" : "server";
}

async function plant(copy: string, { bug, file, changes }: Mutant): Promise<void> {
  const path = join(copy, file);
  let text = await readFile(path, "utf8");
  for (const [line, planted] of changes) {
    const times = text.split(line).length - 1;
    if (times !== 1) {
      throw new CannotPlant(`"${bug}": ${file} has "${line}" ${times} times; it must be there once.`);
    }
    text = text.replace(line, () => planted);
  }
  await writeFile(path, text);
}

async function succeeds(folder: string, words: string[]): Promise<boolean> {
  try {
    await promisify(execFile)(process.execPath, words, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && typeof error.code === "number")) throw error;
    return false;
  }
}
