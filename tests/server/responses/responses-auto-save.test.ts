import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import type { ProxyRequest } from "~/proxy/send-request.schema.server";
import type { StoredResponse } from "~/responses/stored-response.schema.server";
import { RECIPIENT, startMailConsole } from "../../support/console/mail-console";
import { ANA } from "../../support/console/payment-console";
import { newEmbedded } from "../../support/database/embedded";
import { layFlakyLink } from "../../support/database/flaky-link";
import { setUpPostgres } from "../../support/fixtures";

const KEY = "emulator-key-0000000000000001";
const LIST: ProxyRequest = { path: "recipients/list", method: "GET" };
const LETTER: ProxyRequest = {
  path: "letters/create",
  method: "POST",
  body: { template: "", pages: "<p>Hello</p>", tags: "spring", recipient: RECIPIENT },
};
const CREATE = "letters/create";

const postgres = await setUpPostgres();
let keys = 0;

/** The send pipeline in this process, on this database. */
async function startSending(databaseUrl: string) {
  const app = await startMailConsole(databaseUrl);
  const { findResponse } = await import("~/responses/search/find-response.server");
  const { deleteResponse } = await import("~/responses/change-response.server");
  const { verifyCounters } = await import("~/responses/stats/verify-counters.server");

  const send = async (request: ProxyRequest) => (await app.proxy({ ...request })).json;
  async function find(id: string | undefined): Promise<StoredResponse | null> {
    const found = await findResponse(id ?? "none");
    if (!found.ok) throw new Error(found.failure.message);
    return found.value;
  }
  /** The stored response of a recent answer: a read waits for its save. */
  async function readFresh(id: string | undefined): Promise<StoredResponse> {
    const found = await find(id);
    if (found === null) throw new Error(`${id} is not stored.`);
    return found;
  }
  const count = () => app.db((db) => db.storedResponse.count());
  return {
    ...app,
    send,
    find,
    readFresh,
    count,
    deleteResponse: (id: string) => deleteResponse(id, ANA),
    /** Number of rows that the work added, once all saves have ended. */
    async countNew(work: () => Promise<ProxyResponse[]>): Promise<number> {
      const before = await count();
      const ids = (await work()).map(({ response_id }) => response_id);
      for (const id of new Set(ids)) if (id !== undefined) await readFresh(id);
      // Stored after the others, because saves run in order.
      await readFresh((await send(LIST)).response_id);
      return (await count()) - before - 1;
    },
    findCounterErrors: async () => (await app.db(verifyCounters)).flatMap(({ problems }) => problems),
  };
}

function mintKey(): string {
  keys++;
  return `draft-key-${keys}`;
}

