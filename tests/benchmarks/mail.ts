import { startMailProvider } from "../emulators/mail-provider";
import { runBenchmark } from "./benchmark";
import { fillMail } from "./fill-mail";
import { measureExport } from "./measure-export";
import { measureMail } from "./measure-mail";

/**
 * `npm run bench:mail`: what Mail Management costs with 100,000 letters and postcards of one user, beside raw SQL on the
 * same database in the same run; as many more are others'. `-- --rows 20000 --samples 50` makes it shorter. Ends with 1
 * when a route takes more than 100 ms at p99. The provider is the emulator on this machine.
 */
const apiKey = "bench-key-0000000000000001";
const provider = await startMailProvider({ apiKey, rateLimitPerMinute: 1_000_000, statusStepMs: 0 });
try {
  await runBenchmark({
    http: ["/api/mail", "page"],
    rows: 100_000,
    limitMs: 100,
    variables: {
      STANNP_API_KEY: apiKey,
      STANNP_BASE_URLS: `US=${provider.baseUrl}`,
      RECONCILE_INTERVAL_MS: "0",
    },
    subject: "bench",
    fill: (client, rows, say) => fillMail(client, { rows, baseUrl: provider.baseUrl }, say),
    measure: measureMail,
    async *readFiles(served, cookie) {
      yield measureExport(served, cookie, "/mail/items.csv?user_id=auth-bench");
    },
  });
} finally {
  await provider.close();
}
