import type pg from "pg";
import { markDuplicates } from "~/bulk/rows/mark-duplicates.server";
import type { Viewer } from "~/people/viewer.server";
import { erasePieces, findExpiredPieces } from "~/pieces/erase-pieces.server";
import { withDatabase } from "~/platform/database/database.server";
import type { Outcome } from "~/platform/outcome";
import { formatCursor } from "~/platform/page-cursor";
import { erasePerson, loadPersonData } from "~/privacy/erase-person.server";
import { reconcile } from "~/reconciliation/reconcile.server";
import { expireSomeBodies } from "~/responses/erase-bodies.server";
import type { PrismaClient } from "../../prisma/client/client";
import { LIST, RARE_WORD } from "./fill";

/** A call of the nth round: an address, its query and the posted body. */
export interface Call {
  path: string;
  query?: Record<string, string>;
  post?: object;
}
/** A call, or work of the background that this process does. */
type Row = [name: string, run: (n: number) => Call | Promise<unknown>];

/** Limits of a room's routes at the 99th percentile. */
interface Room {
  limitMs: number;
  rows: Row[];
}

const USER = "auth-bench";
const VIEWER: Viewer = {
  ...{ id: USER, subject: "bench", actorId: USER, displayName: "bench" },
  ...{ email: null, emailVerified: false, picture: null, signedInAt: null, scopes: ["admin"], token: null },
};
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

