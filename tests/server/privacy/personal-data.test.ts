import { createHash } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { fillSearchTexts } from "~/find/fill-search-texts.server";
import { runBatch } from "~/platform/background-runner.server";
import { applyMigrations } from "~/platform/database/migrations.server";
import { connectPostgres } from "~/platform/database/postgres.server";
import { erasePerson } from "~/privacy/erase-person.server";
import { handlePersonPost, loadExport, loadPersonView } from "~/privacy/person-page.server";
import { describeResponses } from "~/responses/response-record.server";
import { inDatabase, loadEnvironment } from "../../support/console/environment";
import { ANA } from "../../support/console/payment-console";
import { createOldTables, OLD_ROWS } from "../../support/database/database-shape";
import { setUpPostgres } from "../../support/fixtures";

/** A person's data, on PostgreSQL: the statements are the same for both kinds of database. */

const BASE = "https://api-us1.stannp.com/v1";
const id = createHash("md5").update(`auth-ana ${BASE} inline key-1`).digest("hex");
const NAME_OR_ADDRESS = /López|\blopez\b|L\\u00f3pez|ana@example\.com|Dear Ana|255044462d/i;
const VIEWER = { id: "auth-ben" };

const postgres = await setUpPostgres();
beforeAll(async () => {
  const url = await postgres.createDatabase({ empty: true });
  const connection = connectPostgres(url);
  await connection.withSession(async (session) => {
    await createOldTables(session);
    await session.query(OLD_ROWS);
    await applyMigrations(session);
  });
  await connection.close(false);
  await loadEnvironment({
    MAILROOM_DATABASE_URL: url,
    RETENTION_DAYS: "1",
    MAILROOM_SPOOL_DIR: mkdtempSync(join(tmpdir(), "spool-")),
  });
  await run(`INSERT INTO mail_recipients (id, user_id, base_url, name, email)
    VALUES ('${id}', 'auth-ana', '${BASE}', 'Ana López', 'ana@example.com')`);
  await run(
    `UPDATE response_bodies SET request_data = '{"body":{"firstname":"ANA","lastname":"L\\u00f3pez"}}' WHERE response_id = 'gone'`,
  );
  await run(
    `UPDATE parked_drafts SET content = '{"baseLabel":"US","draft":{"path":"postcards/create","values":{"recipient_email":"ana@example.com"},"body":null}}'`,
  );
  await run(`INSERT INTO piece_labels (key, actor_id, is_test, reference, tags)
    VALUES ('tested', 'auth-ana', false, 'letter to López', '{lopez}')`);
  await run("UPDATE sends SET note = 'refused: López', cancel_note = 'refused: López' WHERE id = 'mailed'");
  await run(`UPDATE tested_pieces SET recipient_details = '{"name":"Ana López"}'`);
  await run(
    `INSERT INTO responses (id, user_id, actor_id, kind, endpoint_category, endpoint_preset, method, path, tags, search_text, described)
     VALUES ('tested', 'auth-ana', 'auth-ana', 'auto', 'postcards', 'postcards.create', 'POST', 'postcards/create', '{}', 'postcards/create', false)`,
  );
  await run(`INSERT INTO response_bodies (response_id, request_data, response_headers) VALUES ('tested',
    '{"base":"US","body":{"test":true,"recipient":{"firstname":"Ana","lastname":"López","company":"Papier","city":"Portland"}}}', '{}')`);
  await run(`INSERT INTO bulk_lists (id, actor_id, user_id, name, mail_type, design, columns, mapping, created_at)
    VALUES ('list', 'auth-ana', 'auth-ana', 'spring.csv', 'postcard', '{"path":"postcards/create","body":{"message":"Spring is here"},"files":{}}',
      '["First name","Last name"]', '["firstname","lastname"]', now() - interval '2 days')`);
  await run(`INSERT INTO bulk_rows (list_id, number, cells, state, problem) VALUES
    ('list', 2, '["Ana","López"]', 'problem', 'Missing: City.'), ('list', 3, '["Cem","Kaya"]', 'ready', NULL)`);
  await runBatch(fillSearchTexts);
  await runBatch(describeResponses);
});

const run = (sql: string) => inDatabase((db) => db.$executeRawUnsafe(sql));

/** All rows as text by table, except those of people who sign in. */
const readAll = () =>
  inDatabase(async (db) => {
    const tables = await db.$queryRaw<{ name: string }[]>`
      SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('users', '_prisma_migrations')`;
    const texts: Record<string, string> = {};
    for (const { name } of tables) {
      const [row] = await db.$queryRawUnsafe<{ text: string }[]>(
        `SELECT coalesce(json_agg(r ORDER BY r::text), '[]')::text AS text FROM "${name}" r`,
      );
      texts[name] = row?.text ?? "";
    }
    return texts;
  });

/** The data of each row of the list. */
const readRows = () =>
  inDatabase((db) => db.$queryRaw<object[]>`SELECT number, state, cells FROM bulk_rows ORDER BY number`);

const form = (fields: Record<string, string>) => new URLSearchParams(fields) as unknown as FormData;
const failed = (code: string) => ({ failure: { code } });

/** Every match that is only proposed for the person. */
const listTicks = async (): Promise<string[]> => {
  const view = await loadPersonView(id, new Date());
  return view.ok ? (view.value.person?.proposed.map((match) => match.id) ?? []) : [];
};

