import type pg from "pg";
import { call, expectOk, type Measured, type Measurement } from "./benchmark";
import { measure } from "./measure";
import { LISTS, toParameters, writeRawSql } from "./stored-lists";

const JSON_TYPE = { "Content-Type": "application/json" };
const DEEP_SHARE = 0.9;

/** Lists, a deep page, stats, inserts and deletes, one after the other. */
export async function* measureStored(at: Measured, samples: number): AsyncGenerator<Measurement> {
  const { listResponses } = await import("~/responses/search/list-responses.server");
  const list = async (filter: object, cursor: string | null = null) =>
    expectOk(await listResponses({ filter, cursor, limit: 50, bodies: false }));
  const get = (parameters: Record<string, string>, bodies: "0" | "1") =>
    call(at, `/api/responses?${new URLSearchParams({ ...parameters, bodies })}`);
  for (const [name, filter] of LISTS) {
    yield {
      name,
      timings: [
        await measure(samples, (n) => at.raw.query(writeRawSql(filter(n)))),
        await measure(samples, (n) => list(filter(n))),
        await measure(samples, (n) => get(toParameters(filter(n)), "0")),
        await measure(samples, (n) => get(toParameters(filter(n)), "1")),
      ],
    };
  }

  const deep = await findDeepCursor(at.raw);
  yield {
    name: "list, a deep page",
    timings: [
      await measure(samples, () => at.raw.query(deep.sql)),
      await measure(samples, () => list({}, deep.cursor)),
      await measure(samples, () => get({ cursor: deep.cursor }, "0")),
      await measure(samples, () => get({ cursor: deep.cursor }, "1")),
    ],
  };

  const { loadDays, loadStats } = await import("~/responses/stats/stats.server");
  yield {
    name: "stats",
    timings: [
      await measure(samples, () =>
        at.raw.query("SELECT status, sum(total) FROM response_counters GROUP BY status"),
      ),
      await measure(samples, async () => expectOk(await loadStats())),
      await measure(samples, () => call(at, "/api/responses/stats")),
      null,
    ],
  };
  yield {
    name: "30 days of the chart",
    timings: [
      await measure(samples, () =>
        at.raw.query(
          "SELECT hour::date, status, sum(total) FROM response_hours WHERE hour >= now() - interval '30 days' GROUP BY 1, 2",
        ),
      ),
      await measure(samples, async () => expectOk(await loadDays(30))),
      null,
      null,
    ],
  };
  yield* measureChanges(at, samples);
  yield {
    name: "the page /stored",
    timings: [null, null, await measure(samples, () => call(at, "/stored")), null],
  };
}

/** Rows come and go three ways, one of each kind a round. */
async function* measureChanges(at: Measured, samples: number): AsyncGenerator<Measurement> {
  const { withDatabase } = await import("~/platform/database/database.server");
  const { insertResponse, createResponseId } = await import("~/responses/response-record.server");
  const { deleteResponse } = await import("~/responses/delete-response.server");
  const ids = { raw: [] as string[], product: [] as string[], http: [] as string[] };
  const data = {
    success: true,
    data: Array.from({ length: 20 }, (_, n) => ({ id: n, status: "queued", cost: "0.81" })),
  };
  const response = {
    userId: "user-7",
    actorId: "user-7",
    kind: "manual" as const,
    category: "letters",
    preset: "letters.list",
    method: "GET",
    path: "letters/list",
    statusCode: 200,
    durationMs: 80,
    tags: ["auto-saved"],
    sendId: null,
    requestText: "{}",
    responseText: JSON.stringify(data),
    headersText: "{}",
  };
  const wire = {
    user_id: "user-7",
    method: "GET",
    path: "letters/list",
    status_code: 200,
    response_data: data,
  };
  const insertRaw = () => {
    const id = createResponseId();
    ids.raw.push(id);
    return at.raw.query(
      `WITH fresh AS (
         INSERT INTO responses (id, user_id, actor_id, kind, endpoint_category, endpoint_preset, method, path, tags,
           search_text, status_code)
         VALUES ($1, 'user-7', 'user-7', 'manual', 'letters', 'letters.list', 'GET', 'letters/list', '{auto-saved}',
           E'letters/list\\nget\\nletters\\nletters.list\\nletters\\nlist letters\\nauto-saved', 200) RETURNING id)
       INSERT INTO response_bodies (response_id, response_data, response_headers) SELECT id, $2, '{}' FROM fresh`,
      [id, response.responseText],
    );
  };
  yield {
    name: "insert",
    timings: [
      await measure(samples, insertRaw),
      await measure(samples, async () => {
        const id = createResponseId();
        ids.product.push(id);
        return expectOk(await withDatabase((db) => insertResponse(db, { ...response, id })));
      }),
      await measure(samples, async () => {
        const body = JSON.stringify(wire);
        const saved = await call(at, "/api/responses", { method: "POST", headers: JSON_TYPE, body });
        ids.http.push(JSON.parse(saved).data.id);
      }),
      null,
    ],
  };
  yield {
    name: "delete",
    timings: [
      await measure(samples, () => at.raw.query("DELETE FROM responses WHERE id = $1", [ids.raw.pop()])),
      await measure(samples, async () =>
        expectOk(await deleteResponse(ids.product.pop() ?? "", { actorId: "user-7" })),
      ),
      await measure(samples, () => call(at, `/api/responses/${ids.http.pop()}`, { method: "DELETE" })),
      null,
    ],
  };
}

/** Where the oldest tenth begins, and what raw SQL goes on from there with. */
async function findDeepCursor(
  raw: pg.Client,
): Promise<{ cursor: string; sql: { text: string; values: unknown[] } }> {
  const { formatCursor } = await import("~/platform/page-cursor");
  const { rows } = await raw.query<{ id: string; created_at: Date }>(
    `SELECT id, created_at FROM responses ORDER BY created_at DESC, id DESC
     OFFSET (SELECT floor(count(*) * ${DEEP_SHARE}) FROM responses) LIMIT 1`,
  );
  const [row] = rows;
  if (!row) throw new Error("there are no responses");
  const text = `SELECT id, user_id, method, path, endpoint_category, endpoint_preset, status_code, tags, created_at
    FROM responses WHERE deleted_at IS NULL AND (created_at, id) < ($1, $2)
    ORDER BY created_at DESC, id DESC LIMIT 50`;
  return {
    cursor: formatCursor({ createdAt: row.created_at, id: row.id }),
    sql: { text, values: [row.created_at, row.id] },
  };
}
