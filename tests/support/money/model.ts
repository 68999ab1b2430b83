import { ok as demand } from "node:assert";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { startStripe } from "../../emulators/stripe";
import type { ConsoleProcess } from "../console/console-process";
import { makeClock } from "../console/movable-clock";
import type { Postgres } from "../database/postgres";
import { createRandom } from "../random";
import { ALL_WELL } from "./audit";
import { type MoneyBench, openBench, PROVIDER_KEY } from "./bench";
import { adjustCredits, askUntilSettled } from "./calls";
import {
  accountOf,
  askForLost,
  COSTS,
  describe,
  EVERYDAY_STEPS,
  HOOK_SECRET,
  type Model,
  makeStep,
  ownerOf,
  type Real,
  type Site,
  type Step,
} from "./model-steps";
import { drawModes, LATER_MODES } from "./modes";

/**
 * Random command sequences against a model of the accounts: sends, adjustments, cancels, purchases, events of the
 * provider and of Stripe; on PostgreSQL also changes of keys, clock jumps and failovers. Each step is compared with
 * the model's expectation. Unknown sends stay unknown until the end of all sequences of their kind.
 */
const STRIPE_KEY = "sk_test_model_0001";
const STRIPE_SECRET = "whsec_model_0001";
const SECOND_KEY = "emulator-key-0000000000000002";
const FIRST_KEY = { STANNP_API_KEY: PROVIDER_KEY, STANNP_RETIRED_API_KEYS: SECOND_KEY };
const OTHER_KEY = { STANNP_API_KEY: SECOND_KEY, STANNP_RETIRED_API_KEYS: PROVIDER_KEY };

/** Stops the recovery of unknown sends, so that the model knows what is held. */
const FREEZE = [
  `CREATE FUNCTION freeze_unknown() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN IF NEW.state = 'unknown' THEN NEW.lease_until = clock_timestamp() + interval '50 minutes'; END IF; RETURN NEW; END $$`,
  `CREATE TRIGGER freeze_unknown BEFORE UPDATE ON sends FOR EACH ROW EXECUTE FUNCTION freeze_unknown()`,
];
const THAW = [
  "DROP TRIGGER freeze_unknown ON sends",
  "UPDATE sends SET lease_until = now() WHERE state = 'unknown'",
];

const READY_WITHIN_MS = 20_000;
const HOUR_MS = 3_600_000;

/** A moment in epoch seconds is useless to a wrong clock. */
const AS_SECONDS = { resetHeader: "seconds" } as const;

/** Promotes a standby: all connections break, and it may lack the newest open send. */
const failOver = (isBehind: boolean) => {
  const step = `the database fails over${isBehind ? " and loses the newest open send" : ""}`;
  return makeStep(step, async (model, { bench, site }) => {
    const lost = isBehind ? model.sends.findLast(({ becomes }) => becomes === "open") : undefined;
    await bench.inBooks(async (db) => {
      await db.$queryRaw`
        SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`;
      if (!lost) return;
      const { type, payer } = lost.order;
      await db.$executeRaw`DELETE FROM sends WHERE id = ${lost.id}`;
      await db.$executeRaw`UPDATE credit_accounts SET held = held - ${COSTS[type]} WHERE user_id = ${payer}`;
    });
    if (lost) {
      lost.becomes = "lost";
      accountOf(model, ownerOf(lost.order)).held -= COSTS[lost.order.type];
    }
    const deadline = performance.now() + READY_WITHIN_MS;
    for (const { origin } of site.consoles) {
      while ((await fetch(`${origin}/readyz`)).status !== 200) {
        demand(performance.now() < deadline, `${step}: a console is not ready again`);
        await wait(20);
      }
    }
  });
};

/** Faults around two consoles with different keys on one PostgreSQL. */
const SHARED_FAULTS = [
  // The provider differs from its reference in another way.
  fc
    .record({
      tagsKept: fc.constantFrom(...LATER_MODES.tagsKept),
      tagCharsKept: fc.constantFrom(...LATER_MODES.tagCharsKept),
      tagsReversed: fc.constantFrom(...LATER_MODES.tagsReversed),
      listDelayMs: fc.constantFrom(...LATER_MODES.listDelayMs),
      resetHeader: fc.constantFrom(...LATER_MODES.resetHeader),
    })
    .map((modes) =>
      makeStep(`the provider changes: ${JSON.stringify(modes)}`, async (_, { bench, site }) =>
        bench.provider.behave({ ...modes, ...(site.skewMs === 0 ? {} : AS_SECONDS) }),
      ),
    ),
  // Another key, of another account, sends; each console knows the other's key as retired.
  fc.constantFrom(0, 1).map((key) =>
    makeStep(`key ${key} sends`, async (_, { site }) => {
      site.current = key;
    }),
  ),
  // The clocks of all consoles change; the database's stays correct.
  fc.constantFrom(-5, 0, 5).map((hours) =>
    makeStep(`clocks are ${hours} h ahead`, async (_, { bench, site }) => {
      bench.provider.behave(AS_SECONDS);
      site.skewMs = hours * HOUR_MS;
      await site.clock?.set(site.skewMs, site.consoles);
    }),
  ),
  fc.boolean().map(failOver),
];

export interface ModelRun {
  postgres: Postgres | null;
  seed: number;
  sequences: number;
}

