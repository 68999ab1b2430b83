import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatUnfilled } from "~/pieces/send/mail-body.server";
import {
  ONLY_LIVE_FROM_TESTED,
  TESTED_PDF_MISSING,
  TESTED_PIECE_NOT_FOUND,
} from "~/pieces/tested/tested-piece.server";
import { NOTHING_DONE } from "~/platform/outcome";
import { startWebhookReceiver, type WebhookReceiver } from "../../emulators/webhook-receiver";
import { SESSION_SECRET } from "../../support/console/console-process";
import { setUpBench, setUpMailConsole } from "../../support/fixtures";
import { ALL_WELL } from "../../support/money/audit";
import { askForMail, cookieOf, type MailAnswer, type MailRequest } from "../../support/money/calls";

const NOT_AS_TESTED =
  /^This is not what was tested\. Changed since the test: (.+)\. Nothing was sent and nothing was charged\. Test it again, then send it live\.$/;
const PLACE = { address1: "1 Way", city: "Austin", postcode: "78701", country: "US" };
const RECIPIENT = { firstname: "Jo", lastname: "Ray", ...PLACE };
/** `unit/builder/send-tested.test.ts` edits every field. */
const FIELDS: Record<MailRequest["type"], Record<string, unknown>> = {
  postcard: {
    size: "4x6",
    template: "21001",
    message: "Hello",
    clearzone: true,
    tags: "a,b",
    variables: '{"a":1}',
    recipient: RECIPIENT,
  },
  letter: {
    template: "",
    pages: "",
    content: "Dear Jo, grüß Gott",
    duplex: true,
    tags: "a",
    recipient: RECIPIENT,
  },
};

const bench = await setUpBench();
const STANNP_BASE_URLS = `US=${bench.provider.baseUrl}`;
const variables = { SESSION_SECRET, STANNP_BASE_URLS, STANNP_TIMEOUT_MS: "10000" };
const app = await setUpMailConsole(bench.databaseUrl, { variables });

