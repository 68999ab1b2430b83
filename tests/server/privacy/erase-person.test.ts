import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { importRowsOf } from "~/bulk/import/import-list.server";
import { search } from "~/find/search.server";
import { recordTestItem } from "~/pieces/item-record.server";
import { loadPiecePdf } from "~/pieces/piece-pdf.server";
import { reduceRequests } from "~/pieces/send/request-body.server";
import { loadTestedPdf, saveTestedPiece } from "~/pieces/tested/tested-piece.server";
import { withDatabase } from "~/platform/database/database.server";
import type { Outcome } from "~/platform/outcome";
import { writeSearchText } from "~/platform/search-words";
import { applyDueErasures, applyErasures, erasePerson } from "~/privacy/erase-person.server";
import { describeErasure, readErasures } from "~/privacy/erasures.server";
import { repeatErasures } from "~/privacy/expire-data.server";
import { loadExport, loadPersonView } from "~/privacy/person-page.server";
import { parseAddressee } from "~/recipients/addressee.server";
import { linkAddressee } from "~/recipients/match-person.server";
import { compareResponses } from "~/responses/comparison/comparison.server";
import { insertResponse } from "~/responses/response-record.server";
import { loadResponsePage } from "~/responses/tab/stored-view.server";
import type { PrismaClient } from "../../../prisma/client/client";
import { startWebhookReceiver, type WebhookReceiver } from "../../emulators/webhook-receiver";
import { loadEnvironment } from "../../support/console/environment";
import { ANA } from "../../support/console/payment-console";
import { countBlocked } from "../../support/database/blocked";
import { setUpPostgres } from "../../support/fixtures";

/** The scope of an erasure and an export, on PostgreSQL: the statements are the same for both kinds of database. */

const VIEWER = { ...ANA, id: "auth-ben", actorId: "auth-ben", subject: "ben", displayName: "Ben" };

/** Holds each download until it is released. */
let files: WebhookReceiver;
let release: () => void = () => undefined;
let base: string;
let spool: string;
const postgres = await setUpPostgres();
beforeAll(async () => {
  files = await startWebhookReceiver();
  files.answer((_, reply) => {
    release = () => reply.writeHead(200).end("%PDF-1.7 held");
  });
  base = `${files.origin}/v1`;
  spool = mkdtempSync(join(tmpdir(), "spool-"));
  await loadEnvironment({
    MAILROOM_DATABASE_URL: await postgres.createDatabase(),
    MAILROOM_SPOOL_DIR: spool,
    STANNP_BASE_URLS: `US=${base}`,
  });
  await run(
    "INSERT INTO users (id, display_name, username) VALUES ('auth-ana', 'Ana Ruiz', 'ana'), ('auth-ben', 'Ben', 'ben')",
  );
});
afterAll(() => files?.close());
beforeEach(async () => {
  await run(
    "TRUNCATE responses, mail_recipients, bulk_lists, parked_drafts, sends, mail_items, tested_pieces, erasures CASCADE",
  );
  writeFileSync(join(spool, "erasures.jsonl"), "");
});

/** Repeats work that a busy machine did not finish within the database's time limits. */
async function insist<T>(work: () => Promise<Outcome<T>>): Promise<T> {
  for (;;) {
    const done = await work();
    if (done.ok) return done.value;
    if (done.failure.code !== "database_unavailable") throw new Error(done.failure.message);
  }
}
const run = (sql: string) => insist(() => withDatabase((db) => db.$executeRawUnsafe(sql)));
const read = <Row>(sql: string) => insist(() => withDatabase((db) => db.$queryRawUnsafe<Row[]>(sql)));

async function insert(table: string, row: Record<string, string | number | boolean>): Promise<void> {
  const values = Object.values(row).map((value) =>
    typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value),
  );
  await run(`INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${values.join(", ")})`);
}

const addRecipient = (id: string, name: string, more: Record<string, string> = {}) => {
  const search_text = writeSearchText([name]); // Without the e-mail, as after a change of the name.
  return insert("mail_recipients", { id, user_id: "auth-ana", base_url: base, name, search_text, ...more });
};

/** Stores a response as a send does. */
async function addResponse(id: string, path: string, request: unknown, answer: unknown, tags: string[] = []) {
  const sent = { base: "US", method: "POST", path, query: {}, headers: {}, body: request };
  const owner = { userId: "auth-ana", actorId: "auth-ana", category: "recipients", preset: "custom" };
  const stored = await withDatabase((db) =>
    insertResponse(db, {
      ...owner,
      ...{ id, kind: "auto", method: "POST", path, statusCode: 200, durationMs: 5, tags, sendId: null },
      ...{ headersText: "{}", requestText: JSON.stringify(sent), responseText: JSON.stringify(answer) },
    }),
  );
  expect(stored).toEqual({ ok: true, value: true });
}

