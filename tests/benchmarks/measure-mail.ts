import type pg from "pg";
import { everyPieceOf, type PieceFilter } from "~/mail/piece-filter";
import type { FileReader } from "~/platform/http/file-stream.server";
import type { PageCursor } from "~/platform/page-cursor";
import { call, expectOk, type Measured, type Measurement } from "./benchmark";
import { measure } from "./measure";

const USER = "auth-bench";
const VIEWER = { id: USER };
const PAGE = 50;
const DEEP_SHARE = 0.9;
/** As one would write the list by hand: no names of others, no bodies. */
const ITEMS = `SELECT i.id, i.preset, i.status, i.method, i.type, i.path, i.created_at, i.provider_id, i.is_cancelled,
  i.cancelled_at, i.cancellation_reason, s.charged FROM mail_items i LEFT JOIN sends s ON s.id = i.send_id
  WHERE i.user_id = $1 AND i.type = $2`;
const NEWEST = "ORDER BY i.created_at DESC, i.id DESC LIMIT";

interface ListQuery {
  filter?: Partial<PieceFilter>;
  cursor?: PageCursor | null;
  limit?: number;
}

/** Lists, counts, recipients, the file's beginning, refresh, quote and story, one after the other. */
export async function* measureMail(at: Measured, samples: number): AsyncGenerator<Measurement> {
  yield* measureLists(at, samples);
  yield* measureCounts(at, samples);
  yield* measureSearches(at, samples);
  yield* measureRecipients(at, samples);
  yield await measureFile(at, samples);
  yield* measurePiece(at, samples);
}

async function* measureLists(at: Measured, samples: number): AsyncGenerator<Measurement> {
  const { listMailItems } = await import("~/mail/list-items.server");
  const { cutPage } = await import("~/platform/page-cursor");
  const letters = { ...everyPieceOf(USER), type: "letter" as const, open: false };
  const list = async ({ filter = {}, cursor = null, limit = PAGE }: ListQuery) =>
    expectOk(await listMailItems({ filter: { ...letters, ...filter }, cursor, limit }, VIEWER));
  const deep = await findDeepRow(at.raw, "mail_items", "AND type = 'letter'");
  const cursor = cutPage([deep, deep], 1).nextCursor ?? "";
  const lists: [
    name: string,
    extra: string,
    values: unknown[],
    query: ListQuery,
    address: Record<string, string>,
  ][] = [
    ["letters, first page", "", [], {}, {}],
    [
      "letters, a deep page",
      "AND (i.created_at, i.id) < ($3, $4)",
      [deep.createdAt, deep.id],
      { cursor: deep },
      { cursor },
    ],
    [
      "letters at a common status",
      "AND i.status = $3",
      ["delivered"],
      { filter: { status: "delivered" } },
      { status: "delivered" },
    ],
    [
      "letters at a rare status",
      "AND i.status = $3",
      ["returned"],
      { filter: { status: "returned" } },
      { status: "returned" },
    ],
    [
      "letters at no such status",
      "AND i.status = $3",
      ["failed"],
      { filter: { status: "failed" } },
      { status: "failed" },
    ],
  ];
  for (const [name, extra, values, query, address] of lists) {
    const text = `${ITEMS} ${extra} ${NEWEST} ${PAGE}`;
    const api = new URLSearchParams({ userId: USER, type: "letter", limit: String(PAGE), ...address });
    const page = new URLSearchParams({ user_id: USER, type: "letter", tests: "1", ...address });
    yield {
      name,
      timings: [
        await measure(samples, () => at.raw.query({ text, values: [USER, "letter", ...values] })),
        await measure(samples, () => list(query)),
        await measure(samples, () => call(at, `/api/mail/items?${api}`)),
        await measure(samples, () => call(at, `/mail?${page}`)),
      ],
    };
  }
  yield {
    name: "all types with counts, the tab as it opens",
    timings: [
      await measure(Math.ceil(samples / 10), () =>
        at.raw.query({
          text: `${ITEMS.replace("i.type = $2", "i.test = $2")} ${NEWEST} ${PAGE}`,
          values: [USER, false],
        }),
      ),
      await measure(samples, () => list({ filter: { type: null, tests: false, open: true } })),
      null,
      await measure(samples, () => call(at, `/mail?${new URLSearchParams({ user_id: USER })}`)),
    ],
  };
  const rows: [name: string, limit: number, address: Record<string, string>][] = [
    ["both types, as many as /api/mail/items gives", 200, {}],
    ["both types, as many as it may be asked for", 500, { limit: "500" }],
  ];
  for (const [name, limit, address] of rows) {
    const text = `${ITEMS.replace("i.type = $2", "i.type = ANY($2)")} ${NEWEST} ${limit}`;
    yield {
      name,
      timings: [
        // No index has both types by time; the product reads one list of each.
        await measure(Math.ceil(samples / 10), () =>
          at.raw.query({ text, values: [USER, ["letter", "postcard"]] }),
        ),
        await measure(samples, () => list({ filter: { type: null }, limit })),
        await measure(samples, () =>
          call(at, `/api/mail/items?${new URLSearchParams({ userId: USER, ...address })}`),
        ),
        null,
      ],
    };
  }
}

