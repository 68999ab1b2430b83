import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import type { Behaviour } from "../../emulators/mail-provider/faults/behaviour";
import { accountOf, COSTS, demand, type Model, ownerOf, type Real, type Step } from "./model-steps";
import { LATER_MODES } from "./modes";

/** The steps of the model test without a client's request: the provider, keys, clocks and the database change. */
const READY_WITHIN_MS = 20_000;
const HOUR_MS = 3_600_000;

/** Makes the provider differ from its reference in another way. */
class ChangeProvider implements Step {
  constructor(readonly modes: Partial<Behaviour>) {}

  check = () => true;
  toString = () => `the provider changes: ${JSON.stringify(this.modes)}`;

  async run(_: Model, { bench, site }: Real): Promise<void> {
    bench.provider.behave({ ...this.modes, ...(site.skewMs === 0 ? {} : AS_SECONDS) });
  }
}

/**
 * Sends the following requests to a console with another key, of another account; each console knows the other's
 * key as retired.
 */
class ChangeKey implements Step {
  constructor(readonly site: number) {}

  check = () => true;
  toString = () => `key ${this.site} sends`;

  async run(_: Model, { site }: Real): Promise<void> {
    site.current = this.site;
  }
}

/** Sets the clocks of all consoles; the database's stays correct. */
class SetClock implements Step {
  constructor(readonly hours: number) {}

  check = () => true;
  toString = () => `clocks are ${this.hours} h ahead`;

  async run(_: Model, { bench, site }: Real): Promise<void> {
    bench.provider.behave(AS_SECONDS);
    site.skewMs = this.hours * HOUR_MS;
    await site.clock?.set(site.skewMs, site.consoles);
  }
}

/** A moment in epoch seconds is useless to a wrong clock. */
const AS_SECONDS = { resetHeader: "seconds" } as const;

/** Promotes a standby: all connections break, and it may lack the newest open send. */
class FailOver implements Step {
  constructor(readonly isBehind: boolean) {}

  check = () => true;
  toString = () => `the database fails over${this.isBehind ? " and loses the newest open send" : ""}`;

  async run(model: Model, { bench, site }: Real): Promise<void> {
    const lost = this.isBehind ? model.sends.findLast(({ becomes }) => becomes === "open") : undefined;
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
        demand(performance.now() < deadline, `${this}: a console is not ready again`);
        await wait(20);
      }
    }
  }
}

const changeProvider = fc
  .record({
    tagsKept: fc.constantFrom(...LATER_MODES.tagsKept),
    tagCharsKept: fc.constantFrom(...LATER_MODES.tagCharsKept),
    tagsReversed: fc.constantFrom(...LATER_MODES.tagsReversed),
    listDelayMs: fc.constantFrom(...LATER_MODES.listDelayMs),
    resetHeader: fc.constantFrom(...LATER_MODES.resetHeader),
  })
  .map((modes) => new ChangeProvider(modes));

/** Faults around two consoles with different keys on one PostgreSQL. */
export const SHARED_FAULTS = [
  changeProvider,
  fc.constantFrom(0, 1).map((site) => new ChangeKey(site)),
  fc.constantFrom(-5, 0, 5).map((hours) => new SetClock(hours)),
  fc.boolean().map((isBehind) => new FailOver(isBehind)),
];
