import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StoredResponse } from "~/responses/stored-response.schema.server";
import type { Prisma } from "../../../prisma/client/client";
import { loadConsole } from "../../support/console/console-routes";
import { inDatabase, openSession } from "../../support/console/environment";
import { type FlakyLink, layFlakyLink } from "../../support/database/flaky-link";
import { setUpPostgres } from "../../support/fixtures";

const MANY_ROWS = 10_000;
const BODY_CHARS = 4_000;
/** Timeout of the transaction that fills the tables. */
const FILL_MS = 120_000;
/** A quarter of the file's size. */
const MAX_GROWTH_BYTES = 10 * 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const postgres = await setUpPostgres();

/** The memory in use after garbage collection. */
function measureLiveBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function loadRoutes(databaseUrl: string) {
  const routes = await loadConsole({ SESSION_SECRET: "a secret", DATABASE_URL: databaseUrl });
  const jar = await openSession("ana", "Ana");
  return { get: (path: string) => routes.visit(jar, path), run: inDatabase };
}

/** Stores `rows` responses, the newest with the highest number; every tenth is a letter with the tag. */
async function fill(run: Awaited<ReturnType<typeof loadRoutes>>["run"], rows: number, bodyChars: number) {
  const insert = async (tx: Prisma.TransactionClient) => {
    // The duration of the filling is not measured.
    await tx.$executeRaw`SET LOCAL statement_timeout = 0`;
    await tx.user.createMany({
      data: [{ id: "user-evil", displayName: '=HYPERLINK("evil")', username: "evil" }],
      skipDuplicates: true,
    });
    await tx.$executeRaw`
      INSERT INTO responses (id, user_id, actor_id, kind, endpoint_category, endpoint_preset, method, path,
        status_code, duration_ms, tags, search_text, created_at)
      SELECT 'r-' || lpad(n::text, 6, '0'), 'user-evil', 'user-evil', 'manual', 'letters', 'letters.get', 'GET',
        'letters/get/' || n, CASE WHEN n % 7 = 0 THEN 404 ELSE 200 END, n % 100,
        CASE WHEN n % 10 = 0 THEN ARRAY['=1+1', 'tenth'] ELSE '{}'::text[] END,
        'letters/get/' || n || CASE WHEN n % 10 = 0 THEN ' tenth' ELSE '' END,
        timestamptz '2026-01-01T00:00:00Z' + (n / 3) * interval '1 second'
      FROM generate_series(1, ${rows}::int) n`;
    await tx.$executeRaw`
      INSERT INTO response_bodies (response_id, request_data, response_data, response_headers)
      SELECT id, '{"body":null}', jsonb_pretty(jsonb_build_object('text', substr(repeat(md5(id), ${bodyChars}::int / 32 + 1), 1, ${bodyChars}::int))), '{"x-n":"1"}'
      FROM responses ON CONFLICT DO NOTHING`;
  };
  await run((db) => db.$transaction(insert, { timeout: FILL_MS }));
}

describe("the files", () => {
  const rows = 2_500;
  let console_: Awaited<ReturnType<typeof loadRoutes>>;

  beforeAll(async () => {
    console_ = await loadRoutes(await postgres.createDatabase());
    await fill(console_.run, rows, 10);
  });

  const readLines = async (path: string) => {
    const reply = await console_.get(path);
    expect(reply.status).toBe(200);
    return { reply, lines: (await reply.text()).trimEnd().split(/\r?\n/) };
  };
  const readObjects = async (query = "") => {
    const { reply, lines } = await readLines(`/stored.ndjson${query}`);
    return {
      reply,
      objects: lines.filter((line) => line !== "").map((line): StoredResponse => JSON.parse(line)),
    };
  };

  test("NDJSON has every row once, newest first, as the API has it", async () => {
    const { reply, objects } = await readObjects();
    expect(reply.headers.get("Content-Type")).toBe("application/x-ndjson; charset=utf-8");
    expect(reply.headers.get("Content-Disposition")).toContain("attachment");
    expect(objects.map(({ id }) => Number(id.slice(2)))).toEqual(
      Array.from({ length: rows }, (_, index) => rows - index),
    );
    const one = await (await console_.get("/api/responses/r-000010")).json();
    expect(objects.find(({ id }) => id === "r-000010")).toEqual(one.data);
    expect(one.data).toMatchObject({ response_headers: { "x-n": "1" }, request_data: { body: null } });
  });

  test("bodies=0 leaves the bodies out", async () => {
    const { objects } = await readObjects("?bodies=0&status=404&from=2026-01-01");
    expect(objects).toHaveLength(Math.floor(rows / 7));
    expect(objects[0]).not.toHaveProperty("response_data");
  });

  test("CSV has the filter's rows, and no cell that runs as a formula", async () => {
    const { reply, lines } = await readLines("/stored.csv?tag=tenth&status=404");
    expect(reply.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(lines[0]).toBe(
      "id,created_at,user_id,user,method,path,category,preset,status_code,duration_ms,tags,cancelled_at,cancellation_reason,send_id,mode,addressee,is_refused",
    );
    expect(lines).toHaveLength(1 + Math.floor(rows / 70));
    expect(lines.at(-1)).toBe(
      `r-000070,2026-01-01 00:00:23,user-evil,"'=HYPERLINK(""evil"")",GET,letters/get/70,letters,letters.get,404,70,"'=1+1, tenth",,,,,,false`,
    );
  });

  test.each([
    ["?search=tenth", rows / 10],
    ["?search=TENTH&tag=tenth&status=2xx", Math.ceil((rows / 10) * (6 / 7))],
    ["?category=events", 0],
    ["?search=%2F2", 612],
    ["?user_id=user-evil&from=2026-01-01&to=2026-01-01", rows],
  ])("%s has exactly the rows of the list", async (query, expected) => {
    const { objects } = await readObjects(query);
    const listed: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const reply = await console_.get(`/api/responses${query}&limit=100&cursor=${cursor}`);
      const page = await reply.json();
      listed.push(...page.data.map(({ id }: StoredResponse) => id));
      cursor = page.next_cursor;
    }
    expect(objects.map(({ id }) => id)).toEqual(listed);
    expect(objects).toHaveLength(expected);
  });
});

describe(`${MANY_ROWS.toLocaleString("en")} rows`, () => {
  let link: FlakyLink;
  let console_: Awaited<ReturnType<typeof loadRoutes>>;

  beforeAll(async () => {
    link = await layFlakyLink(await postgres.createDatabase());
    console_ = await loadRoutes(link.url);
    await fill(console_.run, MANY_ROWS, BODY_CHARS);
  });
  afterAll(() => link.close());

  test("use little memory", async () => {
    const reply = await console_.get("/stored.ndjson");
    const before = measureLiveBytes();
    let peak = 0;
    let bytes = 0;
    let lines = 0;
    let lookAt = 0;
    for await (const chunk of reply.body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 10) lines++;
      if (lines < lookAt) continue;
      peak = Math.max(peak, measureLiveBytes() - before);
      lookAt += MANY_ROWS / 20;
    }
    expect(lines).toBe(MANY_ROWS);
    expect(bytes).toBeGreaterThan(MANY_ROWS * BODY_CHARS);
    expect(peak).toBeLessThan(MAX_GROWTH_BYTES);
  });

  test("break off when the database fails, so that half a file does not look complete", async () => {
    const reply = await console_.get("/stored.ndjson");
    const reader = reply.body?.getReader();
    await reader?.read();
    await link.cut();
    const readOn = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(readOn()).rejects.toThrow(/Failed to fetch responses/);
    await link.mend();
  });
});