async function* measureCounts(at: Measured, samples: number): AsyncGenerator<Measurement> {
  const { countStatuses } = await import("~/mail/status-counts.server");
  yield {
    name: "status counts (raw SQL counts all)",
    timings: [
      await measure(samples, () =>
        at.raw.query("SELECT status, count(*) FROM mail_items WHERE user_id = $1 AND type = $2 GROUP BY 1", [
          USER,
          "letter",
        ]),
      ),
      await measure(samples, async () =>
        expectOk(await countStatuses({ ...everyPieceOf(USER), type: "letter" })),
      ),
      null,
    ],
  };
}

async function* measureSearches(at: Measured, samples: number): AsyncGenerator<Measurement> {
  const { listMailItems } = await import("~/mail/list-items.server");
  const { countStatuses } = await import("~/mail/status-counts.server");
  for (const [name, search] of [
    ["search of a common word, with counts", "person"],
    ["search of a rare word, with counts", "99998"],
    ["search of a word that nobody has", "zzyzx"],
  ] as const) {
    const filter = { ...everyPieceOf(USER), search };
    const text = `${ITEMS.replace("i.type = $2", "i.search_text LIKE $2")} ${NEWEST} ${PAGE}`;
    yield {
      name,
      timings: [
        await measure(samples, () => at.raw.query({ text, values: [USER, `% ${search}%`] })),
        await measure(samples, async () => {
          expectOk(await listMailItems({ filter, cursor: null, limit: PAGE }, VIEWER));
          expectOk(await countStatuses(filter));
        }),
        null,
        await measure(samples, () =>
          call(at, `/mail?${new URLSearchParams({ user_id: USER, q: search, tests: "1" })}`),
        ),
      ],
    };
  }
}

async function* measureRecipients(at: Measured, samples: number): AsyncGenerator<Measurement> {
  const { listMailRecipients } = await import("~/recipients/list-recipients.server");
  const { cutPage } = await import("~/platform/page-cursor");
  const deep = await findDeepRow(at.raw, "mail_recipients", "");
  for (const [name, cursor] of [
    ["recipients, first page", null],
    ["recipients, a deep page", deep],
  ] as const) {
    const text = `SELECT id, recipient_id, name, email, is_verified, created_at FROM mail_recipients
      WHERE user_id = $1 AND deleted_at IS NULL ${cursor ? "AND (created_at, id) < ($2, $3)" : ""}
      ORDER BY created_at DESC, id DESC LIMIT ${PAGE}`;
    const values = cursor ? [USER, cursor.createdAt, cursor.id] : [USER];
    const next: Record<string, string> = cursor
      ? { cursor: cutPage([cursor, cursor], 1).nextCursor ?? "" }
      : {};
    const api = new URLSearchParams({ userId: USER, limit: String(PAGE), ...next });
    const page = new URLSearchParams({ user_id: USER, type: "recipient", ...next });
    yield {
      name,
      timings: [
        await measure(samples, () => at.raw.query({ text, values })),
        await measure(samples, async () =>
          expectOk(await listMailRecipients({ userId: USER, cursor, limit: PAGE }, VIEWER)),
        ),
        await measure(samples, () => call(at, `/api/mail/recipients?${api}`)),
        await measure(samples, () => call(at, `/mail?${page}`)),
      ],
    };
  }
}

