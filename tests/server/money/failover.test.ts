import { expect, test } from "vitest";
import { startPostgresPair } from "../../support/database/postgres-pair";
import { ALL_WELL } from "../../support/money/audit";
import { runFailover } from "../../support/money/failover";

/** The primary crashes under load and its standby takes over; `npm run test:endurance` has more of it, and a pooler. */
const SEED = Date.now() % 1_000_000;
const SHORT = { seed: SEED, pieces: 6 };

test("with a synchronous standby nothing is lost", async () => {
  const pair = await startPostgresPair({ synchronous: true });
  try {
    const figures = await runFailover({ pair, ...SHORT });
    expect(figures).toMatchObject({ ...ALL_WELL, lies: [], lost: 0, pieces: figures.accepted });
    expect(figures.accepted).toBeGreaterThan(5);
  } finally {
    await pair.close();
  }
}, 600_000);

test("what an asynchronous standby did not get is written anew or alarmed, nothing is sent twice, the ledger agrees", async () => {
  const pair = await startPostgresPair({ synchronous: false });
  try {
    const figures = await runFailover({ pair, ...SHORT });
    // A console may call with a key of which the database has lost that another one calls with it.
    expect(figures).toMatchObject({ duplicates: [], creditErrors: [], open: [], silent: [] });
    // A caller who asks again has a lost piece written again, so that none may be left at the end.
    expect(figures.unheard).toBeGreaterThan(0);
    expect(figures.accepted).toBeGreaterThan(5);
  } finally {
    await pair.close();
  }
}, 600_000);
