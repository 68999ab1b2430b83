import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { closeDatabase, withDatabase } from "~/platform/database/database.server";
import { erasePerson, loadPersonData } from "~/privacy/erase-person.server";
import { insertResponse } from "~/responses/response-record.server";
import { type Postgres, startPostgres } from "../../support/database/postgres";

/** Who an erasure and an export are about, on PostgreSQL: the statements are the same for both kinds of database. */

const BASE = "https://api-us1.stannp.com/v1";
const VIEWER = { id: "auth-ben" };

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
  vi.stubEnv("MAILROOM_DATABASE_URL", await postgres.createDatabase());
  vi.stubEnv("STANNP_BASE_URLS", `US=${BASE},EU=https://api-eu1.stannp.com/v1`);
  vi.stubEnv("LOG_LEVEL", "silent");
  await run(
    `INSERT INTO users (id, display_name, username) VALUES ('auth-ana', 'Ana Ruiz', 'ana'), ('auth-ben', 'Ben', 'ben')`,
  );
});
afterAll(async () => {
  await closeDatabase();
  await postgres?.close();
  vi.unstubAllEnvs();
});
beforeEach(() => run("TRUNCATE responses, mail_recipients, bulk_lists, parked_drafts CASCADE"));

async function run(sql: string): Promise<void> {
  const done = await withDatabase((db) => db.$executeRawUnsafe(sql));
  if (!done.ok) throw new Error(done.failure.message);
}

async function read<Row>(sql: string): Promise<Row[]> {
  const found = await withDatabase((db) => db.$queryRawUnsafe<Row[]>(sql));
  if (!found.ok) throw new Error(found.failure.message);
  return found.value;
}

async function insert(table: string, row: Record<string, string | number | boolean>): Promise<void> {
  const values = Object.values(row).map((value) =>
    typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value),
  );
  await run(`INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${values.join(", ")})`);
}

const addRecipient = (id: string, name: string, more: Record<string, string> = {}) =>
  insert("mail_recipients", { id, user_id: "auth-ana", base_url: BASE, name, ...more });

/** Stores a response as a send does. */
async function addResponse(id: string, path: string, request: unknown, answer: unknown, tags: string[] = []) {
  const stored = await withDatabase((db) =>
    insertResponse(db, {
      ...{
        id,
        userId: "auth-ana",
        actorId: "auth-ana",
        kind: "auto",
        category: "recipients",
        preset: "custom",
      },
      ...{ method: "POST", path, statusCode: 200, durationMs: 5, tags, sendId: null, headersText: "{}" },
      requestText: JSON.stringify({
        base: "US",
        method: "POST",
        path,
        query: {},
        headers: {},
        body: request,
      }),
      responseText: JSON.stringify(answer),
    }),
  );
  expect(stored).toMatchObject({ ok: true, value: { inserted: true } });
}

const readBodies = () =>
  read<{ id: string; request: string | null; answer: string | null; words: string }>(
    `SELECT b.response_id AS id, request_data AS request, response_data AS answer, words FROM response_bodies b
     JOIN response_words w USING (response_id) ORDER BY 1`,
  );

/** A list of people, a row each. */
async function addList(people: readonly (readonly string[])[]): Promise<void> {
  await insert("bulk_lists", {
    ...{ id: "list", actor_id: "auth-ana", user_id: "auth-ana", name: "spring.csv", mail_type: "postcard" },
    design: JSON.stringify({
      baseUrl: BASE,
      path: "postcards/create",
      body: { message: "Spring" },
      files: {},
    }),
    columns: JSON.stringify(["First name", "Last name", "Address line 1", "City", "Note"]),
    mapping: JSON.stringify(["firstname", "lastname", "address1", "city", ""]),
  });
  for (const [at, cells] of people.entries()) {
    await insert("bulk_rows", {
      list_id: "list",
      number: at + 2,
      cells: JSON.stringify(cells),
      state: "ready",
    });
  }
}
const readRows = () =>
  read<{ number: number; state: string; cells: string }>(
    "SELECT number, state, cells FROM bulk_rows ORDER BY number",
  );

const PEOPLE = [
  ["Ann", "Lee", "1 High St", "Leeds", ""],
  ["Joanne", "Leeman", "2 Annfield St", "Leeds", ""],
  ["Susannah", "Greenlee", "3 Low Rd", "York", "Ann and Lee sent her"],
] as const;

describe("a name is compared as whole words of name fields", () => {
  test("erasing the recipient St Te empties no stored response of others", async () => {
    for (let at = 0; at < 5; at++) {
      const status = { status: "tested", state: "sent", person: `Steven Tester ${at}` };
      await addResponse(`r${at}`, "letters/create", { test: true }, { success: true, data: status });
    }
    await addRecipient("stte", "St Te");
    const before = await readBodies();
    expect(await erasePerson("stte", VIEWER)).toMatchObject({ ok: true });
    expect(await readBodies()).toEqual(before);
  });

  test("erasing Ann Lee leaves Joanne Leeman and Susannah Greenlee in their list, and her export is hers alone", async () => {
    await addList(PEOPLE);
    await addRecipient("ann", "Ann Lee");
    const found = await loadPersonData("ann");
    expect(found.ok).toBe(true);
    expect(JSON.stringify(found)).not.toMatch(/Joanne|Susannah/);
    expect(await erasePerson("ann", VIEWER)).toMatchObject({ ok: true });
    expect((await readRows()).slice(1)).toMatchObject([
      { state: "ready", cells: expect.stringContaining("Joanne") },
      { state: "ready", cells: expect.stringContaining("Susannah") },
    ]);
  });
});