async function measureFile(at: Measured, samples: number): Promise<Measurement> {
  const { streamMailItemsCsv } = await import("~/mail/items-csv.server");
  const readFirst = async (stream: ReadableStream<Uint8Array> | null) => {
    const reader = stream?.getReader();
    await reader?.read();
    await reader?.cancel();
  };
  const reader: FileReader = { left: new AbortController().signal, waitForDrain: async () => {} };
  const headers = { Cookie: at.cookie, "Accept-Encoding": "identity" };
  return {
    name: "the CSV's first rows",
    timings: [
      await measure(samples, () =>
        at.raw.query({ text: `${ITEMS} ${NEWEST} 1000`, values: [USER, "letter"] }),
      ),
      await measure(samples, async () =>
        readFirst(
          expectOk(await streamMailItemsCsv({ ...everyPieceOf(USER), type: "letter" }, VIEWER, reader)),
        ),
      ),
      null,
      await measure(samples, async () => {
        const file = await fetch(`${at.origin}/mail/items.csv?user_id=${USER}&type=letter`, { headers });
        await readFirst(file.body);
      }),
    ],
  };
}

/** What is done with one piece that the provider has: one is mailed for it. */
async function* measurePiece(at: Measured, samples: number): AsyncGenerator<Measurement> {
  const { refreshStatus } = await import("~/pieces/events/refresh-status.server");
  const { quoteCancel } = await import("~/pieces/cancel/quote-cancel.server");
  const { loadStory } = await import("~/story/load-story.server");
  const id = await mailLetter(at);
  const text = `SELECT * FROM mail_items i LEFT JOIN sends s ON s.id = i.send_id
    LEFT JOIN credit_accounts a ON a.user_id = i.user_id WHERE i.id = $1`;
  const raw = () => at.raw.query({ text, values: [id] });
  const post = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ids: [id] }),
  };
  yield {
    name: "refresh of one (raw SQL looks it up)",
    timings: [
      await measure(samples, raw),
      await measure(samples, async () => expectOk(await refreshStatus([id], VIEWER))),
      await measure(samples, () => call(at, "/api/mail/refresh", post)),
      null,
    ],
  };
  yield {
    name: "cancel quote (raw SQL looks it up)",
    timings: [
      await measure(samples, raw),
      await measure(samples, async () => expectOk(await quoteCancel(id))),
      null,
      await measure(samples, () =>
        call(at, `/mail?${new URLSearchParams({ user_id: USER, ask: "cancel", item: id })}`),
      ),
    ],
  };
  yield {
    name: "story of one send (raw SQL looks it up)",
    timings: [
      await measure(samples, raw),
      await measure(samples, async () => expectOk(await loadStory(id, new Date()))),
      null,
      await measure(samples, () => call(at, `/sends/${id}`)),
    ],
  };
}

async function mailLetter(at: Measured): Promise<string> {
  const sent = await call(at, "/api/stannp", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      path: "letters/create",
      method: "POST",
      body: { template: "21001", recipient: "1001", test: false },
    }),
  });
  return JSON.parse(sent).send_id;
}

/** Where the oldest tenth begins. */
async function findDeepRow(raw: pg.Client, table: string, condition: string): Promise<PageCursor> {
  const { rows } = await raw.query<PageCursor>(
    `SELECT id, created_at AS "createdAt" FROM ${table} WHERE user_id = $1 ${condition} ORDER BY created_at DESC, id DESC
     OFFSET (SELECT floor(count(*) * ${DEEP_SHARE}) FROM ${table} WHERE user_id = $1 ${condition}) LIMIT 1`,
    [USER],
  );
  const [row] = rows;
  if (!row) throw new Error(`${table} has no row of ${USER}`);
  return row;
}