describe("a tested piece", () => {
  beforeAll(async () => {
    await bench.grant("payer", 60);
    await bench.grant("other", 60);
    await bench.grant("poor", 0);
  });

  const order = (type: MailRequest["type"], fields: Record<string, unknown> = FIELDS[type]): MailRequest => ({
    type,
    payer: "payer",
    // The body of the call has only these fields.
    fields: { size: undefined, template: undefined, pages: undefined, recipient: undefined, ...fields },
  });
  async function testFirst(request: MailRequest): Promise<string> {
    const { json } = await askForMail(app.origin, { ...request, test: true });
    expect(json).toMatchObject({ error: null, credits: null, tested_piece: { cost: expect.any(String) } });
    return json.tested_piece?.id ?? "";
  }
  const countMailed = () => bench.provider.pieces.filter((piece) => !piece.test).length;
  const sendTested = (request: MailRequest, id: string): Promise<MailAnswer> =>
    askForMail(app.origin, { ...request, envelope: { ...request.envelope, tested_piece_id: id } });

  test.each(["postcard", "letter"] as const)("a tested %s is sent live unchanged, once", async (type) => {
    const request = order(type);
    const id = await testFirst(request);
    const before = countMailed();
    const tested = bench.provider.received.at(-1)?.body ?? {};
    const { status, json } = await sendTested(request, id);
    expect(status).toBe(200);
    expect(json).toMatchObject({ error: null, credits: { success: true } });
    const mailed = bench.provider.received.at(-1)?.body ?? {};
    const { test: wasTest, tags: testTags, ...same } = tested;
    const { test: isTest, tags, idempotency_key: _, ...sent } = mailed;
    expect([wasTest, isTest]).toEqual([true, false]);
    expect(tags).toBe(`mailroom-${json.send_id},${testTags}`);
    expect(sent).toEqual(same);
    // A page that was left during the send finds this state.
    const found = await fetch(`${app.origin}/api/pieces?idempotency_key=${id}`, {
      headers: { Cookie: await cookieOf("ana") },
    });
    expect(await found.json()).toMatchObject({ data: [{ id: json.send_id, state: "accepted" }] });

    const again = await sendTested({ ...request, key: "a-key-of-the-caller" }, id);
    expect(again.json).toMatchObject({ replayed: true, send_id: json.send_id });
    expect(countMailed()).toBe(before + 1);
  });

  test("refused, then found to be mailed: it is not sent again, and an equal piece is a duplicate", async () => {
    const request = order("postcard", { ...FIELDS.postcard, note: "late" });
    const id = await testFirst(request);
    bench.provider.fail({ kind: "status", status: 402, path: "postcards/create" });
    const { send_id = "" } = (await sendTested(request, id)).json;
    // An alarm clears the cause too.
    await app.sql`UPDATE sends SET release_cause = NULL WHERE id = ${send_id}`;
    expect((await sendTested(request, id)).json).toMatchObject({ replayed: true, send_id });
    const equal = await askForMail(app.origin, { ...request, envelope: { known_duplicate: null } });
    expect(equal.json).toMatchObject({ duplicate_of: { send_id } });
  });

  // `unit/builder/send-tested.test.ts` edits every field.
  test("an edit is refused, and named", async () => {
    const id = await testFirst(order("postcard"));
    const before = bench.provider.received.length;
    for (const [name, fields] of [
      ["note", { note: "new" }],
      ["tags", { tags: undefined }],
      ["clearzone", { clearzone: false }],
      ["recipient city", { recipient: { ...RECIPIENT, city: "Dallas" } }],
    ] as const) {
      const { status, json } = await sendTested(order("postcard", { ...FIELDS.postcard, ...fields }), id);
      expect([status, NOT_AS_TESTED.exec(json.error ?? "")?.[1]]).toEqual([400, name]);
    }
    expect(bench.provider.received.length).toBe(before);
  });

  describe("a text that is filled from a saved recipient", () => {
    const message = "Dear {{firstname}} {lastname}";
    const fields = { size: "4x6", template: "21001", message, recipient: "1001" };
    const lose = () =>
      bench.provider.fail({ kind: "status", status: 500, path: "recipients/get/1001", times: "always" });

    test("is sent live with the text of its test, although the recipient has changed at the provider", async () => {
      const request = order("postcard", fields);
      const id = await testFirst(request);
      expect(bench.provider.received.at(-1)?.body).toMatchObject({ message: "Dear Amelia Hartwell" });
      const rule = lose();
      const { json } = await sendTested(request, id);
      expect(json).toMatchObject({ error: null, credits: { success: true } });
      expect(bench.provider.received.at(-1)?.body).toMatchObject({ message: "Dear Amelia Hartwell" });
      const again = await sendTested(request, id);
      expect(again.json).toMatchObject({ replayed: true, send_id: json.send_id });
      rule.release();
    });

    test("returns the first answer when its key is repeated", async () => {
      const request = { ...order("postcard", { ...fields, note: "first" }), key: "saved-recipient" };
      const first = await askForMail(app.origin, request);
      expect(first.json).toMatchObject({ error: null, credits: { success: true } });
      const rule = lose();
      const again = await askForMail(app.origin, request);
      expect(again.json).toMatchObject({ replayed: true, send_id: first.json.send_id });
      const other = await askForMail(app.origin, {
        ...request,
        fields: { ...request.fields, note: "other" },
      });
      expect(other.status).toBe(422);
      rule.release();
    });

    test("is not sent while a merge field has no value, and names it", async () => {
      const rule = lose();
      const before = countMailed();
      const lost = await askForMail(app.origin, { ...order("postcard", fields), test: true });
      expect(lost.json.error).toMatch(
        /^The details of recipient 1001 could not be loaded, so \{firstname\}, \{lastname\}/,
      );
      rule.release();
      const unfilled = { ...fields, message: "{firstname} {points}" };
      for (const test of [true, false]) {
        const { status, json } = await askForMail(app.origin, { ...order("postcard", unfilled), test });
        expect([status, json.error]).toEqual([400, `${formatUnfilled(["points"])} ${NOTHING_DONE}`]);
      }
      expect(countMailed()).toBe(before);
    });
  });

  test("another payer, address or header is a different call; another person's tested piece is not found", async () => {
    const request = order("postcard");
    const id = await testFirst(request);
    const before = bench.provider.received.length;
    const changed = (what: string) => `400 This is not what was tested. Changed since the test: ${what}.`;
    for (const [change, answer] of [
      [{ payer: "other" }, changed("current user")],
      [{ envelope: { query: { a: "1" } } }, changed("address")],
      [{ envelope: { headers: { "x-a": "1" } } }, changed("headers")],
      [{ envelope: { path: "letters/post" } }, changed("address")],
      [{ caller: "ben" }, `404 ${TESTED_PIECE_NOT_FOUND}`],
      [{ test: true }, `400 ${ONLY_LIVE_FROM_TESTED}`],
      [{ envelope: { expect_live: false } }, "400 This is live mail"],
      [{ envelope: { path: "recipients/new" } }, `400 ${ONLY_LIVE_FROM_TESTED}`],
    ] as const) {
      const { status, json } = await sendTested({ ...request, ...change }, id);
      expect(`${status} ${json.error}`.startsWith(answer), answer).toBe(true);
    }
    for (const wrong of ["x", "'; DROP TABLE tested_pieces; --", "00000000-0000-0000-0000-000000000000"]) {
      expect((await sendTested(request, wrong)).status).toBe(404);
    }
    expect(bench.provider.received.length).toBe(before);
  });

  test("20 concurrent requests are one piece, charged once", async () => {
    const request = order("postcard", { ...FIELDS.postcard, message: "at once" });
    const id = await testFirst(request);
    const before = countMailed();
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendTested(request, id)));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(answers.filter(({ status, json }) => status === 200 && !json.replayed)).toHaveLength(1);
    expect(countMailed()).toBe(before + 1);
  });

  test("a refused or unpaid tested piece can be sent live again", async () => {
    const request = order("postcard", { ...FIELDS.postcard, message: "refused first" });
    const id = await testFirst(request);
    const before = countMailed();
    bench.provider.fail({ kind: "refuse200", error: "Not today", path: "postcards/create" });
    expect((await sendTested(request, id)).json).toMatchObject({
      error: "Not today",
      credits: { success: false },
    });
    expect((await sendTested(request, id)).json).toMatchObject({ error: null, credits: { success: true } });
    expect((await sendTested(request, id)).json).toMatchObject({
      replayed: true,
      credits: { success: true },
    });
    expect(countMailed()).toBe(before + 1);

    const poor = { ...request, payer: "poor" };
    const unpaid = await testFirst(poor);
    expect((await sendTested(poor, unpaid)).status).toBe(402);
    expect((await sendTested(poor, unpaid)).status).toBe(402);
    expect(countMailed()).toBe(before + 1);
  });

  test("a test older than a day does not count, and only the newest 50 are kept", async () => {
    const request = order("postcard", { ...FIELDS.postcard, message: "old" });
    const [old, first] = [await testFirst(request), await testFirst(request)];
    for (let n = 0; n < 48; n++) await testFirst(request);
    // Excluded from the 50, because it was sent live.
    expect((await sendTested(request, first)).json).toMatchObject({ error: null });
    const kept = await bench.inBooks(async (db) => {
      await db.testedPiece.update({
        where: { id: old },
        data: { createdAt: new Date(Date.now() - 86_401_000) },
      });
      return db.testedPiece.count({ where: { actorId: "auth-ana" } });
    });
    // Those that were sent live are kept in addition to the newest 50.
    expect(kept).toBeGreaterThanOrEqual(51);
    expect(kept).toBeLessThanOrEqual(56);
    const { status, json } = await sendTested(request, old);
    expect(`${status} ${json.error}`).toMatch(
      /^400 This test is older than 24 hours.+Nothing was sent and nothing was charged\. Test it again/,
    );
    await testFirst(request);
    await testFirst(request);
    expect((await sendTested(request, old)).status).toBe(404);
    expect((await sendTested(request, first)).json).toMatchObject({ replayed: true });
  });

  test("the books are consistent and agree with the provider", async () => {
    expect(await bench.audit()).toMatchObject(ALL_WELL);
  });
});

