import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runBatch } from "~/platform/background-runner.server";
import { closeDatabase } from "~/platform/database/database.server";
import { applyMigrations, listMigrations } from "~/platform/database/migrations.server";
import { connectPostgres } from "~/platform/database/postgres.server";
import { describeResponses } from "~/responses/response-record.server";
import { parseResponseQuery } from "~/responses/search/filter.schema.server";
import { listResponses } from "~/responses/search/list-responses.server";
import { setUpPostgres } from "../../support/fixtures";

/** Responses whose recipients were stored with accents and apostrophes, as in an older version. */

const WITHOUT_ACCENTS = "20261123060000_recipients_without_accents";

const postgres = await setUpPostgres();
beforeAll(async () => {
  const url = await postgres.createDatabase({ empty: true });
  vi.stubEnv("MAILROOM_DATABASE_URL", url);
  vi.stubEnv("LOG_LEVEL", "silent");
  const connection = connectPostgres(url);
  await connection.withSession(async (session) => {
    await applyMigrations(
      session,
      listMigrations().filter((name) => name < WITHOUT_ACCENTS),
    );
    await session.query(
      `INSERT INTO users (id, display_name, username, email, created_at, updated_at) VALUES ('auth-ana', 'Ana Ruiz', 'ana', 'ana@example.com', now(), now())`,
    );
    for (const [id, firstname, lastname] of [
      ["accent", "Siobhán", "Nowak"],
      ["apostrophe", "Dara", "O'Malley"],
      ["plain", "Tom", "Baker"],
    ] as const) {
      const recipient = { firstname, lastname, city: "Leeds" };
      const request = JSON.stringify({ body: { test: true, recipient } });
      await session.query(
        `INSERT INTO responses (id, user_id, actor_id, kind, endpoint_category, endpoint_preset, method, path, tags, search_text, described, mode, addressee)
         VALUES ('${id}', 'auth-ana', 'auth-ana', 'auto', 'postcards', 'postcards.create', 'POST', 'postcards/create', '{}',
           'postcards/create' || chr(31) || $name$${`${firstname} ${lastname} leeds`.toLowerCase()}$name$, true, 'test', $name$${firstname} ${lastname}$name$);
         INSERT INTO response_bodies (response_id, request_data, response_headers) VALUES ('${id}', $json$${request}$json$, '{}')`,
      );
    }
    await applyMigrations(session);
  });
  await connection.close(false);
});
afterAll(async () => {
  await closeDatabase();
  vi.unstubAllEnvs();
});

async function find(search: string): Promise<string[]> {
  const query = parseResponseQuery(new URLSearchParams({ search }));
  if (!query.ok) throw new Error(query.failure.message);
  const page = await listResponses(query.value);
  if (!page.ok) throw new Error(page.failure.message);
  return page.value.responses.map(({ id }) => id);
}

test("recipients of older responses are found without accents and apostrophes after the background task has indexed them again", async () => {
  expect(await runBatch(describeResponses)).toMatchObject({ claimed: 2 });
  expect(await find("siobhan nowak")).toEqual(["accent"]);
  expect(await find("Siobhán")).toEqual(["accent"]);
  expect(await find("omalley")).toEqual(["apostrophe"]);
  expect(await find("tom baker")).toEqual(["plain"]);
  expect(await runBatch(describeResponses)).toMatchObject({ claimed: 0 });
});
