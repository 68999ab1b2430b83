import { expect, test } from "vitest";
import { startPostgres } from "../../support/database/postgres";
import { ALL_WELL } from "../../support/money/audit";
import { runStorm } from "../../support/money/storm";

/** The short form always makes the same draws; `npm run test:endurance` is the long one. */
const SEED = 20_261_122;

test("PostgreSQL: 6 kills and a stop of the database under a provider that fails half of its answers", async () => {
  const postgres = await startPostgres({ own: true });
  try {
    const figures = await runStorm({ postgres, consoles: 2, kills: 6, stops: 1, seed: SEED });
    expect(figures).toMatchObject({ ...ALL_WELL, lies: [], pieces: figures.accepted });
    expect(figures.accepted).toBeGreaterThan(10);
    expect(figures.cancelled).toBeGreaterThan(0);
    expect(figures.reads).toBeGreaterThan(10);
  } finally {
    await postgres.close();
  }
}, 900_000);

test("PGlite: a kill", async () => {
  const figures = await runStorm({ postgres: null, consoles: 1, kills: 1, stops: 0, seed: SEED });
  expect(figures).toMatchObject({ ...ALL_WELL, lies: [], pieces: figures.accepted });
  expect(figures.accepted).toBeGreaterThan(0);
}, 900_000);