/**
 * Runs `sequences` sequences. Returns their number and that of their sends.
 * @throws with the seed and the shortest failing sequence when a console and the model differ
 */
export async function runModel({ postgres, seed, sequences }: ModelRun) {
  const bench = await openBench({
    postgres,
    provider: { otherAccounts: [{ apiKey: SECOND_KEY, firstPieceId: 26_800_001 }] },
  });
  const clock = postgres ? makeClock() : null;
  const stripe = await startStripe({ secretKey: STRIPE_KEY, webhookSecret: STRIPE_SECRET });
  const outside = {
    STANNP_TIMEOUT_MS: "10000",
    STANNP_WEBHOOK_SECRET: HOOK_SECRET,
    STRIPE_SECRET_KEY: STRIPE_KEY,
    STRIPE_WEBHOOK_SECRET: STRIPE_SECRET,
    STRIPE_API_BASE: stripe.origin,
  };
  try {
    const modes = drawModes(createRandom(seed));
    await change(bench, FREEZE);
    const site: Site = { consoles: [], current: 0, clock, skewMs: 0 };
    for (const keys of postgres ? [FIRST_KEY, OTHER_KEY] : [FIRST_KEY]) {
      site.consoles.push(await bench.start({ ...outside, ...keys, ...clock?.variables }));
    }
    // The embedded database has one process, with one key.
    const steps: fc.Arbitrary<Step>[] = postgres
      ? [...EVERYDAY_STEPS, ...SHARED_FAULTS]
      : [...new Set(EVERYDAY_STEPS)];
    const models: { model: Model; name: string }[] = [];
    await fc.assert(
      fc.asyncProperty(fc.commands(steps, { maxCommands: 30, size: "large" }), async (commands) => {
        const name = `seq${models.length}`;
        const model: Model = { balances: {}, sends: [], alarmed: [] };
        models.push({ model, name });
        bench.provider.behave(modes);
        site.current = 0;
        if (site.skewMs !== 0) await clock?.set(0, site.consoles);
        site.skewMs = 0;
        const real = { site, bench, stripe, name };
        await fc.asyncModelRun(() => ({ model, real }), commands);
        await findLost(model, real);
      }),
      { seed, numRuns: sequences },
    );
    await Promise.all(site.consoles.map((console) => console.stop("SIGKILL")));
    await change(bench, THAW);
    await compareEnds(bench, await bench.start(FIRST_KEY), models);
    return {
      seed,
      modes,
      sequences: models.length,
      sends: models.reduce((sum, { model }) => sum + model.sends.length, 0),
      lost: models.reduce((sum, { model }) => sum + model.alarmed.length, 0),
    };
  } finally {
    await bench.close();
    await stripe.close();
    clock?.remove();
  }
}

/** Repeats the keys of sends that a failover lost, with enough credits to pay for them. */
async function findLost(model: Model, { site, name }: Real): Promise<void> {
  for (const send of model.sends) {
    if (send.becomes !== "lost") continue;
    const who = ownerOf(send.order);
    const [caller, amount] = [`${name}-${who}`, COSTS[send.order.type]];
    const order = { action: "add", amount, userId: `auth-${caller}` } as const;
    await adjustCredits(site.consoles[site.current]?.origin ?? "", caller, order);
    accountOf(model, who).balance += amount;
    await askForLost("at the end", model, site, send);
  }
}

/** After recovery: every open send was mailed, and each account matches the model. */
async function compareEnds(
  bench: MoneyBench,
  console: ConsoleProcess,
  models: { model: Model; name: string }[],
): Promise<void> {
  for (const { model } of models) {
    for (const { order, becomes } of model.sends) {
      if (becomes !== "open") continue;
      const account = accountOf(model, ownerOf(order));
      account.balance -= COSTS[order.type];
      account.held -= COSTS[order.type];
      const answer = await askUntilSettled(console.origin, order);
      demand(answer.json.credits?.success === true, `${order.key} at the end: ${describe(answer)}`);
    }
  }
  const audit = await bench.audit();
  for (const [what, found] of Object.entries(ALL_WELL)) {
    const wrong = audit[what as keyof typeof ALL_WELL];
    demand(wrong.length === found.length, `${what}: ${wrong.join("; ")}`);
  }
  // The only alarms for a person are those for mailed pieces that a failover lost.
  const alarms = await bench.inBooks((db) => db.alarm.findMany());
  const expected = models.flatMap(({ model }) => model.alarmed);
  demand(
    alarms.every(({ kind }) => kind === "send_row_missing") &&
      alarms
        .map(({ subjectId }) => subjectId)
        .toSorted()
        .join() === expected.toSorted().join(),
    `expected alarms of ${expected}: ${alarms.map(({ kind, evidence }) => `${kind} ${evidence}`).join("; ")}`,
  );
  for (const { model, name } of models) {
    for (const [who, expected] of Object.entries(model.balances)) {
      const found = await bench.loadAccount(`auth-${name}-${who}`);
      demand(
        found.balance === expected.balance && found.held === expected.held,
        `${name} ${who} at the end: ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`,
      );
    }
  }
}

async function change(bench: MoneyBench, statements: readonly string[]): Promise<void> {
  await bench.inBooks(async (db) => {
    for (const statement of statements) await db.$executeRawUnsafe(statement);
  });
}
