import { expect, test } from "vitest";
import { ACCESS } from "~/access.server";
import { attack } from "../../support/hostile/attack";

/** The short form of `npm run test:hostile`; its seed is fixed so that each run is the same. */
test("hostile requests to every route break nothing, leak nothing, and block no other client", async () => {
  const figures = await attack({ seed: 1, cases: 200, untilMs: 240_000, hangMs: 60_000 });
  expect(figures.problems).toEqual([]);
  expect(figures.cases).toBe(200);
  expect([...figures.routes].sort()).toEqual(Object.keys(ACCESS).sort());
  expect(figures.othersWaitedMs).toBeLessThan(20_000);
});
