import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type MailConsole, RECIPIENT, startMailConsole } from "../../support/console/mail-console";
import { ANA } from "../../support/console/payment-console";
import { newEmbedded } from "../../support/database/embedded";
import { setUpPostgres } from "../../support/fixtures";

/** `/api/mail/*`: lists, refresh and quotes of pieces from the send pipeline and the proxy. */
type WireItem = Record<"id" | "status" | "mailItemId", string> & {
  isTest: boolean;
  isCancelled: boolean;
  cancelledAt: string | null;
  charged: number;
};
type WireRecipient = { id: string; recipientId: string | null; name: string };
interface Cancelled {
  success: boolean;
  message?: string;
  refund?: { creditsRefunded: number; newBalance: number } | null;
  warning?: string | null;
  error?: string | null;
  pending?: boolean;
}

const CANNOT = "Cannot cancel test items or items without a valid mail ID";

const postgres = await setUpPostgres();
let users = 0;
const newUser = () => `mail-user-${++users}`;

describe.each(["PostgreSQL", "PGlite"])("on %s", (kind) => {
  let app: MailConsole;
  beforeAll(async () => {
    app = await startMailConsole(kind === "PGlite" ? newEmbedded() : await postgres.createDatabase());
  });
  afterEach(async () => {
    expect(await app.findErrors()).toEqual([]);
  });
  afterAll(() => app?.close());

  const items = (userId: string, more = "") =>
    app.get<WireItem[]>(`/api/mail/items?userId=${userId}${more}`).then(({ json }) => json);
  const recipients = (userId: string) =>
    app.get<WireRecipient[]>(`/api/mail/recipients?userId=${userId}`).then(({ json }) => json);
  const cancel = (body: Record<string, unknown>) => app.post<Cancelled>("/api/mail/cancel", body);
  /** The rows and counts of a list in the tab. */
  async function listPieces(userId: string | null, more: object = {}, limit = 25) {
    const { countStatuses, listMailItems } = await import("~/mail/list-items.server");
    const { everyPieceOf } = await import("~/mail/piece-filter");
    const filter = { ...everyPieceOf(userId), ...more };
    const listed = await listMailItems({ filter, cursor: null, limit }, { id: userId ?? "auth-ana" });
    const counted = await countStatuses(filter);
    return { rows: listed.ok ? listed.value.rows : [], counts: counted.ok ? counted.value : [] };
  }
  async function sentBy(type: "postcard" | "letter" = "postcard") {
    const userId = newUser();
    await app.grant(userId, 10);
    return { userId, ...(await app.mail(userId, type)) };
  }

  describe("lists", () => {
    test("a live send is on its user's list, with every field of the contract", async () => {
      const { userId, id, mailItemId } = await sentBy("letter");
      expect(await items(userId, "&type=letter")).toEqual([
        {
          id,
          preset: "letters.create",
          status: "received",
          method: "POST",
          type: "letters",
          path: "letters/create",
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          mailItemId,
          isCancelled: false,
          cancelledAt: null,
          cancellationReason: null,
          isTest: false,
          isCancelling: false,
          addressee: "Maria Silva",
          statusAt: expect.any(String),
          charged: 2,
          sendId: id,
        },
      ]);
      expect(await items(userId, "&type=postcard")).toEqual([]);
      expect(await items(userId, "&status=delivered")).toEqual([]);
      expect(await items(userId, "&type=letters&status=Received")).toHaveLength(1);
      const headers = { Cookie: app.cookie };
      const chosen = await fetch(`${app.origin}/mail/items.csv?item=${id}`, { headers });
      expect(await chosen.text(), "chosen at /mail, which names no user").toContain(id);
    });

    test("a live send without an outcome is listed as checking at once, at the position of its later item", async () => {
      const { loadStart } = await import("~/builder/page/load-start.server");
      const userId = newUser();
      await app.grant(userId, 3);
      const list = async (more = {}) => (await listPieces(userId, more)).rows;
      const fault = app.provider.fail({ kind: "hold", path: "postcards/create" });
      const body = { size: "4x6", template: "21001", recipient: "1001" };
      const answer = app.proxy({ path: "postcards/create", body, user_id: userId });
      await expect
        .poll(() => list({ status: "held" }))
        .toMatchObject([{ type: "postcard", addressee: "Recipient 1001", state: "sending", cost: 1 }]);
      expect(await list({ status: "needs_a_decision" })).toEqual([]);
      const [open] = await list();
      expect(open?.status).toBe("checking");
      expect((await loadStart(userId))?.recent).toMatchObject([{ status: "checking", tone: "warn" }]);
      expect(await items(userId)).toEqual([]);
      fault.release();
      expect((await answer).status).toBe(200);
      expect(await list({ status: "held" })).toEqual([]);
      // The request names only an id; name and address come from the provider's answer.
      expect(await list()).toMatchObject([
        { id: open?.id, createdAt: open?.createdAt, status: "received", place: "Portland 97205" },
      ]);
      expect(await list({ search: "portland" })).toHaveLength(1);
      expect(await items(userId)).toHaveLength(1);
    });

    test("a list is searched without accents, by mail ID, day and status, and counted alike", async () => {
      const { userId, id, mailItemId } = await sentBy("letter");
      const recipient = { ...RECIPIENT, firstname: "Siobhán", lastname: "O’Connor", city: "Łódź" };
      const body = { size: "4x6", template: "21001", recipient, test: false };
      const sent = await app.proxy({ path: "postcards/create", body, user_id: userId });
      const other = (sent.json as { send_id: string }).send_id;
      const list = async (more: object) => {
        const { rows, counts } = await listPieces(userId, more);
        expect(counts[0]?.count).toBe(rows.length);
        return rows.map((row) => row.id);
      };
      expect(await list({})).toEqual([other, id]);
      for (const search of ["siobhan", "OCONNOR Lodz", "sio"])
        expect(await list({ search })).toEqual([other]);
      expect(await list({ search: mailItemId })).toEqual([id]);
      for (const search of ["iobhan", "%", "…", "siobhan silva"]) expect(await list({ search })).toEqual([]);
      expect(await list({ type: "letter" })).toEqual([id]);
      expect(await list({ ids: [id] })).toEqual([id]);
      expect(await list({ before: new Date(Date.now() - 60_000) })).toEqual([]);
      expect(await list({ from: new Date(Date.now() - 60_000), tests: false })).toEqual([other, id]);
    });

    test("all users' pieces are listed and counted together, and their recipients searched with their places", async () => {
      const { listMailRecipients } = await import("~/recipients/list-recipients.server");
      const [first, second] = [await sentBy("letter"), await sentBy()];
      await app.mail(first.userId, "postcard", {
        recipient: { ...RECIPIENT, lastname: "Nettle", city: "Bend" },
      });
      await app.sql`UPDATE mail_items SET status = 'returned' WHERE id IN (${first.id}, ${second.id})`;
      const { rows } = await listPieces(null, { status: "returned" }, 1);
      expect(rows.map(({ id, userName }) => [id, userName])).toEqual([[second.id, second.userId]]);
      const { counts } = await listPieces(null, { status: "returned", type: "letter" });
      expect(counts.find(({ status }) => status === "returned")?.count).toBe(1);
      const find = async (search: string, userId: string | null = null) => {
        const found = await listMailRecipients({ userId, search }, { id: "auth-ana" });
        return found.ok && found.value.rows.map((row) => [row.name, row.place, row.userName]);
      };
      expect(await find("nettle bend")).toEqual([["Maria Nettle", "Bend 97201", first.userId]]);
      expect(await find("nettle", second.userId)).toEqual([]);
      expect(await find("%")).toEqual([]);
    });

    test("newest first, page after page, each item once", async () => {
      const userId = newUser();
      await app.grant(userId, 9);
      const ids: string[] = [];
      for (let n = 0; n < 5; n++) ids.unshift((await app.mail(userId, n % 2 ? "letter" : "postcard")).id);
      const seen: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
        const page = await app.get<WireItem[]>(`/api/mail/items?userId=${userId}&limit=2${more}`);
        expect(page.json.length).toBeLessThanOrEqual(2);
        seen.push(...page.json.map(({ id }) => id));
        cursor = page.headers.get("X-Next-Cursor");
      }
      expect(seen).toEqual(ids);
    });

    test("an invalid query of a list is refused with a reason", async () => {
      const wrong: [string, number, RegExp][] = [
        ["/api/mail/items", 400, /userId/],
        ["/api/mail/items?userId=missing", 404, /no user/],
        ["/api/mail/recipients?userId=missing", 404, /no user/],
        ["/api/mail/items?userId=auth-ana&type=parcel", 400, /type must be letter or postcard/],
        ["/api/mail/items?userId=auth-ana&cursor=x", 400, /cursor is not a cursor from this API/],
        ["/api/mail/items?userId=auth-ana&cursor=999999999999999.a", 400, /cursor/],
        ["/api/mail/items?userId=auth-ana&limit=501", 400, /limit must be at most 500/],
        ["/api/mail/recipients?userId=%00", 400, /userId/],
      ];
      for (const [path, status, words] of wrong) {
        const answer = await app.get<{ success: boolean; error: string }>(path);
        expect([path, answer.status]).toEqual([path, status]);
        expect(answer.json).toMatchObject({ success: false, error: expect.stringMatching(words) });
      }
      expect((await app.get<unknown[]>("/api/mail/items?userId=auth-ana")).json).toEqual([]);
    });
  });

  // The lists have every kind of value; the other tests run the same SQL on both.
  if (kind === "PGlite") return;

  describe("cancel", () => {
    test("cancels at the provider and refunds what was charged, once", async () => {
      const { userId, id, mailItemId } = await sentBy("letter");
      const before = app.provider.received.length;
      const done = await cancel({ userId, mailItemId, type: "letter" });
      expect(done.status).toBe(200);
      expect(done.json).toEqual({
        success: true,
        message: "Letter cancelled successfully",
        refund: { creditsRefunded: 2, newBalance: 10 },
        warning: null,
        error: null,
      });
      const calls = app.provider.received.slice(before);
      expect(
        calls.map(({ method, path, rawText, contentType }) => [method, path, rawText, contentType]),
      ).toEqual([["POST", "letters/cancel", `id=${mailItemId}`, "application/x-www-form-urlencoded"]]);
      expect(app.provider.pieces.find((piece) => String(piece.id) === mailItemId)?.status).toBe("cancelled");
      const again = await cancel({ userId, mailItemId: Number(mailItemId), type: "letter" });
      const nothing = { creditsRefunded: 0, newBalance: 10 };
      expect(again).toMatchObject({ status: 200, json: { success: true, refund: nothing } });
      const { handleMailPost } = await import("~/mail/mail-post.server");
      const form = new URLSearchParams(`intent=cancel&item=${id}&item=none`) as unknown as FormData;
      const message = expect.stringMatching(/^0 .* 1 piece cancelled already; nothing was/);
      expect(await handleMailPost(form, ANA)).toMatchObject({ message });
      expect(app.provider.received).toHaveLength(before + 1);
      expect(await items(userId)).toMatchObject([
        { id, isCancelled: true, status: "cancelled", cancellationReason: "Cancelled by Ana" },
      ]);
      expect((await items(userId))[0]?.cancelledAt).toMatch(/Z$/);
      const ledger = await app.db((db) =>
        db.creditTransaction.findMany({ where: { userId, cause: "refund" } }),
      );
      expect(ledger).toMatchObject([
        { transactionType: "refund", amount: 2, causeKey: id, actorId: "auth-ana", balanceAfter: 10 },
      ]);
    });

    test("a test item, and a zero or missing mail ID, are refused before any call", async () => {
      const { userId } = await sentBy();
      const before = app.provider.received.length;
      for (const mailItemId of ["0", 0, "", null, undefined, "000", " "]) {
        const refused = await cancel({ userId, mailItemId, type: "postcard" });
        expect([mailItemId, refused.status, refused.json.error]).toEqual([mailItemId, 400, CANNOT]);
      }
      const body = { size: "4x6", template: "21001", test: true, recipient: "1001" };
      await app.proxy({ path: "postcards/create", body, user_id: userId });
      await expect.poll(() => items(userId)).toHaveLength(2);
      const testItem = (await items(userId)).find(({ isTest }) => isTest);
      expect(testItem).toMatchObject({ mailItemId: "0", status: "test", type: "postcards", charged: 0 });
      expect(testItem).toMatchObject({ addressee: "Recipient 1001" });
      expect(await app.balance(userId)).toBe(9);
      const refused = await cancel({ userId, mailItemId: testItem?.id, type: "postcard" });
      expect(refused.json).toMatchObject({ success: false, error: CANNOT });
      expect(app.provider.received).toHaveLength(before + 1);
    });

    test("another user's item, the other type and an unknown item are not found", async () => {
      const { userId, mailItemId } = await sentBy();
      const other = await sentBy();
      for (const body of [
        { userId: other.userId, mailItemId, type: "postcard" },
        { userId, mailItemId, type: "letter" },
        { userId, mailItemId: "99", type: "postcard" },
      ]) {
        expect(await cancel(body)).toMatchObject({ status: 404, json: { success: false } });
      }
      expect(await app.balance(userId)).toBe(9);
    });

    test.each([
      [
        "too late",
        "producing",
        409,
        /: This postcard can no longer be cancelled.* No refund for this postcard\.$/,
      ],
      ["cancelled behind our back, which the refusal leads to", "cancelled", 200, null],
    ] as const)("%s: what the provider says of the piece counts", async (_what, status, answered, error) => {
      const { userId, mailItemId } = await sentBy();
      app.provider.move(Number(mailItemId), status);
      const done = await cancel({ userId, mailItemId, type: "postcard" });
      expect(done.status).toBe(answered);
      if (error) expect(done.json.error).toMatch(error);
      else expect(done.json.refund).toEqual({ creditsRefunded: 1, newBalance: 10 });
      expect(await app.balance(userId)).toBe(error ? 9 : 10);
      expect(await items(userId)).toMatchObject([{ status, isCancelled: error === null }]);
    });

    test.each([
      ["its rate limit", { kind: "rate-limit", resetSeconds: 40 }, 429, /rate limit is used up/],
      ["our key", { kind: "status", status: 401 }, 409, /: Unauthorized\./],
      ["a logical refusal", { kind: "refuse200", error: "No" }, 409, /: No\./],
    ] as const)("refused by %s: mail as before", async (_what, rule, status, words) => {
      const { userId, id, mailItemId } = await sentBy();
      app.provider.fail({ ...rule, path: "postcards/cancel" });
      const refused = await cancel({ userId, mailItemId, type: "postcard" });
      expect([refused.status, refused.json.error]).toEqual([status, expect.stringMatching(words)]);
      const send = await app.db((db) => db.send.findUniqueOrThrow({ where: { id } }));
      const cancelNote = expect.stringMatching(words);
      expect(send).toMatchObject({ state: "accepted", leaseUntil: null, cancelNote });
      expect((await cancel({ userId, mailItemId, type: "postcard" })).json.success).toBe(true);
    });

    test("by its stored response or a copy of it: one refund, and each response is flagged", async () => {
      const { userId, id, mailItemId } = await sentBy("letter");
      const call = (path: string) => app.post<Cancelled>(`/api/responses/${path}/cancel`, {});
      const find = async (of: string) =>
        (await app.get<{ data?: Record<string, unknown> }>(`/api/responses/${of}`)).json.data;
      await expect.poll(() => find(id)).toBeTruthy();
      const saveCopy = async () => {
        const copy = {
          ...{ user_id: userId, method: "POST", path: "letters/create", status_code: 200 },
          response_data: { success: true, data: { id: Number(mailItemId) } },
        };
        return (await app.post<{ data: { id: string } }>("/api/responses", copy)).json.data.id;
      };
      const [copy, late] = [await saveCopy(), await saveCopy()];
      const refund = { creditsRefunded: 2, newBalance: 10 };
      expect(await call(copy)).toMatchObject({ status: 200, json: { success: true, refund } });
      const flagged = { is_cancelled: true, cancellation_reason: "Cancelled by Ana" };
      for (const one of [id, copy]) expect(await find(one)).toMatchObject(flagged);
      for (const one of [late, id]) {
        expect((await call(one)).json).toMatchObject({ success: true, refund: { creditsRefunded: 0 } });
      }
      expect(await find(late)).toMatchObject({ is_cancelled: true });
      expect(await app.balance(userId)).toBe(10);
    });

    test("a piece that was charged in part refunds that part, and says so", async () => {
      const userId = newUser();
      await app.grant(userId, 1);
      app.provider.fail({ kind: "answer-live", path: "letters/create" });
      const body = { size: "US-LETTER", template: "21001", test: true, recipient: RECIPIENT };
      await app.proxy({ path: "letters/create", body, user_id: userId });
      const [item] = await items(userId);
      expect(item).toMatchObject({ isTest: false, charged: 1 });
      const done = await cancel({ userId, mailItemId: item?.mailItemId, type: "letter" });
      expect(done.json).toMatchObject({
        refund: { creditsRefunded: 1, newBalance: 1 },
        warning: "It costs 2, but only 1 had been charged for it, and that is what was refunded.",
      });
    });
  });

  describe("a raw cancel through the proxy", () => {
    const raw = (path: string, body: unknown, more: object = {}) => app.proxy({ path, body, ...more });

    test("a piece of ours is cancelled with its refund, in the provider's words and ours", async () => {
      const { userId, id, mailItemId } = await sentBy();
      const done = await raw("postcards/cancel", { id: Number(mailItemId), tags: "x" });
      expect(done).toMatchObject({ status: 200, json: { status: 200, data: 1, error: null, send_id: id } });
      expect(done.json).toMatchObject({
        request: { body: `id=${mailItemId}` },
        credits: { success: true, creditsDeducted: 0, creditsRefunded: 1, newBalance: 10, userId },
      });
      expect(await app.balance(userId)).toBe(10);
      const where = { id: String(done.json.response_id), path: "postcards/cancel" };
      await expect.poll(() => app.db((db) => db.storedResponse.count({ where }))).toBe(1);
      const again = await raw("postcards/cancel", { id: mailItemId });
      const hint = "This postcard was cancelled already; nothing was refunded again.";
      const repeated = { status: null, error: null, hint, credits: { creditsRefunded: 0 } };
      expect(again).toMatchObject({ status: 200, json: repeated });
    });

    test("a refusal is the provider's answer; a piece that is not ours is forwarded with its id only", async () => {
      const { userId, mailItemId } = await sentBy();
      app.provider.move(Number(mailItemId), "delivered");
      const refused = await raw("postcards/cancel", { id: mailItemId });
      expect(refused.json).toMatchObject({ status: 400, error: expect.any(String), credits: null });
      expect(await app.balance(userId)).toBe(9);
      const foreign = await raw("postcards/cancel", { id: 16_799_908, "id[]": "5" });
      const request = { body: "id=16799908" };
      expect(foreign.json).toMatchObject({ status: 200, data: 1, credits: null, request });
    });

    test("an ambiguous or missing id is not forwarded", async () => {
      const { mailItemId } = await sentBy();
      const before = app.provider.received.length;
      const others = [`0${mailItemId}`, `${mailItemId}.0`, `${mailItemId}a`, "1e3", [1]];
      for (const id of [undefined, "", 0, "0", "00", ...others]) {
        const refused = await raw("postcards/cancel", { id });
        expect([id, refused.status]).toEqual([id, 400]);
        expect(refused.json.error).toContain(CANNOT);
      }
      expect((await raw("postcards/cancel", { id: 5 }, { query: { id: mailItemId } })).status).toBe(400);
      expect((await raw("letters/cancel", { id: mailItemId })).status).toBe(400);
      expect(app.provider.received).toHaveLength(before);
    });

    const global = () => ({ baseUrl: `${app.provider.origin}/global/v1` });
    const lose = () => app.provider.fail({ kind: "reset-after", path: "postcards/cancel" });
    const lost = { status: 502, json: { error: expect.stringMatching(/may still have carried it out/) } };
    const done = { json: { data: 1 } };
    test.each<[string, (id: string) => ReturnType<typeof raw>, object]>([
      ["another base of the account", (id) => raw("postcards/cancel", { id }, global()), done],
      ["another base without an answer", (id) => lose() && raw("postcards/cancel", { id }, global()), lost],
      ["a path that no reference has", (id) => raw(`mailings/cancel/${id}`, {}), done],
    ])("by %s: still refunded", async (_name, send, answer) => {
      const { userId, mailItemId } = await sentBy();
      expect(await send(mailItemId)).toMatchObject(answer);
      expect(await app.balance(userId)).toBe(10);
      expect(await items(userId)).toMatchObject([{ isCancelled: true }]);
    });
  });

  describe("recipients", () => {
    const remove = (userId: string, recipientId: unknown) =>
      app.post("/api/mail/recipients/delete", { userId, recipientId });
    /** A user with credits and one recipient of the provider. */
    async function userWithRecipient() {
      const userId = newUser();
      await app.grant(userId, 9);
      const body = { ...RECIPIENT, firstname: "Otto", address1: `${userId} Rd` };
      const created = await app.proxy({ path: "recipients/create", body, user_id: userId });
      return { userId, recipientId: (created.json.data as { id: string }).id };
    }

    test("the recipient of a live send is listed once; an inline one without an ID", async () => {
      const userId = newUser();
      await app.grant(userId, 9);
      await app.mail(userId);
      await app.mail(userId, "letter", { recipient: { ...RECIPIENT, city: " PORTLAND " } });
      await app.mail(userId, "postcard", { recipient: "1005" });
      await app.mail(userId, "postcard", { recipient: 1005 });
      const listed = await recipients(userId);
      expect(listed).toEqual([
        {
          id: expect.any(String),
          recipientId: "1005",
          name: "Björn Åkesson",
          email: null,
          isVerified: false,
          createdAt: expect.stringMatching(/Z$/),
        },
        expect.objectContaining({ recipientId: null, name: "Maria Silva", email: "maria@example.com" }),
      ]);
    });

    test("created, changed and deleted through the proxy: kept in sync", async () => {
      const { userId, recipientId: id } = await userWithRecipient();
      const call = (path: string, body: unknown) => app.proxy({ path, body, user_id: userId });
      expect(await recipients(userId)).toMatchObject([
        { recipientId: id, name: "Otto Silva", email: "maria@example.com", isVerified: true },
      ]);
      await call(`recipients/update/${id}`, { firstname: "Otilia" });
      expect(await recipients(userId)).toMatchObject([
        { recipientId: id, name: "Otilia Silva", isVerified: true },
      ]);
      await call("recipients/new", { firstname: "Nuria", on_duplicate: "duplicate" });
      expect(await recipients(userId)).toMatchObject([
        { name: "Nuria", isVerified: false },
        { recipientId: id },
      ]);
      expect((await call("recipients/delete", { id: "77777" })).json.status).toBe(404);
      expect(await recipients(userId)).toHaveLength(2);
      await call("recipients/delete", { id });
      expect(await recipients(userId)).toMatchObject([{ name: "Nuria" }]);
    });

    test("deleted at the provider, then here", async () => {
      const { userId, recipientId } = await userWithRecipient();
      for (const none of [undefined, null, ""]) {
        expect(await remove(userId, none)).toMatchObject({
          status: 400,
          json: { success: false, error: "Cannot delete recipient: No recipient ID found" },
        });
      }
      expect((await remove(userId, "424242")).status).toBe(404);

      for (const [status, answered, words] of [
        [400, 409, / Nothing was deleted\.$/],
        [500, 504, / It may have been deleted; delete it again to be sure\.$/],
      ] as const) {
        app.provider.fail({ kind: "status", status, path: "recipients/delete" });
        const error = expect.stringMatching(words);
        expect(await remove(userId, recipientId)).toMatchObject({
          status: answered,
          json: { success: false, error },
        });
      }
      expect(await recipients(userId)).toHaveLength(1);

      await app.mail(userId);
      const inline = (await recipients(userId)).find((one) => one.recipientId === null);
      expect((await remove(userId, inline?.id)).status).toBe(400);
      expect(await remove(userId, recipientId)).toMatchObject({
        status: 200,
        json: { success: true, message: "Recipient deleted successfully", warning: null },
      });
      expect(app.provider.received.at(-1)).toMatchObject({
        path: "recipients/delete",
        rawText: `id=${recipientId}`,
      });
      expect(await recipients(userId)).toMatchObject([{ id: inline?.id }]);
    });

    test("an id of two accounts is ambiguous; the row's own id deletes it", async () => {
      const { userId, recipientId } = await userWithRecipient();
      await app.db(
        (db) => db.$executeRaw`
          INSERT INTO mail_recipients (id, user_id, base_url, recipient_id, name)
          SELECT 'twice', user_id, ${`${app.provider.origin}/global/v1`}, recipient_id, name FROM mail_recipients
          WHERE user_id = ${userId}`,
      );
      const before = app.provider.received.length;
      expect((await remove(userId, recipientId)).status).toBe(400);
      expect(app.provider.received).toHaveLength(before);
      expect(await recipients(userId)).toHaveLength(2);
      expect((await remove(userId, "twice")).status).toBe(200);
      expect(await recipients(userId)).toMatchObject([{ recipientId }]);
    });
  });

  describe("status", () => {
    const ana = { id: "auth-ana" };

    test("refresh queries the provider item by item; no status moves backwards", async () => {
      const { userId, id, mailItemId } = await sentBy();
      const other = await app.mail(userId, "letter");
      app.provider.move(Number(mailItemId), "handed_over");
      const first = await app.refreshStatus([id, other.id, "none"], ana);
      const checked = [
        { id, status: "handed_over", changed: true, refunded: 0, problem: null },
        { id: other.id, status: "received", changed: false },
      ];
      expect(first).toMatchObject({ ok: true, value: { items: checked, left: [] } });
      app.provider.move(Number(mailItemId), "received");
      app.provider.remove(Number(other.mailItemId));
      const lost = { id: other.id, problem: expect.stringContaining("not found") };
      expect(await app.refreshStatus([other.id, id], ana)).toMatchObject({
        value: { items: [lost, { id, problem: null }] },
      });
      expect((await items(userId)).find((item) => item.id === id)?.status).toBe("handed_over");
      const events = await app.db((db) =>
        db.mailEvent.findMany({ where: { itemId: id }, orderBy: { id: "asc" } }),
      );
      expect(events.map(({ status, source }) => [status, source])).toEqual([
        ["received", "send"],
        ["handed_over", "refresh"],
        ["received", "refresh"],
      ]);
    });

    test("a piece that the provider cancelled is refunded once", async () => {
      const { userId, id, mailItemId } = await sentBy("letter");
      app.provider.move(Number(mailItemId), "cancelled");
      const found = await app.refreshStatus([id], ana);
      expect(found).toMatchObject({ value: { items: [{ status: "cancelled", refunded: 2 }] } });
      await app.refreshStatus([id], ana);
      expect(await app.balance(userId)).toBe(10);
      expect(await items(userId)).toMatchObject([
        { isCancelled: true, cancellationReason: "Cancelled by the provider" },
      ]);
    });

    test("refresh stops before the provider's rate limit is used up", async () => {
      const { userId, id } = await sentBy();
      const second = await app.mail(userId);
      const body = JSON.stringify({ success: true, data: { id: 1, status: "received" } });
      const headers = { "X-RateLimit-Remaining": "9", "X-RateLimit-Reset": "33" };
      app.provider.fail({ kind: "respond", path: "postcards/get/.*", headers, body });
      expect(await app.refreshStatus([id, second.id], ana)).toMatchObject({
        value: { items: [{ id, problem: expect.any(String) }], left: [second.id], retryAfterSeconds: 33 },
      });
      app.provider.fail({ kind: "rate-limit", resetSeconds: 12, path: "postcards/get/.*" });
      const later = { items: [], left: [id], retryAfterSeconds: 12 };
      expect(await app.refreshStatus([id], ana)).toMatchObject({ value: later });
    });

    test("a quote has the refund of a cancel and the provider's current status", async () => {
      const { id, mailItemId } = await sentBy();
      expect(await app.quoteCancel(id)).toBe("Not printed yet. 1 credit back, balance 10.");
      app.provider.move(Number(mailItemId), "producing");
      expect(await app.quoteCancel(id)).toMatch(/says producing.* 1 credit back, balance 10\.$/);
      app.provider.fail({ kind: "status", status: 503, path: "postcards/get/.*" });
      expect(await app.quoteCancel(id)).toMatch(/last said producing.* 1 credit back, balance 10\.$/);
    });
  });
});

