import { runBenchmark } from "./benchmark";
import { fillResponses } from "./fill-responses";
import { measureExport } from "./measure-export";
import { measureStored } from "./measure-stored";

/**
 * `npm run bench:stored`: what a million stored responses cost, beside raw SQL on the same database in the same run.
 * `-- --rows 200000 --samples 50` makes it shorter. Ends with 1 when a route takes more than 300 ms at p99.
 */
await runBenchmark({
  http: ["/api/responses", "with bodies"],
  rows: 1_000_000,
  limitMs: 300,
  variables: {},
  subject: "bench",
  fill: fillResponses,
  measure: measureStored,
  async *readFiles(served, cookie) {
    for (const path of ["/stored.csv", "/stored.ndjson"]) yield measureExport(served, cookie, path);
  },
});