/** Stores the response to a letter to this recipient. */
const addLetter = (id: string, recipient: object, tags: string[] = []) =>
  addResponse(id, "letters/create", { recipient }, {}, tags);

const readBodies = () =>
  read<{ id: string; request: string | null; answer: string | null; words: string }>(
    `SELECT b.response_id AS id, request_data AS request, response_data AS answer, words FROM response_bodies b
     JOIN response_words w USING (response_id) ORDER BY 1`,
  );

/** A list of people, one row each. */
async function addList(people: readonly (readonly string[])[]): Promise<void> {
  await insert("bulk_lists", {
    ...{ id: "list", actor_id: "auth-ana", user_id: "auth-ana", name: "spring.csv", mail_type: "postcard" },
    design: JSON.stringify({ baseUrl: base, path: "postcards/create", body: {}, files: {} }),
    columns: JSON.stringify(["First name", "Last name", "Address line 1", "City", "Note"]),
    mapping: JSON.stringify(["firstname", "lastname", "address1", "city", ""]),
  });
  for (const [at, cells] of people.entries()) {
    const row = { list_id: "list", number: at + 2, state: "ready" };
    await insert("bulk_rows", { ...row, cells: JSON.stringify(cells) });
  }
}
/** A mailed postcard with its item and its recipient row; returns the row's id. */
async function addPiece(
  id: string,
  recipient: Record<string, string> | string,
  { user = "auth-ana", state = "accepted", pdf = "" } = {},
): Promise<string> {
  const { key, recipientId, name, email, place, searchText } = parseAddressee({ recipient });
  const columns = {
    ...{ recipient_id: recipientId, recipient_name: name, recipient_email: email },
    ...{ recipient_place: place, recipient_key: key },
  };
  const named = Object.fromEntries(
    Object.entries(columns).filter((column): column is [string, string] => column[1] !== null),
  );
  const path = "postcards/create";
  const owner = { user_id: user, actor_id: user };
  const call = { method: "POST", path };
  await insert("sends", {
    ...{ id, ...owner, idempotency_key: id, request_hash: id, mail_type: "postcard", cost: 1 },
    ...{ charged: state === "accepted" ? 1 : 0, state, ...call, url: `${base}/${path}` },
    ...{ request_headers: "{}", request_body: JSON.stringify({ recipient, message: `Dear ${name}` }) },
    ...{ answer_text: JSON.stringify({ success: true, data: { id: 7, pdf } }), search_text: searchText },
    ...named,
  });
  await run(`UPDATE sends SET settled_at = now() WHERE id = '${id}' AND state = 'accepted'`);
  await insert("mail_items", {
    ...{ id, ...owner, send_id: id, type: "postcard", preset: "p", ...call, base_url: base },
    ...{ addressee: name ?? "none", search_text: searchText, status: "received", status_rank: 0 },
  });
  const link = recipientId ?? `inline ${key}`;
  await run(`INSERT INTO mail_recipients (id, user_id, base_url, recipient_id, name, email, search_text)
    VALUES (md5('${user} ${base} ${link}'), '${user}', '${base}', ${recipientId ? `'${recipientId}'` : "NULL"},
      '${name ?? `Recipient ${recipientId}`}', ${email ? `'${email}'` : "NULL"}, '${searchText}') ON CONFLICT DO NOTHING`);
  const [row] = await read<{ id: string }>(`SELECT md5('${user} ${base} ${link}') AS id`);
  return row?.id ?? "";
}

const readPieces = () =>
  read<{ id: string; name: string | null }>("SELECT id, recipient_name AS name FROM sends ORDER BY id");

function loadView(id: string) {
  return insist(() => loadPersonView(id, new Date()));
}

/** Proposed matches of the person, as the form posts them. */
const listTicks = async (id: string, kind?: string) =>
  (await loadView(id)).person?.proposed.filter((one) => !kind || one.kind === kind).map((one) => one.id) ??
  [];

/** The pages that a search finds. */
const find = async (text: string) => {
  const { groups } = await search(text, 8, new Date());
  return groups.flatMap(({ hits }) => hits.map(({ to }) => to)).filter((to) => !to.startsWith("/?preset"));
};

