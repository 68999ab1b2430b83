import type pg from "pg";
import { everyPieceOf, type PieceFilter } from "~/mail/piece-filter";
import type { FileReader } from "~/platform/http/file-stream.server";
import type { PageCursor } from "~/platform/page-cursor";
import { call, expectOk, type Measured, type Measurement } from "./benchmark";

const USER = "auth-bench";
const VIEWER = { id: USER };
const PAGE = 50;
const DEEP_SHARE = 0.9;
interface ListQuery {
  filter?: Partial<PieceFilter>;
  cursor?: PageCursor | null;
  limit?: number;
}

/** Lists, counts, recipients, the file's beginning, refresh, quote and story, one after the other. */
export async function* measureMail(at: Measured, samples: number): AsyncGenerator<Measurement> {
  yield* measureLists(at, samples);
  yield* measureSearches(at);
  yield* measureRecipients(at);
  yield await measureFile(at);
  // A letter is sent for it by HTTP.
  if (at.origin !== "") yield* measurePiece(at);
}

async function* measureLists(at: Measured, samples: number): AsyncGenerator<Measurement> {
  const { listMailItems } = await import("~/mail/list-items.server");
  const { countStatuses } = await import("~/mail/status-counts.server");
  const { cutPage } = await import("~/platform/page-cursor");
  const letters = { ...everyPieceOf(USER), type: "letter" as const, open: false };
  const list = async ({ filter = {}, cursor = null, limit = PAGE }: ListQuery) =>
    expectOk(await listMailItems({ filter: { ...letters, ...filter }, cursor, limit }, VIEWER));
  const deep = await findDeepRow(at.raw, "mail_items", "AND type = 'letter'");
  const cursor = cutPage([deep, deep], 1).nextCursor ?? "";
  const lists: [name: string, query: ListQuery, address: Record<string, string>][] = [
    ["letters, first page", {}, {}],
    ["letters, a deep page", { cursor: deep }, { cursor }],
    ["letters at a common status", { filter: { status: "delivered" } }, { status: "delivered" }],
    ["letters at a rare status", { filter: { status: "returned" } }, { status: "returned" }],
    ["letters at no such status", { filter: { status: "failed" } }, { status: "failed" }],
  ];
  for (const [name, query, address] of lists) {
    const api = new URLSearchParams({ userId: USER, type: "letter", limit: String(PAGE), ...address });
    yield {
      name,
      product: () => list(query),
      http: [() => call(at, `/api/mail/items?${api}`), null],
    };
  }
  yield {
    name: "all types with counts, the tab as it opens",
    product: async () => {
      const filter = { ...everyPieceOf(USER), tests: false };
      expectOk(await listMailItems({ filter, cursor: null, limit: PAGE }, VIEWER));
      expectOk(await countStatuses(filter));
    },
    http: [null, () => call(at, `/mail?${new URLSearchParams({ user_id: USER })}`)],
  };
  for (const [name, limit, address] of [
    ["both types, as many as /api/mail/items gives", 200, {}],
    ["both types, as many as it may be asked for", 500, { limit: "500" }],
  ] as const) {
    yield {
      name,
      product: () => list({ filter: { type: null }, limit }),
      http: [() => call(at, `/api/mail/items?${new URLSearchParams({ userId: USER, ...address })}`), null],
      rounds: Math.ceil(samples / 4),
    };
  }
}

async function* measureSearches(at: Measured): AsyncGenerator<Measurement> {
  const { listMailItems } = await import("~/mail/list-items.server");
  const { countStatuses } = await import("~/mail/status-counts.server");
  for (const [name, search] of [
    ["search of a common word, with counts", "person"],
    ["search of a rare word, with counts", "99998"],
    ["search of a word that nobody has", "zzyzx"],
  ] as const) {
    const filter = { ...everyPieceOf(USER), search };
    yield {
      name,
      product: async () => {
        expectOk(await listMailItems({ filter, cursor: null, limit: PAGE }, VIEWER));
        expectOk(await countStatuses(filter));
      },
      http: [null, () => call(at, `/mail?${new URLSearchParams({ user_id: USER, q: search, tests: "1" })}`)],
    };
  }
  const recipient = await findRecipient(at.raw);
  const { findRecipientsPieces } = await import("~/mail/piece-filter.server");
  yield {
    name: "pieces to one recipient, with counts",
    product: async () => {
      const filter = expectOk(await findRecipientsPieces({ ...everyPieceOf(USER), recipient }));
      expectOk(await listMailItems({ filter, cursor: null, limit: PAGE }, VIEWER));
      expectOk(await countStatuses(filter));
    },
    http: [null, () => call(at, `/mail?${new URLSearchParams({ user_id: USER, recipient })}`)],
  };
}

async function* measureRecipients(at: Measured): AsyncGenerator<Measurement> {
  const { listMailRecipients } = await import("~/recipients/list-recipients.server");
  const { cutPage } = await import("~/platform/page-cursor");
  const deep = await findDeepRow(at.raw, "mail_recipients", "");
  for (const [name, cursor] of [
    ["recipients, first page", null],
    ["recipients, a deep page", deep],
  ] as const) {
    const next: Record<string, string> = cursor
      ? { cursor: cutPage([cursor, cursor], 1).nextCursor ?? "" }
      : {};
    const api = new URLSearchParams({ userId: USER, limit: String(PAGE), ...next });
    const page = new URLSearchParams({ user_id: USER, type: "recipient", ...next });
    yield {
      name,
      product: async () => expectOk(await listMailRecipients({ userId: USER, cursor, limit: PAGE }, VIEWER)),
      http: [() => call(at, `/api/mail/recipients?${api}`), () => call(at, `/mail?${page}`)],
    };
  }
}

async function measureFile(at: Measured): Promise<Measurement> {
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
    product: async () =>
      readFirst(
        expectOk(await streamMailItemsCsv({ ...everyPieceOf(USER), type: "letter" }, VIEWER, reader)),
      ),
    http: [
      async () => {
        const file = await fetch(`${at.origin}/mail/items.csv?user_id=${USER}&type=letter`, { headers });
        await readFirst(file.body);
      },
      null,
    ],
  };
}

/** What is done with one piece that the provider has: one is mailed for it. */
async function* measurePiece(at: Measured): AsyncGenerator<Measurement> {
  const { refreshStatus } = await import("~/pieces/events/refresh-status.server");
  const { quoteCancel } = await import("~/pieces/cancel/quote-cancel.server");
  const { loadStory } = await import("~/story/load-story.server");
  const id = await mailLetter(at);
  const post = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ids: [id] }),
  };
  yield {
    name: "refresh of one, asks the provider",
    product: async () => expectOk(await refreshStatus([id], VIEWER)),
    http: [() => call(at, "/api/mail/refresh", post), null],
    changes: true,
  };
  yield {
    name: "cancel quote, asks the provider",
    product: async () => expectOk(await quoteCancel(id)),
    http: [null, () => call(at, `/mail?${new URLSearchParams({ user_id: USER, ask: "cancel", item: id })}`)],
    changes: true,
  };
  yield {
    name: "the page of one piece",
    product: async () => expectOk(await loadStory(id, new Date())),
    http: [null, () => call(at, `/sends/${id}`)],
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

/** One whom mail was sent to by an inline address. */
async function findRecipient(raw: pg.Client): Promise<string> {
  const { rows } = await raw.query<{ id: string }>(
    "SELECT id FROM mail_recipients WHERE user_id = $1 AND recipient_id IS NULL ORDER BY created_at LIMIT 1",
    [USER],
  );
  return rows[0]?.id ?? "";
}