describe("the provider's PDF", () => {
  let files: WebhookReceiver;
  let address: string;
  const PDF = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(100, 65)]);
  const BIG = 20 * 1024 * 1024 + 1;
  const replies: Record<string, (reply: ServerResponse) => void> = {
    "/good.pdf": (reply) => reply.writeHead(200, { "Content-Type": "text/html" }).end(PDF),
    "/moved.pdf": (reply) => reply.writeHead(302, { Location: "/good.pdf" }).end(),
    "/page.pdf": (reply) => reply.writeHead(200).end("<html>%PDF"),
    "/gone.pdf": (reply) => reply.writeHead(404).end("gone"),
    "/error.pdf": (reply) => reply.writeHead(500).end("no"),
    "/big.pdf": (reply) => reply.writeHead(200).end(Buffer.concat([Buffer.from("%PDF"), Buffer.alloc(BIG)])),
    "/cut.pdf": (reply) => {
      reply.writeHead(200, { "Content-Length": "1000" });
      reply.write(PDF, () => reply.destroy());
    },
  };

  beforeAll(async () => {
    files = await startWebhookReceiver();
    files.answer(({ path }, reply) => replies[path]?.(reply));
    address = files.origin;
  });
  afterAll(() => files?.close());

  /** A test whose answer names this PDF. */
  async function testWith(pdf: unknown) {
    const data = { pdf, id: 0, created: "2026-01-05", format: "4x6", cost: "0.99", status: "test" };
    const body = JSON.stringify({ success: true, data });
    bench.provider.fail({ kind: "respond", path: "postcards/create", body });
    const { json } = await askForMail(app.origin, { type: "postcard", test: true });
    return json.tested_piece;
  }
  const open = async (path: string, caller: string | null = "ana") =>
    fetch(app.origin + path, {
      headers: caller === null ? {} : { Cookie: await cookieOf(caller) },
      redirect: "manual",
    });

  test("is forwarded to any signed-in person, fetched without a key", async () => {
    const tested = await testWith(`${address}/good.pdf`);
    expect(tested).toEqual({ id: expect.any(String), cost: "0.99", pdf: `/tested/${tested?.id}.pdf` });
    for (const caller of ["ana", "ben"]) {
      const reply = await open(tested?.pdf ?? "", caller);
      expect(reply.status).toBe(200);
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        ...{ "content-type": "application/pdf", "content-disposition": "inline" },
        ...{ "cache-control": "no-store" },
      });
      expect(Buffer.from(await reply.arrayBuffer())).toEqual(PDF);
    }
    const { headers } = files.received.at(-1) ?? { headers: {} };
    expect(Object.keys(headers)).not.toContain("authorization");
    expect(Object.keys(headers)).not.toContain("cookie");
    const stranger = await open(tested?.pdf ?? "", null);
    expect(stranger.status).toBe(302);
    expect(stranger.headers.get("location")).toContain("/api/auth/login");
  });

  test.each([
    ["/moved.pdf", 502, /answered 302 instead of its PDF/],
    ["/page.pdf", 502, /is not a PDF/],
    ["/gone.pdf", 404, /link to this PDF has expired.+Test again/],
    ["/error.pdf", 502, /answered 500/],
    ["/big.pdf", 502, /larger than 20 MB/],
    ["/cut.pdf", 502, /could not be fetched/],
  ])("%s is answered %i with a reason", async (path, status, says) => {
    const tested = await testWith(`${address}${path}`);
    const reply = await open(tested?.pdf ?? "");
    expect(reply.status).toBe(status);
    expect(reply.headers.get("content-type")).toContain("text/plain");
    expect(await reply.text()).toMatch(says);
    if (path === "/moved.pdf") expect(files.received.at(-1)?.path).toBe(path);
  });

  test("is fetched from no other address", async () => {
    // `unit/builder/send-tested.test.ts` has all kinds of addresses.
    for (const pdf of ["https://169.254.169.254/latest/meta-data", { href: "http://127.0.0.1/" }, null]) {
      const tested = await testWith(pdf);
      expect(tested, String(pdf)).toMatchObject({ cost: "0.99", pdf: null });
      const reply = await open(`/tested/${tested?.id}.pdf`);
      expect([reply.status, await reply.text()]).toEqual([404, expect.stringContaining(TESTED_PDF_MISSING)]);
    }
    expect([400, 404]).toContain((await open("/tested/%00.pdf")).status);
  });
});