const readRows = () =>
  read<{ number: number; state: string; cells: string }>(
    "SELECT number, state, cells FROM bulk_rows ORDER BY number",
  );

const AMELIA = {
  ...{ firstname: "Amelia", lastname: "Hartwell", address1: "4 Mill Lane", city: "Portland" },
  ...{ postcode: "97205", country: "US", email: "amelia@example.com" },
};

describe("exact links apply at once, names need confirmation", () => {
  test("a piece to the same address of another user is hers, one to another Amelia Hartwell is proposed", async () => {
    const id = await addPiece("mine", AMELIA);
    await addPiece("theirs", AMELIA, { user: "auth-ben" });
    const namesake = { ...AMELIA, firstname: "HARTWELL", lastname: "Amélia", email: "" };
    const other = await addPiece("other", { ...namesake, address1: "9 Oak Road", postcode: "10001" });
    await run(`DELETE FROM mail_recipients WHERE id = '${other}'`);
    await addPiece("house", { ...AMELIA, firstname: "Owen", email: "" });
    const { person } = await loadView(id);
    expect(person?.counts).toMatchObject({ recipients: 2, pieces: 2 });
    expect(person?.addresses).toEqual(["4 Mill Lane, Portland 97205, US"]);
    expect(person?.proposed).toMatchObject([
      { kind: "recipients", link: "address", name: "Owen Hartwell" },
      { kind: "pieces", link: "name", name: "HARTWELL Amélia", owner: "Ana Ruiz" },
    ]);
    expect(await erasePerson(id, VIEWER)).toMatchObject({ ok: true });
    expect(await readPieces()).toEqual([
      { id: "house", name: "Owen Hartwell" },
      { id: "mine", name: null },
      { id: "other", name: "HARTWELL Amélia" },
      { id: "theirs", name: null },
    ]);
    expect(await loadView(id)).toMatchObject({
      person: null,
      erased: {
        by: "Ben",
        erased: { pieces: 2 },
        unconfirmed: { recipients: 1, pieces: 1 },
        atProvider: false,
      },
    });
  });

  test("a ticked second record includes its pieces, and the search no longer finds her", async () => {
    const id = await addPiece("mine", AMELIA);
    await addPiece("second", { ...AMELIA, address1: "9 Oak Road", postcode: "10001", email: "" });
    await addPiece("other", { ...AMELIA, firstname: "Owen", email: "" });
    expect(await find("amelia hartwell")).toHaveLength(4);
    const { person } = await loadView(id);
    const second = person?.proposed.filter(({ link }) => link === "name").map((one) => one.id) ?? [];
    expect(await erasePerson(id, VIEWER, second)).toMatchObject({ ok: true });
    expect(await find("amelia hartwell")).toEqual([]);
    expect(await readPieces()).toMatchObject([{ name: null }, { name: "Owen Hartwell" }, { name: null }]);
  });

  test("people who share an e-mail stay separate", async () => {
    await addRecipient("ann", "Ann Lee", { email: "office@example.com" });
    await addRecipient("joanne", "Joanne Leeman", { email: "office@example.com" });
    const listed = { email: "office@example.com", firstname: "Joanne", lastname: "Leeman" };
    await addResponse("r1", "recipients/list", {}, { data: [listed] });
    const { person } = await loadView("ann");
    expect(person?.proposed.map(({ kind, link }) => [kind, link])).toEqual([
      ["recipients", "email"],
      ["responses", "email"],
    ]);
    expect(await erasePerson("ann", VIEWER)).toMatchObject({ ok: true });
    expect(await read("SELECT id FROM mail_recipients")).toEqual([{ id: "joanne" }]);
    expect(await find("leeman")).toContain("/stored/r1");
  });

  test("of a list of the account's recipients only her object is emptied", async () => {
    const row = (id: number, firstname: string, lastname: string) => {
      return { id, firstname, lastname, city: "Leeds" };
    };
    const rows = [row(1001, "Ann", "Lee"), row(1002, "Joanne", "Leeman"), row(1003, "Ann", "Lee")];
    await addResponse("list", "recipients/list", {}, { success: true, data: rows });
    await addRecipient("ann", "Ann Lee", { recipient_id: "1001" });
    expect(await loadExport("ann", [])).toMatchObject({ value: { responses: [{ content: { id: 1001 } }] } });
    expect(await erasePerson("ann", VIEWER)).toMatchObject({ ok: true });
    const [body] = await readBodies();
    const data = [{ erased: true }, ...rows.slice(1)];
    expect(JSON.parse(body?.answer ?? "")).toEqual({ success: true, data });
    expect(body?.words).toContain("1002");
    expect(body?.words).not.toContain("1001");
    expect(await loadResponsePage("list")).toMatchObject({ value: { erasedPart: "some" } });
  });

  test("her letters are found where the words of the search are not complete, and after they were deleted", async () => {
    await addRecipient("ann", "Ann Lee", { recipient_id: "1001" });
    const others = Array.from({ length: 700 }, (_, n) => ({ id: 2_000 + n, note: `note ${n}` }));
    await addResponse("long", "recipients/list", {}, { success: true, data: [...others, { id: 1001 }] });
    for (const id of ["older", "deleted"]) await addResponse(id, "recipients/get", { id: 1001 }, {});
    await run("UPDATE response_words SET words = NULL, is_complete = NULL WHERE response_id = 'older'");
    await run("DELETE FROM response_words WHERE response_id = 'deleted'");
    await run("UPDATE responses SET deleted_at = now() WHERE id = 'deleted'");
    expect(await loadExport("ann", [])).toMatchObject({
      value: { responses: [{ id: "long" }, { id: "older" }, { id: "deleted" }] },
    });
  });

  test.each(["Cher", "佐藤花子", "Łukasz O’Malley"])("%s is proposed by the whole name", async (name) => {
    await addRecipient("one", name);
    const [firstname = "", lastname = ""] = name.split(" ");
    await addLetter("hers", { firstname, lastname, address1: "1 A St" });
    await addLetter("other", { firstname: `${firstname}x`, lastname });
    const ticks = await listTicks("one");
    expect(ticks).toHaveLength(1);
    expect(await erasePerson("one", VIEWER, ticks)).toMatchObject({ ok: true });
    expect(await readBodies()).toMatchObject([
      { id: "hers", request: null, words: "" },
      { id: "other", request: expect.stringContaining(`${firstname}x`) },
    ]);
  });

  test("tags with the name are erased with her responses, and the search does not find them", async () => {
    const id = await addPiece("mine", AMELIA);
    await addLetter("hers", AMELIA, ["amelia-hartwell", "spring"]);
    await addResponse("tagged", "reporting/list", {}, {}, ["Hartwell, Amelia"]);
    const ticks = await listTicks(id, "responses");
    expect(ticks).toHaveLength(1);
    expect(await erasePerson(id, VIEWER, ticks)).toMatchObject({ ok: true });
    const rows = await read<{ text: string }>(
      "SELECT id, tags, search_text AS text FROM responses ORDER BY id",
    );
    expect(rows).toMatchObject([
      { id: "hers", tags: ["spring"] },
      { id: "tagged", tags: [] },
    ]);
    expect(rows.map(({ text }) => text).join()).not.toMatch(/amelia|hartwell/);
    for (const match of ["piece:mine", "response:hers", "response:tagged"]) {
      expect(await describeErasure(match, false)).toMatch(/^Ben erased .* UTC\.$/);
    }
    expect(await describeErasure("response:her", false)).toBeNull();
    expect(await loadResponsePage("hers")).toMatchObject({ value: { erasedPart: "all" } });
    expect(await compareResponses("hers", "tagged")).toMatchObject({
      failure: { message: expect.stringContaining("cannot be compared") },
    });
  });

  test("a draft that waits for the payment is hers by its address", async () => {
    const id = await addPiece("mine", AMELIA);
    const values = Object.fromEntries(
      Object.entries(AMELIA).map(([name, value]) => [`recipient_${name}`, value]),
    );
    const park = (id: string, own: object) => {
      const draft = { path: "postcards/create", values: { ...values, ...own }, body: null };
      const content = JSON.stringify({ baseLabel: "US", draft });
      return insert("parked_drafts", { id, actor_id: "auth-ana", content });
    };
    await park("hers", {});
    await park("other", { recipient_firstname: "Owen" });
    expect(await erasePerson(id, VIEWER)).toMatchObject({ ok: true });
    expect(await read("SELECT id FROM parked_drafts")).toEqual([{ id: "other" }]);
  });

  test("a list row that is being sent stops the erasure", async () => {
    await addList([["Ann", "Lee", "1 High St", "Leeds", ""]]);
    await addRecipient("ann", "Ann Lee");
    const ticks = await listTicks("ann");
    await run("UPDATE bulk_rows SET state = 'sending'");
    expect(await erasePerson("ann", VIEWER, ticks)).toMatchObject({ failure: { code: "in_progress" } });
    expect(await read("SELECT id FROM mail_recipients")).toEqual([{ id: "ann" }]);
  });
});