describe.each(["PostgreSQL", "embedded"])("the automatic save on %s", (kind) => {
  let sending: Awaited<ReturnType<typeof startSending>>;

  beforeAll(async () => {
    sending = await startSending(kind === "embedded" ? newEmbedded() : await postgres.createDatabase());
    await sending.grant("auth-ana", 100);
    await sending.grant("user-ben", 100);
  });
  afterAll(() => sending?.close());

  describe("of a test or another request", () => {
    test("stores request and answer for the user, with the sender", async () => {
      const answer = await sending.send({
        ...LIST,
        baseUrl: `${sending.provider.origin}/global/v1`,
        query: { limit: "1", api_key: "another-key-0001" },
        headers: { "X-Trace": "7", Authorization: "Basic c2VjcmV0", Cookie: "a=b" },
        user_id: "user-ben",
      });
      const stored = await sending.readFresh(answer.response_id);
      expect(stored).toMatchObject({
        method: "GET",
        path: "recipients/list",
        endpoint_category: "recipients",
        endpoint_preset: "recipients.list",
        status_code: 200,
        duration_ms: answer.durationMs,
        tags: ["auto-saved"],
        user_id: "user-ben",
        send_id: null,
        request_data: {
          ...{ base: "Global", method: "GET", path: "recipients/list" },
          ...{ query: { limit: "1" }, headers: { "x-trace": "7" }, body: null },
        },
        response_data: JSON.parse(answer.text ?? ""),
        response_headers: { "content-type": expect.stringContaining("json") },
      });
      const row = await sending.db((db) => db.storedResponse.findUnique({ where: { id: stored.id } }));
      expect(row).toMatchObject({ actorId: "auth-ana", kind: "auto" });
    });

    test("has the tags of the request", async () => {
      const tagged = { ...LIST, tags: ["spring", ` ${KEY} `, "spring"] };
      const { response_id } = await sending.send(tagged);
      expect((await sending.readFresh(response_id)).tags).toEqual(["spring", "[hidden]"]);
      const refused = await sending.send({ ...LIST, tags: ["x".repeat(101)] });
      expect(refused.error).toMatch(/tags: has 100 characters/);
    });

    test("happens for every answer, also errors and answers that are not JSON", async () => {
      const odd = "a\u0000b \ud83c\udf82 <script>";
      for (const [status, body, data] of [
        [502, "<html>502", "<html>502"],
        [204, undefined, null],
        [200, odd, odd],
      ] as const) {
        sending.provider.fail({ kind: "respond", status, path: LIST.path, ...(body ? { body } : {}) });
        const { response_id } = await sending.send(LIST);
        const stored = { status_code: status, response_data: data };
        expect(await sending.readFresh(response_id)).toMatchObject(stored);
      }
    });

    test("does not happen for requests that decline it, or without an answer", async () => {
      const created = await sending.countNew(async () => {
        sending.provider.fail({ kind: "reset-before", path: "recipients/get/1" });
        return [
          await sending.send({ ...LIST, save: false }),
          await sending.send({ ...LIST, path: "recipients/get/1" }),
        ].map((answer) => {
          expect(answer).not.toHaveProperty("response_id");
          return answer;
        });
      });
      expect(created).toBe(0);
    });

    test("is stored for the viewer when the user is unknown", async () => {
      const { response_id } = await sending.send({ ...LIST, user_id: "user-missing" });
      expect(await sending.readFresh(response_id)).toMatchObject({ user_id: "auth-ana" });
      expect(await sending.db((db) => db.user.count({ where: { id: "user-missing" } }))).toBe(0);
    });

    test("makes one row for one key and one answer, also repeated and in parallel", async () => {
      const request = { ...LIST, idempotency_key: mintKey() };
      const created = await sending.countNew(async () => {
        const answers = await Promise.all(Array.from({ length: 10 }, () => sending.send(request)));
        expect(new Set(answers.map(({ response_id }) => response_id)).size).toBe(1);
        return answers;
      });
      expect(created).toBe(1);
    });

    test("makes a separate row for another answer, key or user, and for each answer without a key", async () => {
      const request = { ...LIST, idempotency_key: mintKey() };
      const created = await sending.countNew(async () => {
        const first = await sending.send(request);
        sending.provider.fail({ kind: "respond", body: '{"success":true,"data":[]}', path: LIST.path });
        return [
          first,
          await sending.send(request),
          await sending.send({ ...request, idempotency_key: mintKey() }),
          await sending.send({ ...request, user_id: "user-ben" }),
          await sending.send(LIST),
          await sending.send(LIST),
        ];
      });
      expect(created).toBe(6);
    });

    test("never stores the key that a provider echoes", async () => {
      sending.provider.fail({ kind: "echo-key", path: "recipients/get/1" });
      const { response_id } = await sending.send({ ...LIST, path: "recipients/get/1", query: { note: KEY } });
      const stored = JSON.stringify(await sending.readFresh(response_id));
      for (const secret of [KEY, Buffer.from(KEY).toString("base64").slice(0, 30)])
        expect(stored).not.toContain(secret);
      expect(stored).toContain("[hidden]");
    });
  });

  // The other tests store every kind of value; the rest is the same SQL on both.
  if (kind === "embedded") return;

  describe("of live mail", () => {
    const order = (changes: Partial<ProxyRequest> = {}) => ({
      ...LETTER,
      idempotency_key: mintKey(),
      ...changes,
    });

    test("has the piece's ID and the request as the caller wrote it", async () => {
      const answer = await sending.send(order({ user_id: "user-ben" }));
      expect(answer.response_id).toBe(answer.send_id);
      const stored = await sending.readFresh(answer.response_id);
      const body = { ...(LETTER.body as object), test: false };
      expect(stored).toMatchObject({
        ...{ id: answer.send_id, send_id: answer.send_id, user_id: "user-ben", tags: ["auto-saved"] },
        ...{ endpoint_category: "letters", endpoint_preset: "letters.create", status_code: 200 },
        request_data: { base: "US", method: "POST", path: "letters/create", body },
        response_data: { success: true },
      });
      expect(JSON.stringify(stored.request_data)).not.toContain(answer.send_id);
      const kept = await sending.db((db) => db.send.findUnique({ where: { id: stored.id } }));
      expect(kept?.unsavedRequest).toBeNull();
    });

    test("makes one row after retries, double clicks and recovery", async () => {
      const request = order();
      const created = await sending.countNew(async () => {
        const first = await sending.send(request);
        const again = await Promise.all([
          ...Array.from({ length: 5 }, () => sending.send(request)),
          ...Array.from({ length: 5 }, async () => {
            await sending.storeSettledSends();
            return first;
          }),
        ]);
        expect(new Set(again.map(({ response_id }) => response_id))).toEqual(new Set([first.response_id]));
        return again;
      });
      expect(created).toBe(1);
    });

    test("stores pending mail when it is settled", async () => {
      sending.provider.fail({ kind: "reset-after", path: CREATE });
      const answer = await sending.send(order());
      expect(answer).toMatchObject({ pending: true, response_id: answer.send_id });
      await sending.storeSettledSends();
      expect(await sending.find(answer.send_id)).toBeNull();
      await sending.sql`UPDATE sends SET lease_until = now() WHERE id = ${answer.send_id}`;
      await sending.recoverSends();
      await sending.storeSettledSends();
      expect(await sending.find(answer.send_id)).toMatchObject({
        ...{ send_id: answer.send_id, status_code: 409, response_data: { success: true } },
        request_data: { body: { tags: "spring" } },
      });
    });

    test("stores a refusal; one that cannot be paid or declines it is not stored", async () => {
      const refused = await sending.send(order({ body: { ...(LETTER.body as object), size: "9x9" } }));
      expect(await sending.readFresh(refused.response_id)).toMatchObject({
        status_code: refused.status,
        send_id: refused.send_id,
      });
      await sending.db((db) =>
        db.user.create({ data: { id: "user-poor", displayName: "P", username: "poor" } }),
      );
      const created = await sending.countNew(async () => {
        const answers = [
          await sending.send(order({ user_id: "user-poor" })),
          await sending.send(order({ save: false })),
        ];
        await sending.storeSettledSends();
        for (const answer of answers) expect(answer).not.toHaveProperty("response_id");
        return answers;
      });
      expect(created).toBe(0);
    });

    test("stores mail that was never sent without a status", async () => {
      sending.provider.fail({ kind: "reset-before", path: CREATE });
      const answer = await sending.send(order());
      const { send_id } = answer;
      await sending.sql`
        UPDATE sends SET lease_until = now() - interval '1 second', created_at = now() - interval '25 hours'
        WHERE id = ${send_id}`;
      await sending.recoverSends();
      await sending.storeSettledSends();
      const none = { status_code: null, response_data: null, duration_ms: null };
      expect(await sending.find(send_id)).toMatchObject(none);
    });

    test("hides a deleted row and keeps its piece", async () => {
      const request = order();
      const { response_id = "" } = await sending.send(request);
      await sending.readFresh(response_id);
      expect(await sending.deleteResponse(response_id)).toEqual({ ok: true, value: { hidden: true } });
      expect(await sending.find(response_id)).toBeNull();
      const again = await sending.deleteResponse(response_id);
      expect(again).toMatchObject({ ok: false, failure: { code: "not_found" } });
      expect((await sending.send(request)).replayed).toBe(true);
      await sending.storeSettledSends();
      expect(await sending.find(response_id)).toBeNull();
      const [row, kept] = await sending.db(async (db) => [
        await db.storedResponse.findUnique({ where: { id: response_id } }),
        await db.send.findUnique({ where: { id: response_id } }),
      ]);
      expect(row).toMatchObject({ deletedBy: "auth-ana", deletedAt: expect.any(Date) });
      expect(kept).toMatchObject({ state: "accepted" });
    });
  });

  test("the counters are right at the end", async () => {
    expect(await sending.findCounterErrors()).toEqual([]);
  });
});

test("a database outage never delays the answer", async () => {
  const link = await layFlakyLink(await postgres.createDatabase());
  const sending = await startSending(link.url);
  await sending.readFresh((await sending.send(LIST)).response_id);
  await link.cut();
  expect(await sending.send(LIST)).toMatchObject({ status: 200, error: null });
  await link.mend();
  await expect.poll(() => sending.count().catch(() => null)).not.toBeNull();
  await sending.readFresh((await sending.send(LIST)).response_id);
  await sending.close();
  await link.close();
});
