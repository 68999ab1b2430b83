import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createResponseId, insertResponse, type NewResponse } from "~/responses/response-record.server";
import { verifyCounters } from "~/responses/stats/verify-counters.server";
import { loadConsole } from "../../support/console/console-routes";
import { inDatabase } from "../../support/console/environment";
import { newEmbedded } from "../../support/database/embedded";
import { setUpPostgres } from "../../support/fixtures";

const WRITERS = 32;
const STATUSES = [200, 200, 200, 201, 404, 500, null];

const postgres = await setUpPostgres();

function response(statusCode: number | null, id = createResponseId()): NewResponse {
  return {
    id,
    userId: "ana",
    actorId: "ana",
    kind: "auto",
    category: "events",
    preset: "events.list",
    method: "GET",
    path: "events/list",
    statusCode,
    durationMs: 1,
    tags: [],
    sendId: null,
    requestText: "{}",
    responseText: "[]",
    headersText: "{}",
  };
}

describe.each([
  ["PostgreSQL", 8],
  // Its single process stores one after the other.
  ["embedded", 4],
] as const)("the counters on %s", (kind, each) => {
  beforeAll(async () => {
    await loadConsole({
      SESSION_SECRET: "a secret",
      DATABASE_URL: kind === "embedded" ? newEmbedded() : await postgres.createDatabase(),
    });
    await inDatabase((db) => db.user.create({ data: { id: "ana", displayName: "Ana", username: "ana" } }));
  });
  beforeEach(async () => {
    await inDatabase(
      (db) => db.$executeRaw`TRUNCATE responses, response_bodies, response_counters, response_hours CASCADE`,
    );
  });

  const insert = (one: NewResponse) => inDatabase((db) => insertResponse(db, one));
  const readErrors = async () => (await inDatabase(verifyCounters)).flatMap(({ problems }) => problems);

  test(`are right after ${WRITERS} concurrent writers and deleters`, async () => {
    const { deleteResponse } = await import("~/responses/change-response.server");
    const { loadStats } = await import("~/responses/stats/stats.server");
    let kept = 0;
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let n = 0; n < each; n++) {
          const one = response(STATUSES[(writer + n) % STATUSES.length] ?? null);
          await insert(one);
          if (n % 3 !== 0) kept++;
          else {
            const twice = await Promise.all(
              [one.id, one.id].map((id) => deleteResponse(id, { actorId: "ana" })),
            );
            expect(twice.filter(({ ok }) => ok)).toHaveLength(1);
          }
        }
      }),
    );
    expect(await readErrors()).toEqual([]);
    expect(await inDatabase((db) => db.storedResponse.count())).toBe(kept);
    expect(await loadStats()).toMatchObject({ ok: true, value: { total: kept, recent_count: kept } });
  });

  test("count one response once, also when several processes store it at the same time", async () => {
    const one = response(200);
    const done = await Promise.all(Array.from({ length: WRITERS }, () => insert(one)));
    expect(done.every(Boolean)).toBe(true);
    expect(await inDatabase((db) => db.responseCounter.findMany())).toMatchObject([
      { status: 200, total: 1n },
    ]);
    expect(await readErrors()).toEqual([]);
    expect(await inDatabase((db) => db.responseBodies.count())).toBe(1);
  });

  test("count nothing for an unknown user", async () => {
    expect(await insert({ ...response(200), userId: "missing" })).toBe(false);
    expect(await inDatabase((db) => db.responseCounter.count())).toBe(0);
  });

  test.each<[string, string, RegExp[]]>([
    [
      "a counter that is one ahead",
      "UPDATE response_counters SET total = total + 1",
      [/^status 200: stored 2, counted 1$/],
    ],
    [
      "a row behind the counters' back",
      "DELETE FROM responses",
      [/^status 200: stored 1, counted 0$/, /^\d{4}-\d\d-\d\d \d\d:00 status 200: stored 1, counted 0$/],
    ],
    [
      "an hour that was never counted",
      "DELETE FROM response_hours",
      [/^\d{4}-\d\d-\d\d \d\d:00 status 200: stored 0, counted 1$/],
    ],
  ])("%s is found by verify-ledger's rules", async (_what, sql, words) => {
    await insert(response(200));
    await inDatabase((db) => db.$executeRawUnsafe(sql));
    const found = await readErrors();
    expect(found).toHaveLength(words.length);
    for (const [at, pattern] of words.entries()) expect(found[at]).toMatch(pattern);
  });
});
