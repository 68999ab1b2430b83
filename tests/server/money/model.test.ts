import { afterAll, beforeAll, expect, test } from "vitest";
import { runModel } from "../../support/money-model";
import { type Postgres, startPostgres } from "../../support/postgres";

/** G9 in its short form: as many of the 1,000 sequences as fit; `npm run test:endurance` runs the rest. */
const SEED = Date.now() % 1_000_000;
const LIMIT_MS = 7_000;

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.close());

test.each(["PostgreSQL", "PGlite"])(
  `random commands end as the model of the accounts says, on %s (seed ${SEED})`,
  async (kind) => {
    const done = await runModel({
      postgres: kind === "PGlite" ? null : postgres,
      seed: SEED,
      sequences: 1_000,
      limitMs: LIMIT_MS,
    });
    process.stdout.write(
      `G9 on ${kind}: seed ${done.seed}, ${done.sequences} sequences, ${done.sends} sends\n`,
    );
    expect(done.sends).toBeGreaterThan(5);
  },
  120_000,
);
