import { parseArgs } from "node:util";
import { prepareEmbedded } from "./support/database/embedded";
import { attack } from "./support/hostile/attack";

/**
 * `npm run test:hostile -- --minutes 60 [--seed 7]`: sends hostile requests to all routes. Exits with 1 on any
 * problem.
 */
const { values } = parseArgs({ options: { minutes: { type: "string" }, seed: { type: "string" } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const untilMs = Number(values.minutes ?? 5) * 60_000;
const removeEmbedded = await prepareEmbedded();
const { problems, routes, ...figures } = await attack({
  seed,
  untilMs,
  hangMs: 5_000,
  cases: Number.POSITIVE_INFINITY,
});
removeEmbedded();
process.stdout.write(`Seed ${seed}, ${routes.size} routes: ${JSON.stringify(figures)}\n`);
const all = [...new Set(problems)];
process.stdout.write(all.length === 0 ? "No problems.\n" : `${all.slice(0, 100).join("\n")}\n`);
process.exit(all.length === 0 ? 0 : 1);