describe("no data of a person remains", () => {
  test("a test to her address: its name, its details and its PDF", async () => {
    const id = await addPiece("mine", AMELIA);
    const addressee = parseAddressee({ recipient: AMELIA });
    const call = { mailType: "postcard", method: "POST", path: "postcards/create", baseUrl: base } as const;
    await recordTestItem({ ...call, body: { recipient: AMELIA } }, "auth-ana", VIEWER);
    const tested = await withDatabase((db) =>
      saveTestedPiece(db, {
        ...{ actorId: "auth-ana", userId: "auth-ana", callHash: "c", partHashes: { message: "m" } },
        ...{ mailType: "postcard", format: null, cost: null, recipientDetails: null },
        pdfUrl: `${base}/test.pdf`,
        recipientLink: linkAddressee(addressee, base),
      }),
    );
    expect((await loadView(id)).person?.counts).toMatchObject({ tests: 1, testedPieces: 1 });
    expect(await erasePerson(id, VIEWER)).toMatchObject({ ok: true });
    const pdf = await loadTestedPdf(tested.ok ? tested.value : "");
    expect(pdf).toMatchObject({ failure: { code: "not_found" } });
    expect(await find("amelia")).toEqual([]);
    expect(await read("SELECT part_hashes AS hashes FROM tested_pieces")).toEqual([{ hashes: "{}" }]);
  });

  test("a PDF whose download was under way, and a request whose files were being replaced, are not stored again", async () => {
    const id = await addPiece("mine", AMELIA, { pdf: `${base}/held.pdf` });
    await run("UPDATE sends SET created_at = now() - interval '2 days'");
    const download = loadPiecePdf("mine");
    await expect.poll(() => files.received.length).toBe(1);
    const claimed = await insist(() => reduceRequests.claim(1));
    expect(await erasePerson(id, VIEWER)).toMatchObject({ ok: true });
    release();
    await download;
    for (const row of claimed) await reduceRequests.work(row);
    expect(await read("SELECT send_id FROM piece_pdfs")).toEqual([]);
    expect(await read("SELECT request_body AS body FROM sends")).toEqual([{ body: "{}" }]);
  });

  test("data that a restore brings back is erased again, without the name being stored", async () => {
    const bringBack = async () => {
      await run("TRUNCATE responses, mail_recipients, bulk_lists, sends, mail_items, erasures CASCADE");
      const id = await addPiece("mine", AMELIA);
      await addPiece("other", { ...AMELIA, firstname: "Owen", email: "" });
      await addList([
        ["Amelia", "Hartwell", "", "", ""],
        ["Joanne", "Leeman", "", "", ""],
      ]);
      const data = [{ firstname: "Amelia", lastname: "Hartwell" }];
      await addResponse("list", "recipients/list", {}, { data }, ["amelia hartwell"]);
      return id;
    };
    const id = await bringBack();
    const ticks = [...(await listTicks(id, "listRows")), ...(await listTicks(id, "responses"))];
    expect(await erasePerson(id, VIEWER, ticks)).toMatchObject({ ok: true });
    const kept = readFileSync(join(spool, "erasures.jsonl"), "utf8");
    expect(kept).not.toMatch(/amelia|hartwell|mill lane/i);
    const [stored] = await read<object>("SELECT links, erased, unconfirmed FROM erasures");
    expect(JSON.stringify(stored)).not.toMatch(/amelia|hartwell|mill lane/i);

    await bringBack();
    await run("UPDATE sends SET state = 'unknown', charged = 0, settled_at = NULL WHERE id = 'mine'");
    await run(`INSERT INTO mail_recipients (id, user_id, base_url, name, email)
      VALUES ('older', 'auth-ana', '${base}', 'Amelia Hartwell', 'Amelia@Example.com')`);
    const erasures = await readErasures();
    const links = { rows: ["gone"], accounts: [], keys: [], emails: [], known: [] };
    const settled = erasures.map((one) => ({ ...one, id: "settled", links }));
    const apply = () => withDatabase((db) => applyErasures(db, [...erasures, ...settled]));
    expect(await apply()).toEqual({ ok: true, value: 2 });
    expect(await readRows()).toMatchObject([{ cells: "[]" }, { cells: expect.stringContaining("Joanne") }]);
    expect((await readBodies())[0]?.answer).toBe('{"data":[{"erased":true}]}');
    expect(await read("SELECT tags FROM responses")).toEqual([{ tags: [] }]);
    expect(await read("SELECT name FROM mail_recipients")).toEqual([{ name: "Owen Hartwell" }]);
    // Its request may have to be repeated, so its erasure waits.
    expect(await readPieces()).toEqual([
      { id: "mine", name: "Amelia Hartwell" },
      { id: "other", name: "Owen Hartwell" },
    ]);
    await run("UPDATE sends SET state = 'refused', settled_at = now() WHERE id = 'mine'");
    expect(await withDatabase(applyDueErasures)).toEqual({ ok: true, value: 1 });
    expect(await readPieces()).toMatchObject([{ name: null }, { name: "Owen Hartwell" }]);
    expect(await withDatabase(applyDueErasures)).toEqual({ ok: true, value: 0 });
    expect(await apply()).toEqual({ ok: true, value: 0 });
    await run("DELETE FROM erasures");
    await repeatErasures.cleanUp?.();
    expect(await read("SELECT id FROM erasures"), "which a failover lost").toHaveLength(1);
  });
});

