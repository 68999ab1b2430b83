import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_KEY_TO_CANCEL } from "~/pieces/messages";
import { CANCEL_FAILED } from "~/responses/cancel-response.server";
import {
  type ApiAnswer,
  type ApiItem,
  type ConsoleRoutes,
  loadConsole,
  openApi,
} from "../../support/console/console-routes";
import type { CookieJar } from "../../support/console/cookie-jar";
import { inDatabase, openSession } from "../../support/console/environment";
import { newEmbedded } from "../../support/database/embedded";
import { setUpPostgres } from "../../support/fixtures";

const KEY = "live-key/with+signs-0001";
const BASE64_KEY = Buffer.from(`${KEY}:`).toString("base64");

const postgres = await setUpPostgres();

describe.each(["PostgreSQL", "embedded"])("/api/responses on %s", (kind) => {
  let routes: ConsoleRoutes;
  let jar: CookieJar;

  beforeAll(async () => {
    routes = await loadConsole({
      SESSION_SECRET: "a secret",
      DATABASE_URL: kind === "embedded" ? newEmbedded() : await postgres.createDatabase(),
      STANNP_API_KEY: KEY,
    });
    jar = await openSession("ana", "Ana Ruiz");
    await inDatabase((db) =>
      db.user.createMany({
        data: [
          { id: "user-zoe", displayName: "ZOË Müller", username: "zoe" },
          { id: "user-ben", displayName: "Benedikt 100%", username: "ben" },
          { id: "user-old", displayName: "Old hand", username: "old" },
        ],
      }),
    );
  });

  const RESPONSE = {
    user_id: "user-ben",
    endpoint_category: "recipients",
    endpoint_preset: "recipients.list",
    method: "GET",
    path: "recipients/list",
    status_code: 200,
    response_data: { success: true, data: [{ id: 1 }] },
    request_data: { query: { limit: "25" } },
    response_headers: { "content-type": "application/json" },
    duration_ms: 12,
    tags: ["a tag"],
  };
  const save = (changes: ApiItem = {}, who = jar) => post({ ...RESPONSE, ...changes }, who);
  const post = (body: unknown, who = jar) => openApi(routes, who).post("/api/responses", body);
  const call = (path: string, init?: RequestInit, who = jar) => openApi(routes, who).call(path, init);
  const remove = (id: unknown, who = jar) => call(`/api/responses/${id}`, { method: "DELETE" }, who);
  const cancel = (id: unknown) => call(`/api/responses/${id}/cancel`, { method: "POST" });
  const countRows = () => inDatabase((db) => db.storedResponse.count());
  const list = (query: Record<string, string> = {}) => call(`/api/responses?${new URLSearchParams(query)}`);
  const verify = async () => {
    const { verifyCounters } = await import("~/responses/stats/verify-counters.server");
    return (await inDatabase(verifyCounters)).flatMap(({ problems }) => problems);
  };

  describe("saving by hand", () => {
    test("is listed and found with all its fields", async () => {
      const saved = await save();
      expect(saved).toMatchObject({ status: 200, item: { ...RESPONSE, user_display_name: "Benedikt 100%" } });
      const expected = {
        ...RESPONSE,
        id: saved.item.id,
        user_display_name: "Benedikt 100%",
        is_cancelled: false,
        is_refused: false,
        cancelled_at: null,
        cancellation_reason: null,
        send_id: null,
        mode: null,
        addressee: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      };
      expect((await call(`/api/responses/${saved.item.id}`)).item).toEqual(expected);
      const found = (await list({ user_id: "user-ben" })).list.find(({ id }) => id === saved.item.id);
      expect(found).toEqual(expected);
      const narrow = (await list({ user_id: "user-ben", bodies: "0" })).list.find(
        ({ id }) => id === saved.item.id,
      );
      const { request_data, response_data, response_headers, ...rest } = expected;
      expect(narrow).toEqual(rest);
    });

    test("needs a user that exists", async () => {
      const before = await countRows();
      const error = "Please select a user before saving the response";
      for (const user_id of [undefined, null, ""])
        expect(await save({ user_id })).toMatchObject({ status: 400, error });
      for (const user_id of ["user-missing", "auth-other"])
        expect(await save({ user_id })).toMatchObject({ status: 404 });
      expect(await countRows()).toBe(before);
      expect(await save({ user_id: "auth-ana" })).toMatchObject({
        status: 200,
        item: { user_display_name: "Ana Ruiz" },
      });
    });

    test.each<[ApiItem, RegExp]>([
      [{ method: "BREW" }, /method must be one of GET/],
      [{ path: "a\u0001b" }, /path holds a character/],
      [{ status_code: 99 }, /status_code must be a whole number from 100/],
      [{ tags: "x" }, /tags must be a list/],
      [{ tags: ["x".repeat(1_000_000)] }, /tags has 100 characters at most/],
      [{ tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }, /20 tags at most/],
      [{ tags: ["two\nlines"] }, /tags holds a character/],
      [{ response_data: { text: "\ud800" } }, /half a character/],
      [{ response_headers: { a: 1 } }, /response_headers/],
      [{ idempotency_key: "short" }, /idempotency_key/],
    ])("%j is refused with its reason", async (changes, words) => {
      const before = await countRows();
      const answer = await save(changes);
      expect(answer.status).toBe(400);
      expect(answer.error).toMatch(words);
      expect(await countRows()).toBe(before);
    });

    test("text of every kind is stored unchanged", async () => {
      const tags = [
        "<b>bold</b>",
        "🎂 emoji 👩‍👩‍👧",
        "‮RTL مرحبا",
        "'; DROP TABLE responses; --",
        "100% _ \\ a",
      ];
      const response_data = { html: "<script>alert(1)</script>", line: "a\nb\t\u0007", 表: "ビ", __x: null };
      const saved = await save({ tags, response_data, path: "naughty/text" });
      expect(saved).toMatchObject({ status: 200, item: { tags, response_data } });
      for (const tag of tags) {
        const found = await list({ tag, search: "naughty/text" });
        expect(found.list, tag).toMatchObject([{ id: saved.item.id }]);
      }
    });

    test("the server's key is stored nowhere, other credentials are dropped", async () => {
      const { item } = await save({
        path: `search/${encodeURIComponent(KEY)}`,
        tags: [`my ${KEY}`],
        request_data: {
          headers: { Authorization: `Basic ${BASE64_KEY}`, Cookie: "session=1", "x-note": KEY },
          body: {
            api_key: "their-own-key-1",
            nested: [{ Authorization: "Bearer their-own-token" }],
            kept: 1,
          },
        },
        response_data: { said: `key ${KEY}`, encoded: BASE64_KEY },
        response_headers: { "x-echo": KEY, "Set-Cookie": "session=2" },
      });
      const rows = await inDatabase(async (db) => [
        await db.storedResponse.findUnique({ where: { id: String(item.id) } }),
        await db.responseBodies.findUnique({ where: { responseId: String(item.id) } }),
      ]);
      const stored = JSON.stringify(rows) + (await call(`/api/responses/${item.id}`)).text;
      const others = ["session=1", "session=2", "their-own-key-1", "their-own-token"];
      for (const secret of [KEY, encodeURIComponent(KEY), BASE64_KEY, ...others])
        expect(stored).not.toContain(secret);
      expect(item).toMatchObject({
        request_data: { body: { kept: 1 } },
        response_data: { said: "key [hidden]" },
      });
    });

    test("without bodies it counts neither as erased nor as expired", async () => {
      const { user_id, method, path } = RESPONSE;
      const saved = await Promise.all([1, 2].map(() => post({ user_id, method, path, status_code: 204 })));
      const [a = "", b = ""] = saved.map(({ item }) => String(item.id));
      const { compareResponses } = await import("~/responses/comparison/comparison.server");
      const { loadStoredCall } = await import("~/responses/search/find-response.server");
      expect(await compareResponses(a, b)).toMatchObject({ ok: true });
      expect(await loadStoredCall(a)).toMatchObject({ value: { call: { method, path, body: null } } });
      expect(saved[0]?.item).toMatchObject({ request_data: null, response_data: null });
      await Promise.all([remove(a), remove(b)]);
    });

    test("a long answer is cut and says so; a long request is refused", async () => {
      const { item } = await save({ response_data: { text: "é".repeat(1_500_000) } });
      const { item: found } = await call(`/api/responses/${item.id}`);
      expect(found.response_data).toMatch(
        /é\n\[cut here: only the first 1,000,000 of 1,500,011 characters are kept\]$/,
      );
      const [listed] = (await list({ user_id: "user-ben", limit: "1" })).list;
      const response_data = expect.stringMatching(/^\[too large for a list: .*\/api\/responses\//);
      expect(listed).toMatchObject({ id: item.id, response_data });
      expect(await save({ request_data: { text: "x y ".repeat(400_000) } })).toMatchObject({
        status: 413,
        error: expect.stringContaining("request_data is too large"),
      });
      await remove(item.id);
    });

    test("with a key one person saves once, also in parallel", async () => {
      const before = await countRows();
      const idempotency_key = "save-once-0001";
      const answers = await Promise.all(Array.from({ length: 8 }, () => save({ idempotency_key })));
      expect(new Set(answers.map(({ status, item }) => `${status} ${item.id}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(200);
      expect(await countRows()).toBe(before + 1);
      await save({ idempotency_key }, await openSession("nils", "Nils"));
      expect(await countRows()).toBe(before + 2);
    });

    test("a copy takes over missing fields; without tags it returns the stored response", async () => {
      const { item: original } = await save({ tags: ["auto-saved"] });
      const before = await countRows();
      const same = await post({ user_id: "user-ben", response_id: original.id });
      expect(same).toMatchObject({ status: 200, item: { id: original.id } });
      expect(await countRows()).toBe(before);
      const copy = await post({ user_id: "user-zoe", response_id: original.id, tags: ["kept"] });
      expect(copy).toMatchObject({ status: 200, item: { ...RESPONSE, user_id: "user-zoe", tags: ["kept"] } });
      expect(copy.item.id).not.toBe(original.id);
      expect((await post({ user_id: "user-ben", response_id: "no-such", tags: ["x"] })).status).toBe(400);
    });
  });

  describe("the list", () => {
    let ids: Map<string, string>;

    /** Rows with known times and parts, in the list's order. */
    beforeAll(async () => {
      ids = new Map();
      const row = (path: string, status_code: number | null, changes: ApiItem = {}): ApiItem => {
        const endpoint_category = path.split("/")[0];
        const endpoint_preset = path.split("/").slice(0, 2).join(".");
        return { path, status_code, endpoint_category, endpoint_preset, ...changes };
      };
      const person = { firstname: "Siobhán", lastname: "O'Connor", company: "Blåbær", city: "Łódź" };
      const written = { method: "POST", request_data: { body: { recipient: person } } };
      const rows: [string, ApiItem][] = [
        ["letter", row("letters/create", 201, written)],
        ["missing", row("letters/get/77", 404)],
        ["broken", row("postcards/list", 503)],
        ["unanswered", row("postcards/list", null, { tags: ["50%_off", "ÄRGER"] })],
        ["zoe", row("events/list", 200, { user_id: "user-zoe", tags: ["back\\slash"] })],
      ];
      for (const [name, changes] of rows) {
        const { item } = await save({ user_id: "user-old", tags: [], ...changes });
        ids.set(name, String(item.id));
      }
      const times = "01T23:59:59.999Z 02T00:00:00Z 02T12:00:00Z 03T00:00:00Z 04T00:00:00Z".split(" ");
      await inDatabase(async (db) => {
        for (const [index, id] of [...ids.values()].entries()) {
          const at = new Date(`2026-03-${times[index]}`);
          await db.$executeRaw`UPDATE responses SET created_at = ${at}::timestamptz WHERE id = ${id}`;
        }
      });
    });

    const names = async (query: Record<string, string>) => {
      const { list: found } = await list({ to: "2026-03-31", ...query });
      return found.map(({ id }) => [...ids].find(([, known]) => known === id)?.[0] ?? id);
    };

    test.each<[Record<string, string>, string[]]>([
      [{}, ["zoe", "unanswered", "broken", "missing", "letter"]],
      [{ user_id: "user-zoe" }, ["zoe"]],
      [
        { user_id: "all", category: "all", search: "", status: "all", method: "" },
        ["zoe", "unanswered", "broken", "missing", "letter"],
      ],
      [{ user_id: "user-old", category: "postcards" }, ["unanswered", "broken"]],
      [{ status: "2xx" }, ["zoe", "letter"]],
      [{ status: "none" }, ["unanswered"]],
      [{ method: "post" }, ["letter"]],
      [{ tag: "ÄRGER" }, ["unanswered"]],
      [{ tag: "50%" }, []],
      [{ from: "2026-03-02", to: "2026-03-02" }, ["broken", "missing"]],
      [{ from: "2026-03-02T12:00:00Z", to: "2026-03-03T00:00:00Z" }, ["broken"]],
      [{ from: "2026-03-03T01:00:00+01:00" }, ["zoe", "unanswered"]],
      [{ search: "Create letter" }, ["letter"]],
      [{ search: "post" }, ["unanswered", "broken", "letter"]],
      [{ search: "50%_" }, ["unanswered"]],
      [{ search: "%" }, ["unanswered"]],
      [{ search: "50__off" }, []],
      [{ search: "k\\s" }, ["zoe"]],
      [{ search: "müller", user_id: "user-zoe" }, ["zoe"]],
      [{ search: "Siobhan OConnor" }, ["letter"]],
      [{ search: "siobhan", user_id: "user-zoe" }, []],
      [{ search: "müller", user_id: "user-old" }, []],
      [{ search: "old hand", status: "404" }, ["missing"]],
    ])("%j gives %j", async (query, expected) => {
      expect(await names(query)).toEqual(expected);
    });

    test("a text too short for an index says how many rows were searched", async () => {
      expect((await list({ search: "zz" })).searchedNewest).toBe(5_000);
      expect((await list({ search: "zzz" })).searchedNewest).toBeNull();
      expect((await list({ search: "?!%" })).searchedNewest).toBe(5_000);
    });

    const wrong = `user_id=%00 search=${"x".repeat(201)} status=6xx method=BREW tag=${"x".repeat(101)} from=2026-02-30
      to=9999-12-31 limit=101 cursor=zzzzzzzzzz.x cursor=1.%27 bodies=2`;
    test.each(wrong.split(/\s+/))("%s is refused", async (query) => {
      for (const path of ["/api/responses", "/stored.csv", "/stored.ndjson"]) {
        const answer = await call(`${path}?${query}`);
        expect(answer.status).toBe(400);
        expect(answer.error).toContain(query.split("=")[0]);
      }
    });
  });

  describe("pages", () => {
    beforeAll(async () => {
      await inDatabase(async (db) => {
        await db.user.create({ data: { id: "user-many", displayName: "Many rows", username: "many" } });
        // Equal times, so that only the ids distinguish the rows; every second row has the other path.
        await db.$executeRaw`
          INSERT INTO responses (id, user_id, actor_id, kind, endpoint_category, endpoint_preset, method, path,
            status_code, tags, search_text, created_at)
          SELECT 'page-' || lpad(n::text, 5, '0'), 'user-many', 'user-many', 'manual', 'events', 'events.list', 'GET',
            'events/list', 200, CASE WHEN n % 2 = 0 THEN ARRAY['pair'] ELSE ARRAY['odd'] END,
            'events/list' || chr(10) || 'get' || chr(10) || CASE WHEN n % 2 = 0 THEN 'pair' ELSE 'odd' END,
            timestamptz '2026-05-01T00:00:00Z' + (n / 400) * interval '1 second'
          FROM generate_series(1, 1300) n`;
      });
    });
    afterAll(() => inDatabase((db) => db.storedResponse.deleteMany({ where: { userId: "user-many" } })));

    test.each<[string, Record<string, string>, number, unknown]>([
      ["of a common word", { search: "list" }, 1_300, { count: 1_000, more: true }],
      [
        "of a word that fills one page and one row",
        { search: "odd", from: "2026-05-01T00:00:03Z", limit: "49" },
        50,
        { count: 50, more: false },
      ],
    ])(
      "%s follow each other without gap or repeat, also over equal times",
      async (_what, query, rows, matching) => {
        const seen: unknown[] = [];
        const base = { user_id: "user-many", limit: "100", bodies: "0", ...query };
        for (let cursor: string | null = ""; cursor !== null; ) {
          const page: ApiAnswer = await list({ ...base, cursor });
          expect(page.status).toBe(200);
          expect(page.matching).toEqual(matching);
          seen.push(...page.list.map(({ id }) => id));
          cursor = page.nextCursor;
        }
        expect(seen).toHaveLength(rows);
        expect(seen).toEqual([...new Set(seen)].toSorted().toReversed());
      },
    );
  });

  describe("stats", () => {
    const stats = async () =>
      (await call("/api/responses/stats")).item as {
        total: number;
        by_status: ApiItem;
        recent_count: number;
      };

    test("follow every save and delete, and count the last 24 hours to the millisecond", async () => {
      const before = await stats();
      const saved = [];
      for (const status_code of [200, 201, 404, null]) saved.push((await save({ status_code })).item.id);
      const after = await stats();
      const grown = (status: string) =>
        Number(after.by_status[status] ?? 0) - Number(before.by_status[status] ?? 0);
      expect(["200", "201", "404", "none"].map(grown)).toEqual([1, 1, 1, 1]);
      expect(after.total).toBe(before.total + 4);
      expect(after.recent_count).toBe(before.recent_count + 4);
      for (const id of saved) expect((await remove(id)).status).toBe(200);
      expect(await stats()).toEqual(before);
    });

    test("days are counted by status class", async () => {
      const { loadDays } = await import("~/responses/stats/stats.server");
      const today = new Date().toISOString().slice(0, 10);
      const before = await loadDays(7);
      for (const status_code of [204, 302, 418, 500, null]) await save({ status_code });
      const after = await loadDays(7);
      if (!before.ok || !after.ok) throw new Error("no days");
      expect(after.value).toHaveLength(7);
      expect(after.value.at(-1)?.day).toBe(today);
      const counts = after.value.at(-1)?.counts;
      for (const name of ["2xx", "3xx", "4xx", "5xx", "none"] as const) {
        expect(counts?.[name], name).toBe((before.value.at(-1)?.counts[name] ?? 0) + 1);
      }
    });
  });

  test("a delete removes row and bodies, once", async () => {
    const { item } = await save();
    const id = String(item.id);
    expect(await remove(id)).toMatchObject({ status: 200 });
    const error = expect.stringMatching(/^Failed to delete response: /);
    expect(await remove(id)).toMatchObject({ status: 404, error });
    expect(await call(`/api/responses/${id}`)).toMatchObject({ status: 404 });
    expect(await inDatabase((db) => db.responseBodies.count({ where: { responseId: id } }))).toBe(0);
    for (const odd of ["%00", "a%27b", "x".repeat(300)]) expect((await remove(odd)).status, odd).toBe(404);
  });

  describe("cancelling", () => {
    const LETTER = {
      method: "POST",
      path: "letters/create",
      endpoint_category: "letters",
      endpoint_preset: "letters.create",
    };

    const accepted = (id: number) => ({ ...LETTER, response_data: { success: true, data: { id } } });
    test.each<[ApiItem, number, RegExp]>([
      [LETTER, 400, /^Failed to cancel mail item: Cannot cancel test items or items without a valid mail ID/],
      [accepted(16800123), 404, /^Failed to cancel mail item: .* Nothing was cancelled\.$/],
      [{ ...LETTER, status_code: 400 }, 400, /did not accept/],
      [{ ...LETTER, endpoint_preset: "letters.get" }, 400, /did not create/],
      [{}, 400, /not about a letter or postcard/],
    ])("%j answers %i", async (changes, status, words) => {
      const { item } = await save(changes);
      const answer = await cancel(item.id);
      expect(answer.status).toBe(status);
      expect(answer.error).toMatch(words);
    });

    test("an already cancelled or unknown response", async () => {
      const { item } = await save(LETTER);
      await inDatabase(
        (db) =>
          db.$executeRaw`UPDATE responses SET is_cancelled = true, cancelled_at = now(), cancellation_reason = 'why' WHERE id = ${item.id}`,
      );
      expect(await cancel(item.id)).toMatchObject({ status: 200, error: null });
      const { item: found } = await call(`/api/responses/${item.id}`);
      expect(found).toMatchObject({ is_cancelled: true, cancellation_reason: "why" });
      const error = expect.stringMatching(/^Failed to cancel mail item: /);
      expect(await cancel("no-such")).toMatchObject({ status: 404, error });
    });
  });

  test("the counters are right at the end", async () => {
    // Removes the rows that were inserted past the product.
    await inDatabase(
      (db) =>
        db.$executeRaw`UPDATE responses SET created_at = now() WHERE created_at < now() - interval '1 day'`,
    );
    expect(await verify()).toEqual([]);
  });
});

test("without a database every call says that no database is configured", async () => {
  const routes = await loadConsole({ SESSION_SECRET: "a secret" });
  const { call, post } = openApi(routes, await openSession("ana", "Ana"));
  const problem = { status: 503, error: "Database connection not available" };
  const lists = ["/api/responses", "/api/responses/stats", "/stored.csv", "/stored.ndjson"];
  for (const path of [...lists, "/api/responses/x"]) expect(await call(path), path).toMatchObject(problem);
  const body = { user_id: "user-ben", method: "GET", path: "x" };
  expect(await post("/api/responses", body)).toMatchObject(problem);
  expect(await call("/api/responses/x", { method: "DELETE" })).toMatchObject(problem);
  // A cancel reports the most important missing setting: the provider key.
  const keyless = { status: 503, error: `${CANCEL_FAILED}: ${NO_KEY_TO_CANCEL}` };
  expect(await call("/api/responses/x/cancel", { method: "POST" })).toMatchObject(keyless);
  const ask = (path: string) => post("/api/stannp", { path, method: "GET", auth: { strategy: "env" } });
  expect((await ask("__probe__")).text).toBe('{"hasServerKey":false}');
  expect(await ask("recipients/list")).toMatchObject({
    status: 503,
    error: expect.stringMatching(/^No server key/),
  });
});