/** Lists the calls and the work, those that erase rows last. */
export async function listRooms(client: pg.Client): Promise<Record<string, Room>> {
  const one = async <T extends pg.QueryResultRow>(sql: string): Promise<T> => {
    const [row] = (await client.query<T>(sql)).rows;
    if (!row) throw new Error(`no row: ${sql}`);
    return row;
  };
  /** The first row of the oldest tenth. */
  const deep = async (table: string, where = "true") =>
    formatCursor(
      await one<{ id: string; createdAt: Date }>(
        `SELECT id, created_at AS "createdAt" FROM ${table} WHERE ${where} ORDER BY created_at DESC, id DESC
         OFFSET (SELECT floor(count(*) * 0.9) FROM ${table} WHERE ${where}) LIMIT 1`,
      ),
    );
  const { recipient } = await one<{ recipient: string }>(
    `SELECT id AS recipient FROM mail_recipients WHERE user_id = '${USER}' AND recipient_id IS NULL LIMIT 1`,
  );
  const { piece } = await one<{ piece: string }>(
    `SELECT id AS piece FROM sends WHERE user_id = '${USER}' LIMIT 1`,
  );
  const { purchase } = await one<{ purchase: string }>(
    `SELECT cause_key AS purchase FROM credit_transactions WHERE user_id = '${USER}' AND cause = 'checkout' LIMIT 1`,
  );

  const { people } = await one<{ people: string[] }>(
    "SELECT array_agg(id) AS people FROM (SELECT id FROM mail_recipients WHERE recipient_id IS NULL ORDER BY id LIMIT 300) p",
  );
  const person = (n: number) => people[n % people.length] ?? "";

  const responses = (name: string, toQuery: (n: number) => Record<string, string>): Row[] =>
    ["0", "1"].map((bodies) => [
      bodies === "0" ? name : `${name}, with bodies`,
      (n) => ({ path: "/api/responses", query: { ...toQuery(n), bodies } }),
    ]);
  const user = (n: number) => `user-${1 + (n % 40)}`;
  const deepResponse = await deep("responses");

  const items = (name: string, query: Record<string, string>): Row => [
    name,
    () => ({ path: "/api/mail/items", query: { userId: USER, limit: "50", ...query } }),
  ];
  const page = (name: string, path: string, query: Record<string, string> = {}): Row => [
    name,
    () => ({ path, query }),
  ];
  const mail = (name: string, query: Record<string, string>) =>
    page(name, "/mail", { user_id: USER, ...query });
  const history = (name: string, query: Record<string, string>) =>
    page(`history, ${name}`, "/users", { view: "history", ...query });
  const cursors = {
    items: await deep("mail_items", `user_id = '${USER}' AND type = 'letter'`),
    recipients: await deep("mail_recipients", `user_id = '${USER}'`),
  };

  return {
    stored: {
      limitMs: 300,
      rows: [
        ...responses("no filter", () => ({})),
        ...responses("a deep page", () => ({ cursor: deepResponse })),
        ...responses("user", (n) => ({ user_id: user(n) })),
        ...responses("category", () => ({ category: "letters" })),
        ...responses("user and category", (n) => ({ user_id: user(n), category: "letters" })),
        ...responses("status", () => ({ status: "404" })),
        ...responses("absent status", () => ({ status: "418" })),
        ...responses("status class", () => ({ status: "5xx" })),
        ...responses("method", () => ({ method: "DELETE" })),
        ...responses("common tag", () => ({ tag: "auto-saved" })),
        ...responses("rare tag", () => ({ tag: RARE_WORD })),
        ...responses("days", (n) => ({ from: day((n % 300) + 7), to: day(n % 300) })),
        ...responses("rare word", () => ({ search: RARE_WORD })),
        ...responses("common word", () => ({ search: "recipients" })),
        ...responses("absent word", (n) => ({ search: `zzqqxx${n}` })),
        ...responses("user and common word", (n) => ({ user_id: user(n), search: "recipients" })),
        ...responses("a user's name", (n) => ({ search: `person ${1 + (n % 40)}` })),
        ...responses("two letters", () => ({ search: "ab" })),
        page("stats", "/api/responses/stats"),
        [
          "insert",
          () => ({
            path: "/api/responses",
            post: {
              user_id: USER,
              method: "GET",
              path: "letters/list",
              status_code: 200,
              response_data: { success: true },
            },
          }),
        ],
        page("page", "/stored"),
      ],
    },
    mail: {
      limitMs: 100,
      rows: [
        items("letters", { type: "letter" }),
        items("letters, a deep page", { type: "letter", cursor: cursors.items }),
        items("common status", { type: "letter", status: "delivered" }),
        items("rare status", { type: "letter", status: "returned" }),
        items("absent status", { type: "letter", status: "failed" }),
        items("500 rows", { limit: "500" }),
        mail("page with counts", {}),
        mail("common word", { q: "person", tests: "1" }),
        mail("rare word", { q: "99998", tests: "1" }),
        mail("absent word", { q: "zzyzx", tests: "1" }),
        mail("to one recipient", { recipient }),
        mail("all users", { user_id: "all" }),
        mail("came back", { user_id: "all", status: "returned" }),
        page("recipients", "/api/mail/recipients", { userId: USER, limit: "50" }),
        mail("page of recipients", { type: "recipient" }),
        mail("page of recipients, deep", { type: "recipient", cursor: cursors.recipients }),
        page("page of one piece", `/sends/${piece}`),
      ],
    },
    money: {
      limitMs: 1_500,
      rows: [
        page("spending of all users", "/users", { view: "spending" }),
        page("spending of one user", "/users", { view: "spending", user_id: USER }),
        history("first page", {}),
        history("one user", { user_id: USER }),
        history("refunds", { type: "refund" }),
        history("a type without rows", { type: "release" }),
        history("a month, two years ago", { from: day(740), to: day(710) }),
        history("one user, a month", { user_id: USER, from: day(200), to: day(170) }),
        history("common word", { q: "mailed" }),
        history("absent word", { q: "xyzzyx" }),
        history("one user, absent word", { user_id: USER, q: "xyzzyx" }),
        page("what a purchase paid for", `/purchases/${purchase}`),
        page("insights", "/insights"),
      ],
    },
    find: {
      limitMs: 50,
      rows: Object.entries({
        "one piece, the oldest": "siobhan omalley",
        "the same with two letters swapped": "siobahn omalley",
        "a city of every twentieth": "portland",
        "two letters that begin many words": "ma",
        "a value of one response": "4711",
        "absent words": "xyzzyx quuxquux",
        "a pasted mail ID": "10000042",
      }).map(([name, q]): Row => [name, () => ({ path: "/api/search", post: { q } })]),
    },
    background: {
      limitMs: Number.POSITIVE_INFINITY,
      rows: [
        ["reconcile a day", () => done(reconcile({ from: day(3), to: day(3) }, { limitMs: 5_000 }))],
        ["returned mail of a list", () => inDatabase((db) => markDuplicates(db, LIST))],
        ["a person's data", (n) => done(loadPersonData(person(n)))],
        ["erase a person", (n) => done(erasePerson(person(n), VIEWER))],
        [
          "retention: 100 pieces",
          () =>
            inDatabase(async (db) => {
              for (const id of await findExpiredPieces(db, 100, 100)) {
                await db.$transaction((tx) => erasePieces(tx, [id]));
              }
            }),
        ],
        ["retention: 500 responses", () => inDatabase((db) => expireSomeBodies(db, 100))],
        ["retention: no response is due", () => inDatabase((db) => expireSomeBodies(db, 1_000))],
      ],
    },
  };
}

async function done<T>(work: Promise<Outcome<T>>): Promise<T> {
  const outcome = await work;
  if (!outcome.ok) throw new Error(outcome.failure.details ?? outcome.failure.message);
  return outcome.value;
}

const inDatabase = (work: (db: PrismaClient) => Promise<unknown>) => done(withDatabase(work));
