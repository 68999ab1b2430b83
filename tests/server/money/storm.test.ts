import { expect, test } from "vitest";
import { startPostgres } from "../../support/database/postgres";
import { ALL_WELL } from "../../support/money/audit";
import { runStorm } from "../../support/money/storm";

/** The storm in its short form; `npm run test:endurance` is the long one. */
const SEED = Date.now() % 1_000_000;

test("PostgreSQL: 10 kills and a stop of the database under a provider that fails half of its answers", async () => {
  const postgres = await startPostgres({ own: true });
  try {
    const figures = await runStorm({ postgres, consoles: 2, kills: 10, stops: 1, seed: SEED });
    expect(figures).toMatchObject({ ...ALL_WELL, lies: [], pieces: figures.accepted });
    expect(figures.accepted).toBeGreaterThan(10);
    expect(figures.cancelled).toBeGreaterThan(0);
    expect(figures.settledInMs).toBeLessThan(60_000);
  } finally {
    await postgres.close();
  }
}, 300_000);

test("PGlite: 2 kills", async () => {
  const figures = await runStorm({ postgres: null, consoles: 1, kills: 2, stops: 0, seed: SEED });
  expect(figures).toMatchObject({ ...ALL_WELL, lies: [], pieces: figures.accepted });
  expect(figures.accepted).toBeGreaterThan(0);
  expect(figures.settledInMs).toBeLessThan(60_000);
}, 300_000);