test("a row that is copied to another list during the erasure of its person is deleted there", async () => {
  await addRecipient("p", "Ann Lee");
  await addList([["Ann", "Lee", "1 High St", "Leeds", ""]]);
  await run(`INSERT INTO bulk_lists (id, actor_id, user_id, name, mail_type, design)
    SELECT 'copy', actor_id, user_id, name, mail_type, design FROM bulk_lists`);
  const ticks = await listTicks("p");
  const countWaiting = () => insist(() => withDatabase(countBlocked));
  const start = (db: PrismaClient) =>
    db.$transaction(async (tx) => {
      // The erasure has searched already when it waits for this row.
      await tx.$executeRaw`SELECT 1 FROM bulk_rows WHERE list_id = 'list' AND number = 2 FOR SHARE`;
      const erased = erasePerson("p", VIEWER, ticks);
      await expect.poll(countWaiting).toBe(1);
      const copied = importRowsOf("copy", "list", VIEWER);
      await expect.poll(countWaiting).toBe(2);
      return { erased, copied };
    });
  const { erased, copied } = await insist(() => withDatabase(start));
  expect([await erased, await copied]).toMatchObject([{ ok: true }, { ok: true }]);
  expect(await read("SELECT number FROM bulk_rows WHERE list_id = 'copy'")).toEqual([]);
});