test("a server without a database says so to lists, cancels and live mail; a raw cancel and a test go through", async () => {
  const app = await startMailConsole("");
  const gone = { status: 503, json: { success: false, error: "Database connection not available" } };
  expect(await app.get("/api/mail/items?userId=auth-ana")).toMatchObject(gone);
  expect(await app.post("/api/mail/cancel", { userId: "a", mailItemId: "5", type: "letter" })).toMatchObject(
    gone,
  );
  const raw = await app.proxy({ path: "postcards/cancel", body: { id: 16_799_908 } });
  expect(raw.json).toMatchObject({ status: 200, data: 1 });
  const postcard = { size: "4x6", template: "21001", recipient: RECIPIENT };
  const test = await app.proxy({ path: "postcards/create", body: { ...postcard, test: true } });
  expect(test).toMatchObject({ status: 200, json: { error: null, data: { status: "test" } } });
  for (const name of ["tested_piece", "response_id"]) expect(test.json).not.toHaveProperty(name);
  const before = app.provider.received.length;
  for (const tested of [{}, { tested_piece_id: "x" }]) {
    const error = expect.stringContaining("Nothing was sent and nothing was charged.");
    expect(await app.proxy({ path: "postcards/create", body: postcard, ...tested })).toMatchObject({
      status: 503,
      json: { error },
    });
  }
  expect(app.provider.received).toHaveLength(before);
  await app.close();
});

