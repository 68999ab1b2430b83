import { expect, test } from "vitest";
import { setUpPostgres } from "../../support/fixtures";
import { runModel } from "../../support/money/model";

/** The same sequences in each run; `npm run test:endurance` draws 2,000 others. */
const SEED = 20_261_122;
const SEQUENCES = { PostgreSQL: 12, PGlite: 5 };

const postgres = await setUpPostgres();

test.each(["PostgreSQL", "PGlite"] as const)(
  "random commands, keys, clocks and failovers match the model of the accounts, on %s",
  async (kind) => {
    const done = await runModel({
      postgres: kind === "PGlite" ? null : postgres,
      seed: SEED,
      sequences: SEQUENCES[kind],
    });
    // The number of sends among the commands is random.
    expect(done.sequences).toBe(SEQUENCES[kind]);
  },
);