test("erasing a person changes no row whose name fields are not the person's, even with everything ticked", async () => {
  const words = "Ann Lee Anna Leeman Jo Joanne St Te Ste Östlee 佐藤 Green".split(" ");
  const word = fc.constantFrom(...words);
  const name = fc.tuple(word, word);
  const people = fc.uniqueArray(name, {
    minLength: 2,
    maxLength: 6,
    // Names with the same words count as the same name.
    selector: (words) => [...words].sort().join(" "),
  });
  await fc.assert(
    fc.asyncProperty(people, fc.nat(), async (names, seed) => {
      await run("TRUNCATE responses, mail_recipients, bulk_lists CASCADE");
      const victim = seed % names.length;
      const rows = names.map(([firstname, lastname], at) => ({ id: 2000 + at, firstname, lastname }));
      for (const [at, words] of names.entries()) await addRecipient(`p${at}`, words.join(" "));
      await addList(names.map((words) => [...words, "", "", names.map((one) => one.join(" ")).join(", ")]));
      await addResponse("all", "groups/list", {}, { data: rows });
      for (const [at, { firstname, lastname }] of rows.entries()) {
        const request = { recipient: { firstname, lastname }, message: "Ann Lee, St Te" };
        await addResponse(`r${at}`, "letters/create", request, {});
      }
      const ticks = await listTicks(`p${victim}`);
      expect(await erasePerson(`p${victim}`, VIEWER, ticks)).toMatchObject({ ok: true });
      const others = (await readRows()).filter((_, at) => at !== victim);
      expect(others.filter(({ state, cells }) => state !== "ready" || cells === "[]")).toEqual([]);
      const bodies = await readBodies();
      const data = rows.map((row, at) => (at === victim ? { erased: true } : row));
      expect(JSON.parse(bodies[0]?.answer ?? "")).toEqual({ data });
      const emptied = bodies.slice(1).map(({ request }) => request === null);
      expect(emptied).toEqual(rows.map((_, at) => at === victim));
      expect((await read("SELECT id FROM mail_recipients")).length).toBe(names.length - 1);
    }),
    { numRuns: 15, seed: 26 },
  );
});
