import { runBenchmark } from "./benchmark";
import { fillFind } from "./fill-find";
import { measureFind } from "./measure-find";

/**
 * `npm run bench:find`: what a search costs over a million responses, 100,000 pieces and as many recipients. `-- --rows 200000 --samples 50` makes it shorter. Ends with 1 when the palette
 * waits longer than 50 ms at p99.
 */
await runBenchmark({
  http: ["/api/search"],
  rows: 1_000_000,
  limitMs: 50,
  variables: { RECONCILE_INTERVAL_MS: "0", RATE_LIMITS: "off" },
  subject: "bench",
  fill: fillFind,
  measure: measureFind,
  async *readFiles() {},
});
