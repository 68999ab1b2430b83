import { ok as demand } from "node:assert";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { accountOf, COSTS, makeStep, ownerOf } from "./model-steps";
import { LATER_MODES } from "./modes";

/** The steps of the model test without a client's request: the provider, keys, clocks and the database change. */
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
export const SHARED_FAULTS = [
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