test("the export has what is linked to the person and what was ticked, and no data of others", async () => {
  const linked = await loadExport(id, []);
  expect(linked).toMatchObject({
    ok: true,
    value: {
      person: { name: "Ana López", email: "ana@example.com" },
      recipients: [{ id: "r1" }, { id }],
      pieces: [{ id: "mailed", hasPdf: true, requestBody: expect.stringContaining("Dear Ana") }],
      testedPieces: [{ id: "tested" }],
      responses: [{ id: "mailed" }],
      drafts: [{ id: "draft" }],
      tests: [],
      listRows: [],
    },
  });
  const ticked = await loadExport(id, await listTicks());
  expect(ticked).toMatchObject({
    ok: true,
    value: {
      tests: [{ id: "sample" }],
      responses: [{ id: "mailed" }, { id: "gone" }, { id: "tested" }],
      listRows: [{ list: "spring.csv", number: 2, state: "problem", cells: '["Ana","López"]' }],
    },
  });
  expect(JSON.stringify([linked, ticked])).not.toContain("Cem");
});

test("older responses get their mode and recipient in the background, and are found by the recipient", async () => {
  const found = await inDatabase(
    (db) => db.$queryRaw<object[]>`
      SELECT id, mode, addressee FROM responses WHERE search_text LIKE '%ana lópez%papier%portland%' AND described`,
  );
  expect(found).toEqual([{ id: "tested", mode: "test", addressee: "Ana López" }]);
  expect(await runBatch(describeResponses)).toMatchObject({ claimed: 0 });
});

test("nothing is erased without the tick, or while a piece is not settled", async () => {
  const before = await readAll();
  const viewer = { ...ANA, ...VIEWER };
  expect(await handlePersonPost(form({ intent: "erase" }), id, viewer)).toMatchObject(failed("bad_input"));
  expect(await handlePersonPost(form({ confirmed: "yes" }), id, viewer)).toMatchObject(failed("bad_input"));
  await run("UPDATE sends SET recipient_key = 'key-1' WHERE id = 'review'");
  expect(await erasePerson(id, VIEWER)).toMatchObject(failed("in_progress"));
  await run("UPDATE sends SET recipient_key = NULL WHERE id = 'review'");
  expect(await readAll()).toEqual(before);
});

test("an erased person is in no table, and the ledger is unchanged", async () => {
  const before = await readAll();
  expect(await erasePerson(id, VIEWER, ["0123456789abcdef"])).toMatchObject(failed("bad_input"));
  expect(await readAll()).toEqual(before);
  expect(await erasePerson(id, VIEWER, await listTicks())).toMatchObject({ ok: true });
  const after = await readAll();
  for (const [name, text] of Object.entries(after)) expect(text, name).not.toMatch(NAME_OR_ADDRESS);
  expect(after.responses).not.toContain("papier");
  const unchanged = "credit_transactions credit_accounts checkout_sessions response_counters mail_events";
  for (const kept of unchanged.split(" ")) expect(after[kept], kept).toBe(before[kept]);
  // The list no longer sends to them, but still to others.
  expect(await readRows()).toEqual([
    { number: 2, state: "left_out", cells: "[]" },
    { number: 3, state: "ready", cells: '["Cem","Kaya"]' },
  ]);
  expect(after.sends).toContain("Cem");
  expect(await loadPersonView(id, new Date())).toMatchObject({
    value: { person: null, erased: { erased: { recipients: 2, pieces: 1 }, unconfirmed: { pieces: 0 } } },
  });
  expect(await erasePerson("r1", VIEWER)).toMatchObject(failed("not_found"));
  await expect(run("UPDATE piece_events SET note = 'x'")).rejects.toThrow(/append-only/);
});

test("data older than RETENTION_DAYS is deleted, except for unsettled pieces", async () => {
  const { expireData } = await import("~/privacy/expire-data.server");
  await run(`INSERT INTO parked_drafts (id, actor_id, content, name, mail_type, created_at)
    VALUES ('kept', 'auth-ana', '{}', 'Of the team', 'letter', '2020-01-01')`);
  await run(`INSERT INTO mail_recipients (id, user_id, base_url, name, created_at)
    SELECT md5(user_id || ' ${BASE} inline key-2'), user_id, '${BASE}', 'Dee', '2020-01-01' FROM sends WHERE id = 'review'`);
  await run("UPDATE sends SET recipient_key = 'key-2', created_at = now() WHERE id = 'review'");
  await runBatch(expireData);
  const after = await readAll();
  expect(JSON.parse(after.mail_recipients ?? "")).toMatchObject([{ name: "Dee" }]);
  expect(JSON.parse(after.parked_drafts ?? "")).toMatchObject([{ id: "kept" }]);
  expect(after.sends).not.toContain("Cem");
  expect(after.sends).toContain("Dee");
  expect(await readRows()).toMatchObject([{ cells: "[]" }, { state: "left_out", cells: "[]" }]);
  expect(after.bulk_lists).not.toContain("Spring is here");
  expect(after.response_bodies).not.toContain("<html>");
  const { openDraft } = await import("~/builder/draft/open-draft.server");
  const { id } = JSON.parse(after.responses ?? "").find((row: { expired: boolean }) => row.expired);
  expect(await openDraft({ from: "response", id })).toMatchObject({ failure: { code: "not_found" } });
});