test("every list of a user's 20,000 items is read by an index, in its order", async () => {
  const url = await postgres.createDatabase();
  const app = await startMailConsole(url);
  await app.grant("many", 1);
  for (const statement of [
    `INSERT INTO mail_items (id, user_id, actor_id, type, preset, method, path, base_url, provider_id, status,
       status_rank, test, created_at)
     SELECT md5(n::text), 'many', 'many', CASE n % 2 WHEN 0 THEN 'letter' ELSE 'postcard' END, '', 'POST', '', '', '0',
       CASE WHEN n % 2000 = 0 THEN 'returned' ELSE 'delivered' END, 60, true, now() - n * interval '1 minute'
     FROM generate_series(1, 20000) n`,
    `INSERT INTO mail_recipients (id, user_id, base_url, recipient_id, name, created_at)
     SELECT md5(n::text), 'many', '', n::text, 'R', now() - n * interval '1 minute' FROM generate_series(1, 20000) n`,
    "ANALYZE",
  ])
    await app.db((db) => db.$executeRawUnsafe(statement));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const queries = vi.spyOn(pg.Client.prototype, "query");
  const lists = ["", "&type=letter", "&type=letter&status=returned", "&type=postcard"].map(
    (more) => `items?userId=many${more}`,
  );
  for (const list of [...lists, "recipients?userId=many"]) {
    const page = await app.get<unknown[]>(`/api/mail/${list}`);
    expect(page.json.length).toBeGreaterThan(0);
    await app.get(`/api/mail/${list}&cursor=${page.headers.get("X-Next-Cursor") ?? ""}`);
  }
  const statements = queries.mock.calls
    .map(([query]) => query as unknown as { text: string; values: unknown[] })
    .filter(({ text }) => /^\s*SELECT.*\bmail_(items|recipients)\b/is.test(text));
  queries.mockRestore();
  expect(statements.length).toBeGreaterThanOrEqual(10);
  for (const { text, values } of statements) {
    const { rows } = await client.query({ text: `EXPLAIN ${text}`, values });
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/Index Scan (Backward )?using mail_/);
    // A few rows of a partial index may be sorted; a whole list must not be.
    expect(plan).not.toMatch(/-> {2}Sort |Seq Scan on mail_/);
  }
  await client.end();
  await app.close();
});
