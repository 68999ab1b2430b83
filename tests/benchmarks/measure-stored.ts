import type pg from "pg";
import { call, expectOk, type Measured, type Measurement } from "./benchmark";
import { LISTS, toParameters } from "./stored-lists";

const JSON_TYPE = { "Content-Type": "application/json" };
const DEEP_SHARE = 0.9;

/** Lists, a deep page, stats, inserts and deletes, one after the other. */
export async function* measureStored(at: Measured): AsyncGenerator<Measurement> {
  const { listResponses } = await import("~/responses/search/list-responses.server");
  const list = async (filter: object, cursor: string | null = null) =>
    expectOk(await listResponses({ filter, cursor, limit: 50, bodies: false }));
  const get = (parameters: Record<string, string>, bodies: "0" | "1") =>
    call(at, `/api/responses?${new URLSearchParams({ ...parameters, bodies })}`);
  for (const [name, filter] of LISTS) {
    yield {
      name,
      product: (n) => list(filter(n)),
      http: [(n) => get(toParameters(filter(n)), "0"), (n) => get(toParameters(filter(n)), "1")],
    };
  }

  const deep = await findDeepCursor(at.raw);
  yield {
    name: "list, a deep page",
    product: () => list({}, deep),
    http: [() => get({ cursor: deep }, "0"), () => get({ cursor: deep }, "1")],
  };

  const { loadDays, loadStats } = await import("~/responses/stats/stats.server");
  yield {
    name: "stats",
    product: async () => expectOk(await loadStats()),
    http: [() => call(at, "/api/responses/stats"), null],
  };
  yield {
    name: "30 days of the chart",
    product: async () => expectOk(await loadDays(30)),
    http: [null, null],
  };
  yield* measureChanges(at);
  yield { name: "the page /stored", product: null, http: [() => call(at, "/stored"), null] };
}

/** Rows come and go both ways, one of each kind a round. */
async function* measureChanges(at: Measured): AsyncGenerator<Measurement> {
  const { withDatabase } = await import("~/platform/database/database.server");
  const { insertResponse, createResponseId } = await import("~/responses/response-record.server");
  const { deleteResponse } = await import("~/responses/delete-response.server");
  const ids = { product: [] as string[], http: [] as string[] };
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
  yield {
    name: "insert",
    product: async () => {
      const id = createResponseId();
      ids.product.push(id);
      return expectOk(await withDatabase((db) => insertResponse(db, { ...response, id })));
    },
    http: [
      async () => {
        const body = JSON.stringify(wire);
        const saved = await call(at, "/api/responses", { method: "POST", headers: JSON_TYPE, body });
        ids.http.push(JSON.parse(saved).data.id);
      },
      null,
    ],
    changes: true,
  };
  yield {
    name: "delete",
    product: async () => expectOk(await deleteResponse(ids.product.pop() ?? "", { actorId: "user-7" })),
    http: [() => call(at, `/api/responses/${ids.http.pop()}`, { method: "DELETE" }), null],
    changes: true,
  };
}

/** Where the oldest tenth begins. */
async function findDeepCursor(raw: pg.Client): Promise<string> {
  const { formatCursor } = await import("~/platform/page-cursor");
  const { rows } = await raw.query<{ id: string; created_at: Date }>(
    `SELECT id, created_at FROM responses ORDER BY created_at DESC, id DESC
     OFFSET (SELECT floor(count(*) * ${DEEP_SHARE}) FROM responses) LIMIT 1`,
  );
  const [row] = rows;
  if (!row) throw new Error("there are no responses");
  return formatCursor({ createdAt: row.created_at, id: row.id });
}
