import { expect, test } from "vitest";
import { startPostgresPair } from "../../support/database/postgres-pair";
import { ALL_WELL } from "../../support/money/audit";
import { runFailover } from "../../support/money/failover";

/** Failovers to the standby under load; `npm run test:endurance` runs more of them, and with a pooler. */
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

test("rows that an asynchronous standby missed are restored or alarmed, nothing is sent twice, the ledger agrees", async () => {
  const pair = await startPostgresPair({ synchronous: false });
  try {
    const figures = await runFailover({ pair, ...SHORT });
    // Two consoles may call with one key at the same time when the database lost the first one's claim.
    expect(figures).toMatchObject({ duplicates: [], creditErrors: [], open: [], silent: [] });
    // A caller's retry restores a lost piece, so none may be left at the end.
    expect(figures.unheard).toBeGreaterThan(0);
    expect(figures.accepted).toBeGreaterThan(5);
  } finally {
    await pair.close();
  }
}, 600_000);
