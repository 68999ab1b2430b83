import { get as httpGet } from "node:http";
import { connect } from "node:net";
import { PDFDocument } from "@cantoo/pdf-lib";
import { afterEach, describe, expect, test } from "vitest";
import {
  type MailProvider,
  type MailProviderOptions,
  startMailProvider,
} from "../../emulators/mail-provider";

const KEY = "sk_emulator+key/0001=";
const MINUTE_MS = 60_000;
const PDF_BASE64 = Buffer.from("%PDF-1.4\n%%EOF\n").toString("base64");
const ADDRESS = {
  firstname: "Zoë",
  lastname: "Müller",
  address1: "1 Elm Street",
  city: "Portland",
  postcode: "97205",
};

const running: MailProvider[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((provider) => provider.close()));
});

async function start(options: Partial<MailProviderOptions> = {}): Promise<MailProvider> {
  const provider = await startMailProvider({ apiKey: KEY, rateLimitPerMinute: 10_000, ...options });
  running.push(provider);
  return provider;
}

function authorize(key = KEY): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` };
}

async function read(response: Response) {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

async function get(provider: MailProvider, path: string) {
  return read(await fetch(`${provider.baseUrl}/${path}`, { headers: authorize() }));
}

function postRaw(
  provider: MailProvider,
  path: string,
  body: string | URLSearchParams | FormData,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${provider.baseUrl}/${path}`, {
    method: "POST",
    headers: { ...authorize(), ...headers },
    body,
    redirect: "manual",
  });
}

async function postJson(
  provider: MailProvider,
  path: string,
  body: object,
  headers: Record<string, string> = {},
) {
  return read(
    await postRaw(provider, path, JSON.stringify(body), { "Content-Type": "application/json", ...headers }),
  );
}

async function postForm(provider: MailProvider, path: string, fields: Record<string, string>) {
  return read(await postRaw(provider, path, new URLSearchParams(fields)));
}

const postcard = (more: object = {}) => ({ recipient: "1001", front: PDF_BASE64, size: "4x6", ...more });

function clock(startMs = Date.parse("2026-01-05T09:00:00Z")) {
  let nowMs = startMs;
  return { now: () => nowMs, advance: (byMs: number) => (nowMs += byMs) };
}

describe("key and envelope", () => {
  test.each([
    ["no key", {}],
    ["a wrong key", authorize("sk_wrong")],
    ["a password beside the key", { Authorization: `Basic ${Buffer.from(`${KEY}:x`).toString("base64")}` }],
    ["a bearer token", { Authorization: `Bearer ${KEY}` }],
  ])("%s is refused before the path is looked at", async (_name, headers: Record<string, string>) => {
    const provider = await start();
    for (const path of ["users/me", "no/such/path"]) {
      const answer = await read(await fetch(`${provider.baseUrl}/${path}`, { headers }));
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({
        success: false,
        error: "You need an API key or token to access this service",
      });
    }
  });

  test("an emulator without a key lets nobody in", async () => {
    const provider = await start({ apiKey: "" });
    expect((await fetch(`${provider.baseUrl}/users/me`)).status).toBe(401);
    expect((await fetch(`${provider.baseUrl}/users/me`, { headers: authorize("") })).status).toBe(401);
  });

  test("the key is taken by Basic and by api_key in the query", async () => {
    const provider = await start();
    const byQuery = await fetch(`${provider.baseUrl}/users/me?api_key=${encodeURIComponent(KEY)}`);
    expect((await read(byQuery)).body.success).toBe(true);
    const byBasic = await get(provider, "users/me");
    expect(byBasic.body.data).toMatchObject({ account_id: expect.any(String), email: expect.any(String) });
  });

  test("unknown paths and ids are 404, a missing path id and missing parameters 400", async () => {
    const provider = await start();
    expect((await get(provider, "no/such/path")).status).toBe(404);
    expect((await get(provider, "recipients/get/99999")).status).toBe(404);
    const noId = await get(provider, "postcards/get?id=16799901");
    expect([noId.status, noId.body.error]).toEqual([400, "Missing resource ID"]);
    const incomplete = await postJson(provider, "postcards/create", { recipient: "1001" });
    expect([incomplete.status, incomplete.body.success]).toEqual([400, false]);
    expect(incomplete.body.error).toContain("front");
    expect(provider.pieces).toEqual([]);
  });

  test("three bases lead to the account and only /api/v1 takes a .json ending", async () => {
    const provider = await start();
    const statusOf = async (path: string) =>
      (await fetch(`${provider.origin}${path}`, { headers: authorize() })).status;
    expect(await statusOf("/v1/recipients/list")).toBe(200);
    expect(await statusOf("/global/v1/recipients/list")).toBe(200);
    expect(await statusOf("/api/v1/recipients/list")).toBe(200);
    expect(await statusOf("/api/v1/recipients/list.json")).toBe(200);
    expect(await statusOf("/v1/recipients/list.json")).toBe(404);
    expect(await statusOf("/global/v1/recipients/list.json")).toBe(404);
    expect(await statusOf("/v2/recipients/list")).toBe(404);
    const { path, prefix, rawUrl } = provider.received[3] ?? {};
    expect({ path, prefix, rawUrl }).toEqual({
      path: "recipients/list.json",
      prefix: "/api/v1",
      rawUrl: "/api/v1/recipients/list.json",
    });
  });
});

describe("creating mail", () => {
  const asForm = (test: string) =>
    new URLSearchParams({
      test,
      size: "6x9",
      front: PDF_BASE64,
      "recipient[firstname]": ADDRESS.firstname,
      "recipient[address1]": ADDRESS.address1,
      "recipient[postcode]": ADDRESS.postcode,
      "recipient[town]": "dropped",
      tags: "a,b",
    });
  const asMultipart = (test: string) => {
    const form = new FormData();
    for (const [name, value] of asForm(test)) if (name !== "front") form.append(name, value);
    form.append("front", new Blob(["%PDF-1.4\n"], { type: "application/pdf" }), "front.pdf");
    return form;
  };
  const asJson = (test: string) =>
    JSON.stringify({
      test: test === "1",
      size: "6x9",
      front: PDF_BASE64,
      recipient: { ...ADDRESS, city: undefined, town: "dropped" },
      tags: "a,b",
    });
  const encodings: [string, (test: string) => string | URLSearchParams | FormData, Record<string, string>][] =
    [
      ["form", asForm, {}],
      ["multipart", asMultipart, {}],
      ["JSON", asJson, { "Content-Type": "application/json" }],
    ];

  test.each(encodings)(
    "a test postcard by %s has id 0, a price and a served PDF",
    async (_name, body, headers) => {
      const { now } = clock();
      const provider = await start({ now });
      const answer = await read(await postRaw(provider, "postcards/create", body("1"), headers));
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        success: true,
        data: {
          pdf: expect.stringContaining(provider.origin),
          id: 0,
          created: "2026-01-05T09:00:00+00:00",
          format: "6x9",
          cost: "1.29",
          status: "test",
        },
      });
      const sample = await fetch(answer.body.data.pdf);
      expect(sample.headers.get("content-type")).toBe("application/pdf");
      const pages = (await PDFDocument.load(await sample.arrayBuffer())).getPages();
      expect(pages.map((page) => page.getSize())).toEqual([
        { width: 648, height: 432 },
        { width: 648, height: 432 },
      ]);
      expect(provider.pieces).toMatchObject([
        { id: 0, type: "postcard", test: true, status: "test", tags: "a,b" },
      ]);
    },
  );

  test.each(encodings)(
    "a live postcard by %s is a piece with a number of its own",
    async (_name, body, headers) => {
      const provider = await start();
      const balance = async () => Number((await get(provider, "accounts/balance")).body.data.balance);
      const before = await balance();
      const first = await read(await postRaw(provider, "postcards/create", body("0"), headers));
      const second = await read(await postRaw(provider, "postcards/create", body("0"), headers));
      expect([first.body.data.id, second.body.data.id]).toEqual([16_800_001, 16_800_002]);
      expect(first.body.data).toMatchObject({
        status: "received",
        type: "postcard",
        firstname: "Zoë",
        city: "",
        country: "US",
        tags: "a,b",
        dispatched: null,
      });
      expect(before - (await balance())).toBeCloseTo(2.58);
      const stored = await get(provider, "postcards/get/16800001");
      expect(stored.body.data).toMatchObject({
        id: 16_800_001,
        recipient_id: 0,
        cost: 1.29,
        status: "received",
      });
      expect(stored.text).not.toContain("dropped");
      expect(provider.pieces.map(({ id, test }) => [id, test])).toEqual([
        [16_800_001, false],
        [16_800_002, false],
      ]);
    },
  );

  test("a letter writes its time with a space; a stored recipient is copied; ids may be text", async () => {
    const { now } = clock();
    const provider = await start({ now, testIdAsText: true });
    const sample = await postJson(provider, "letters/create", {
      recipient: 1001,
      pages: "<p>Hi</p>",
      test: true,
    });
    expect(sample.body.data).toMatchObject({ id: "0", created: "2026-01-05 09:00:00", format: "US-LETTER" });
    const live = await postJson(provider, "letters/post", { country: "US", pdf: PDF_BASE64 });
    expect(live.body.data).toMatchObject({
      id: 16_800_001,
      type: "letter",
      status: "received",
      country: "US",
    });
    const { firstname } = (await get(provider, "recipients/get/1001")).body.data;
    expect(provider.pieces[0]).toMatchObject({ recipientId: "1001", recipient: { firstname } });
  });

  test.each([
    ["an address that cannot be reached", { front: "https://images.invalid/front.jpg" }, 200],
    ["a page on this machine that is missing", { front: "LOCAL/nothing.jpg" }, 200],
    ["something that is no image", { front: Buffer.from("hello").toString("base64") }, 200],
    ["a data: address", { front: `data:application/pdf;base64,${PDF_BASE64}` }, 200],
    ["an unknown size", { size: "6x4" }, 400],
    ["an unknown recipient", { recipient: "77" }, 404],
    ["a recipient without one known key", { recipient: { town: "Leeds" } }, 400],
    ["an unknown template", { template: "1" }, 404],
    [
      "an unverifiable address that must be verified",
      { recipient: { city: "x" }, post_unverified: "false" },
      200,
    ],
  ])("%s is refused and nothing is mailed", async (_name, fields, status) => {
    const provider = await start();
    const body = JSON.parse(JSON.stringify(postcard(fields)).replace("LOCAL", provider.origin));
    const answer = await postJson(provider, "postcards/create", body);
    expect([answer.status, answer.body.success]).toEqual([status, false]);
    expect(answer.body.error).not.toBe("");
    expect(provider.pieces).toEqual([]);
  });

  test("the recorded text of a failed download", async () => {
    const provider = await start();
    const answer = await postJson(
      provider,
      "postcards/create",
      postcard({ front: "http://x.invalid/a.png" }),
    );
    expect(answer.body.error).toBe("Failed to download the front image from the URL provided");
  });
});

describe("statuses and cancelling", () => {
  test("a piece moves on by the clock and stays where it arrives", async () => {
    const time = clock();
    const provider = await start({ now: time.now, statusStepMs: MINUTE_MS });
    await postJson(provider, "letters/create", { recipient: "1001", file: PDF_BASE64 });
    const seen: string[] = [];
    for (let step = 0; step < 6; step++) {
      seen.push((await get(provider, "letters/get/16800001")).body.data.status);
      time.advance(MINUTE_MS);
    }
    expect(seen).toEqual([
      "received",
      "producing",
      "handed_over",
      "local_delivery",
      "delivered",
      "delivered",
    ]);
    const piece = (await get(provider, "letters/get/16800001")).body.data;
    expect(piece.dispatched).toBe("2026-01-05 09:02:00");
    expect(provider.pieces[0]?.status).toBe("delivered");
  });

  test("with statusStepMs 0 a piece never moves", async () => {
    const time = clock();
    const provider = await start({ now: time.now, statusStepMs: 0 });
    await postJson(provider, "postcards/create", postcard());
    time.advance(365 * 24 * 60 * MINUTE_MS);
    expect(provider.pieces[0]?.status).toBe("received");
  });

  test("a waiting piece is cancelled once, its cost is given back", async () => {
    const provider = await start();
    const balance = async () => (await get(provider, "accounts/balance")).body.data.balance;
    const before = await balance();
    await postJson(provider, "postcards/create", postcard());
    const done = await postForm(provider, "postcards/cancel", { id: "16800001" });
    expect([done.status, done.text]).toEqual([200, '{"success":true,"data":1}']);
    expect(await balance()).toBe(before);
    const piece = (await get(provider, "postcards/get/16800001")).body.data;
    expect(piece).toMatchObject({ status: "cancelled", dispatched: null, cost: 0 });
    const again = await postJson(provider, "postcards/cancel", { id: 16_800_001 });
    expect([again.status, again.body.success]).toEqual([400, false]);
    expect(again.body.error).toContain("already");
    expect(await balance()).toBe(before);
  });

  test("too late, another type, id 0, an unknown id and no id are refused", async () => {
    const time = clock();
    const provider = await start({ now: time.now });
    await postJson(provider, "postcards/create", postcard());
    const refusal = async (path: string, fields: Record<string, string>) => {
      const { status, body } = await postForm(provider, path, fields);
      expect(body.success).toBe(false);
      return status;
    };
    expect(await refusal("letters/cancel", { id: "16800001" })).toBe(404);
    expect(await refusal("postcards/cancel", { id: "0" })).toBe(404);
    expect(await refusal("postcards/cancel", { id: "16899999" })).toBe(404);
    expect(await refusal("postcards/cancel", {})).toBe(400);
    time.advance(MINUTE_MS);
    expect(await refusal("postcards/cancel", { id: "16800001" })).toBe(400);
    expect(provider.pieces[0]?.status).toBe("producing");
  });
});

describe("idempotency", () => {
  const key = "send-000000000001";

  test.each([
    ["in the body", { idempotency_key: key }, {}],
    ["in the header", {}, { "X-Idempotency-Key": key }],
  ])("the same request with its key %s is answered 409 with the first answer", async (_n, field, header) => {
    const provider = await start();
    const send = () => postJson(provider, "postcards/create", postcard(field), { ...header });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([200, 409]);
    expect(second.text).toBe(first.text);
    expect(provider.pieces).toMatchObject([{ id: 16_800_001, idempotencyKey: key }]);
  });

  test("another body with the key is 422, a refused request leaves the key free", async () => {
    const provider = await start();
    const refused = { ...postcard({ idempotency_key: key }), front: "http://x.invalid/a.png" };
    expect((await postJson(provider, "postcards/create", refused)).body.success).toBe(false);
    expect((await postJson(provider, "postcards/create", postcard({ idempotency_key: key }))).status).toBe(
      200,
    );
    const other = await postJson(provider, "postcards/create", postcard({ idempotency_key: key, tags: "x" }));
    expect([other.status, other.body.success]).toEqual([422, false]);
    expect(provider.pieces).toHaveLength(1);
  });

  test("a key is forgotten after 24 hours", async () => {
    const time = clock();
    const provider = await start({ now: time.now });
    const send = () => postJson(provider, "postcards/create", postcard({ idempotency_key: key }));
    await send();
    time.advance(24 * 60 * MINUTE_MS - 1);
    expect((await send()).status).toBe(409);
    time.advance(1);
    expect((await send()).status).toBe(200);
    expect(provider.pieces).toHaveLength(2);
  });

  test("requests in flight with one key wait for the first and make one piece", async () => {
    const provider = await start();
    const fault = provider.fail({ kind: "hold", path: "postcards/create" });
    const sends = Array.from({ length: 20 }, () =>
      postJson(provider, "postcards/create", postcard({ idempotency_key: key })),
    );
    await expect.poll(() => provider.received.length).toBe(20);
    expect(provider.received.map((request) => request.answeredStatus)).toEqual(Array(20).fill(null));
    expect(provider.pieces).toEqual([]);
    fault.release();
    const answers = await Promise.all(sends);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(provider.pieces).toHaveLength(1);
  });

  test("a key asked with twice at once is told of, one asked with twice in turn is not", async () => {
    const provider = await start();
    const send = (field: object, init: RequestInit = {}) =>
      fetch(`${provider.baseUrl}/postcards/create`, {
        method: "POST",
        headers: { ...authorize(), "Content-Type": "application/json" },
        body: JSON.stringify(postcard(field)),
        ...init,
      }).then((response) => response.text());
    await send({ idempotency_key: key });
    await send({ idempotency_key: key });
    const fault = provider.fail({ kind: "hold", path: "postcards/create" });
    const caller = new AbortController();
    const lost = send({ idempotency_key: "send-lost-0000001" }, { signal: caller.signal });
    await expect.poll(() => provider.received.length).toBe(3);
    caller.abort();
    await expect(lost).rejects.toThrow();
    fault.release();
    await send({ idempotency_key: "send-lost-0000001" });
    await Promise.all([send({}), send({})]);
    expect(provider.overlappingKeys).toEqual([]);

    const held = provider.fail({ kind: "hold", path: "postcards/create" });
    const both = [send({ idempotency_key: key }), send({ idempotency_key: key })];
    await expect.poll(() => provider.overlappingKeys).toEqual([key]);
    held.release();
    await Promise.all(both);
    provider.reset();
    expect(provider.overlappingKeys).toEqual([]);
  });

  test("a request that waited for one that is then refused is itself done, not replayed", async () => {
    const provider = await start();
    const fault = provider.fail({ kind: "hold", path: "postcards/create" });
    const body = { ...postcard({ idempotency_key: key }), front: "http://x.invalid/a.png" };
    const sends = [1, 2, 3].map(() => postJson(provider, "postcards/create", body));
    await expect.poll(() => provider.received.length).toBe(3);
    fault.release();
    const answers = await Promise.all(sends);
    expect(answers.map(({ status, body }) => [status, body.success])).toEqual(Array(3).fill([200, false]));
  });
});

describe("rate limit", () => {
  test("every reply tells the rate, and what is over it is not done", async () => {
    const time = clock();
    const provider = await start({ now: time.now, rateLimitPerMinute: 2 });
    const headersOf = ({ headers }: { headers: Headers }) =>
      ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));
    expect(headersOf(await postJson(provider, "postcards/create", postcard()))).toEqual(["2", "1", "60"]);
    time.advance(14_000);
    expect(headersOf(await postJson(provider, "postcards/create", postcard()))).toEqual(["2", "0", "46"]);
    const over = await postJson(provider, "postcards/create", postcard());
    expect([over.status, over.body.success, ...headersOf(over)]).toEqual([429, false, "2", "0", "46"]);
    expect(provider.pieces).toHaveLength(2);
    time.advance(46_000);
    expect((await postJson(provider, "postcards/create", postcard())).status).toBe(200);
  });

  test("it is 300 a minute when nothing else is said", async () => {
    const provider = await startMailProvider({ apiKey: KEY });
    running.push(provider);
    expect((await get(provider, "users/me")).headers.get("x-ratelimit-limit")).toBe("300");
  });
});

describe("the starting data and the documented calls on it", () => {
  test("recipients are text throughout, from id 1001, paged and grouped", async () => {
    const provider = await start();
    const all = (await get(provider, "recipients/list")).body.data;
    expect(all.length).toBeGreaterThanOrEqual(60);
    expect(all[0].id).toBe("1001");
    for (const recipient of all) {
      for (const value of Object.values(recipient)) expect(value).toBeTypeOf("string");
    }
    expect(new Set(all.map((recipient: { country: string }) => recipient.country))).toEqual(
      new Set(["US", "GB", "CA", "AU"]),
    );
    expect((await get(provider, "recipients/list?offset=5&limit=2")).body.data).toEqual(all.slice(5, 7));
    expect((await get(provider, "recipients/list?page=2&limit=25")).body.data).toEqual(all.slice(25, 50));
    const british = (await get(provider, "recipients/list?group_id=312")).body.data;
    expect(british).toEqual(all.filter((recipient: { country: string }) => recipient.country === "GB"));
  });

  test("groups, templates, campaigns, files, pieces and events are there", async () => {
    const provider = await start();
    const countOf = async (path: string) => (await get(provider, path)).body.data.length;
    expect(await countOf("groups/list")).toBeGreaterThanOrEqual(4);
    expect(await countOf("templates/list")).toBeGreaterThanOrEqual(6);
    expect(await countOf("files/list")).toBeGreaterThanOrEqual(3);
    expect(await countOf("events/list")).toBeGreaterThanOrEqual(4);
    const campaigns = (await get(provider, "campaigns/list")).body.data;
    const statuses = new Set(campaigns.map((campaign: { status: string }) => campaign.status));
    expect(statuses).toEqual(new Set(["draft", "approved", "scheduled", "running", "complete"]));
    const cards = (await get(provider, "postcards/list?status=returned")).body.data;
    expect(cards).toMatchObject([{ type: "postcard", status: "returned" }]);
  });

  test("a recipient is added, found as its own duplicate, grouped and deleted", async () => {
    const provider = await start();
    const added = await postForm(provider, "recipients/new", { ...ADDRESS, state: "OR", group_id: "312" });
    expect(added.body.data).toMatchObject({ id: "1061", valid: true });
    const again = await postForm(provider, "recipients/new", { ...ADDRESS, email: "zoe@example.com" });
    expect(again.body.data.id).toBe("1061");
    expect((await get(provider, "recipients/get/1061")).body.data).toMatchObject({
      county: "OR",
      country: "US",
      email: "zoe@example.com",
    });
    const group = await postForm(provider, "groups/new", { name: "Ours" });
    expect(group.body.data).toBeTypeOf("string");
    const joined = await postForm(provider, `groups/add/${group.body.data}`, {
      recipients: "1061,1002,77,1061",
    });
    expect(joined.body.data).toBe(2);
    expect((await postForm(provider, "recipients/delete", { id: "1061" })).body.data).toBe(1);
    expect((await postForm(provider, "recipients/delete", { id: "1061" })).status).toBe(404);
    const members = (await get(provider, `recipients/list?group_id=${group.body.data}`)).body.data;
    expect(members.map(({ id }: { id: string }) => id)).toEqual(["1002"]);
  });

  test("a campaign goes from draft to booked and can then not be deleted", async () => {
    const provider = await start();
    const created = await postForm(provider, "campaigns/create", {
      name: "Ours",
      type: "4x6-postcard",
      group_id: "311",
      template_id: "21001",
    });
    const { id } = created.body.data;
    expect(id).toBe("266");
    expect((await postForm(provider, "campaigns/book", { id, send_date: "2026-03-02" })).status).toBe(400);
    expect((await postForm(provider, "campaigns/approve", { id })).body.data).toBe(true);
    expect((await postForm(provider, "campaigns/book", { id, send_date: "2026-03-02" })).body.data).toBe(
      true,
    );
    expect((await get(provider, `campaigns/get/${id}`)).body.data).toMatchObject({
      status: "scheduled",
      send_date: "2026-03-02",
    });
    expect((await postForm(provider, "campaigns/delete", { id })).status).toBe(400);
    const sample = (await postForm(provider, "campaigns/sample", { id })).body.data;
    expect((await fetch(sample)).headers.get("content-type")).toBe("application/pdf");
  });

  test("reporting counts the pieces and finds one by its tag", async () => {
    const { now } = clock();
    const provider = await start({ now });
    const summary = async () => (await get(provider, "reporting/summary/2025-01-01/2026-01-05")).body.data;
    const before = await summary();
    await postJson(provider, "postcards/create", postcard({ tags: "first,mailroom-7" }));
    await postJson(provider, "postcards/create", postcard({ tags: "mailroom-7", test: true }));
    expect(await summary()).toEqual({ ...before, total: before.total + 1, received: before.received + 1 });
    const found = await get(provider, "reporting/list/2026-01-05/2026-01-05/all/mailroom-7");
    expect(found.body.data.singles.map(({ id }: { id: number }) => id)).toEqual([16_800_001]);
    const empty = await get(provider, "reporting/list/2026-01-05/2026-01-05/all/mailroom");
    expect(empty.body.data).toEqual({ singles: [] });
    expect((await get(provider, "reporting/summary/yesterday/today")).status).toBe(400);
  });

  test("an address that fails is a success that says so; uploads, selections and events give ids", async () => {
    const provider = await start();
    const good = await postForm(provider, "addresses/validate", { ...ADDRESS, state: "OR", country: "US" });
    expect(good.body.data).toMatchObject({ is_valid: true, county: "OR" });
    const bad = await postForm(provider, "addresses/validate", { address1: "nowhere" });
    expect(bad.body).toMatchObject({ success: true, data: { is_valid: false } });
    const elm = { ...ADDRESS, state: "OR", country: "US" };
    const short = await postForm(provider, "addresses/validate", { ...elm, address1: "12 Elm St." });
    expect(short.body.data).toMatchObject({ is_valid: true, address1: "12 Elm Street" });
    const nowhere = await postForm(provider, "addresses/validate", { ...elm, address1: "1 Nowhere Lane" });
    expect(nowhere.body.data).toMatchObject({ is_valid: false });
    const form = new FormData();
    form.append("file", new Blob(["x"]), "a.pdf");
    const upload = await read(await postRaw(provider, "files/upload", form));
    expect(upload.body.data).toEqual({ id: expect.stringMatching(/^\d+$/) });
    const selection = await postForm(provider, "selections/new", { group_id: "311", name: "x" });
    expect(selection.body.data).toEqual([{ id: expect.stringMatching(/^\d+$/) }]);
    const event = await postForm(provider, "recipientEvents/create", {
      recipient_id: "CRM-4000",
      name: "visit",
    });
    expect(event.body.data).toBeTypeOf("number");
  });
});

/** Every preset with the input it needs. */
const PRESETS: [method: "GET" | "POST", path: string, body?: object][] = [
  ...[
    "account",
    "account/balance",
    "account/usage",
    "account/settings",
    "account/credits",
    "account/pricing",
  ].map((path): ["GET", string] => ["GET", path]),
  ["GET", "recipients/list?page=1&limit=25&country=US"],
  ["GET", "recipients/get/1001"],
  ["POST", "recipients/create", ADDRESS],
  ["POST", "recipients/update/1001", { city: "Leeds" }],
  ["POST", "recipients/delete/1001"],
  ["GET", "lists/list?page=1&limit=25"],
  ["GET", "lists/get/311"],
  ["GET", "lists/members/311"],
  ["POST", "lists/create", { name: "Ours" }],
  ["POST", "lists/update/311", { name: "Ours" }],
  ["POST", "lists/delete/311"],
  ["POST", "lists/add_recipient/312", { recipient_id: "1001" }],
  ["POST", "lists/remove_recipient/311", { recipient_id: 1001 }],
  ["GET", "campaigns/list?page=1&limit=25&status=draft"],
  ["GET", "campaigns/get/261"],
  ["POST", "campaigns/create", { name: "Ours", type: "letter", group_id: 311, template_id: 21005 }],
  ["POST", "campaigns/update/261", { name: "Theirs" }],
  ["POST", "campaigns/send/262"],
  ["POST", "campaigns/cancel/263"],
  ["GET", "mailings/list?page=1&limit=25&type=letter"],
  ["GET", "mailings/get/16799901"],
  ["GET", "mailings/events/16799901"],
  [
    "POST",
    "mailings/create",
    { type: "flyer", size: "6x4", template_id: 21001, recipient_id: 1001, test: true },
  ],
  ["POST", "mailings/cancel/16799908"],
  ...(["postcards", "letters"] as const).flatMap((name): ["GET" | "POST", string, object?][] => {
    const [cancelled, piece] = name === "letters" ? ["16799904", "16799902"] : ["16799908", "16799901"];
    return [
      ["GET", `${name}/list?page=1&limit=25&status=delivered`],
      ["GET", `${name}/get/${piece}`],
      ["POST", `${name}/create`, { ...postcard({ size: "", test: true }), file: PDF_BASE64 }],
      ["POST", `${name}/send/${piece}`],
      ...(name === "letters" ? ([["POST", `${name}/delete/${cancelled}`]] as ["POST", string][]) : []),
    ];
  }),
  ["POST", "postcards/cancel", { id: 16_799_908 }],
  ["GET", "events/list?page=1&limit=25&type=sent"],
  ["GET", "events/get/9001"],
  ["GET", "files/list?page=1&limit=25"],
  ["GET", "files/get/335"],
  ["POST", "files/upload", { file: PDF_BASE64 }],
  ["POST", "files/delete/335"],
  ["GET", "reports/summary"],
  ["GET", "reports/campaigns/get/261"],
  ["GET", "selections/list"],
  ["GET", "selections/get/1231"],
  ["POST", "selections/create", { group_id: 311 }],
  ["GET", "addresses/lookup?postcode=97205"],
  ["POST", "addresses/validate", { address1: "1 Elm Street" }],
  ["GET", "objects/list"],
  ["GET", "objects/get/recipient"],
  ["GET", "templates/list"],
  ["GET", "templates/get/21001"],
  ["GET", "batches/list?status=completed"],
  ["GET", "batches/get/701"],
  ["POST", "batches/create", { name: "Ours" }],
  ["GET", "webhooks/list"],
  ["POST", "webhooks/create", { url: "https://hooks.example.com/x" }],
  ["POST", "webhooks/delete/11"],
  ["GET", "test/address?address1=1+Elm+Street"],
  ["POST", "test/address", { address1: "1 Elm Street" }],
];

describe("the presets of the console", () => {
  test.each(PRESETS)("%s %s succeeds", async (method, path, body = {}) => {
    const provider = await start();
    const answer = await (method === "GET" ? get(provider, path) : postJson(provider, path, body));
    expect(answer.body).toMatchObject({ success: true, data: expect.anything() });
    expect(answer.status).toBe(200);
    if (
      method === "POST" &&
      !PRESETS.some(([verb, known]) => verb === "GET" && known.startsWith(`${path}?`))
    ) {
      expect((await get(provider, path)).status).toBe(404);
    }
  });

  test("filters narrow a list, and a piece that is not cancelled cannot be deleted", async () => {
    const provider = await start();
    const letters = (await get(provider, "mailings/list?type=letter")).body.data;
    expect(new Set(letters.map(({ type }: { type: string }) => type))).toEqual(new Set(["letter"]));
    expect((await get(provider, "mailings/list?status=draft")).body.data).toEqual([]);
    expect((await postJson(provider, "postcards/delete/16799901", {})).status).toBe(400);
    await postJson(provider, "mailings/cancel/16799908", {});
    expect((await postJson(provider, "postcards/delete/16799908", {})).body.data).toBe(1);
    expect((await get(provider, "postcards/get/16799908")).status).toBe(404);
    expect((await postJson(provider, "letters/cancel", { id: 16_799_904 })).status).toBe(400);
  });
});

describe("faults", () => {
  const send = (provider: MailProvider) =>
    postRaw(provider, "postcards/create", JSON.stringify(postcard()), { "Content-Type": "application/json" });
  const sendAndFail = (provider: MailProvider) => expect(send(provider)).rejects.toThrow();

  test("status: any status with body and headers, once, nothing done", async () => {
    const provider = await start();
    const fault = provider.fail({
      kind: "status",
      status: 503,
      body: "busy",
      headers: { "Retry-After": "7" },
    });
    const broken = await send(provider);
    expect([broken.status, await broken.text(), broken.headers.get("retry-after")]).toEqual([
      503,
      "busy",
      "7",
    ]);
    expect(provider.pieces).toEqual([]);
    expect((await send(provider)).status).toBe(200);
    expect(fault.hits).toBe(1);
    provider.fail({ kind: "status", status: 204 });
    const empty = await send(provider);
    expect([empty.status, empty.headers.get("content-length"), await empty.text()]).toEqual([204, null, ""]);
  });

  test("a rule meets only its path and method, and as often as it says", async () => {
    const provider = await start();
    const unmet = provider.fail({ kind: "status", status: 500, path: "accounts" });
    provider.fail({
      kind: "status",
      status: 500,
      path: "postcards/(create|cancel)",
      method: "post",
      times: 2,
    });
    provider.fail({ kind: "status", status: 418, path: /^account/, times: "always" });
    expect((await get(provider, "postcards/create")).status).toBe(404);
    expect([(await send(provider)).status, (await send(provider)).status]).toEqual([500, 500]);
    expect((await send(provider)).status).toBe(200);
    for (let call = 0; call < 3; call++) expect((await get(provider, "accounts/balance")).status).toBe(418);
    expect(unmet.hits).toBe(0);
  });

  test("a rule with a chance meets its share, until it is released", async () => {
    let draws = 0;
    const provider = await start({ random: () => (draws++ % 4) / 4 });
    const fault = provider.fail({ kind: "status", status: 500, times: "always", chance: 0.5 });
    const ask = async () => (await get(provider, "accounts/balance")).status;
    const statuses = [];
    for (let call = 0; call < 8; call++) statuses.push(await ask());
    expect(statuses).toEqual([500, 500, 200, 200, 500, 500, 200, 200]);
    expect(fault.hits).toBe(4);
    fault.release();
    expect([await ask(), await ask()]).toEqual([200, 200]);
  });

  test("refuse200, html, redirect, rate-limit and respond answer without doing", async () => {
    const provider = await start();
    provider.fail({ kind: "refuse200" });
    const refused = await read(await send(provider));
    expect([refused.status, refused.body.success]).toEqual([200, false]);
    provider.fail({ kind: "html", status: 413 });
    const page = await send(provider);
    expect([page.status, page.headers.get("content-type")]).toEqual([413, "text/html"]);
    expect(await page.text()).toContain("413 Request Entity Too Large");
    provider.fail({ kind: "redirect", location: "https://elsewhere.example/" });
    const redirect = await send(provider);
    expect([redirect.status, redirect.headers.get("location")]).toEqual([302, "https://elsewhere.example/"]);
    provider.fail({ kind: "rate-limit", resetSeconds: 3 });
    const limited = await send(provider);
    expect([limited.status, limited.headers.get("x-ratelimit-reset")]).toEqual([429, "3"]);
    expect(limited.headers.get("x-ratelimit-remaining")).toBe("0");
    const big = JSON.stringify({ success: true, data: "x".repeat(1_000_000) });
    provider.fail({ kind: "respond", status: 201, body: big, gzip: true, headers: { "X-Big": "yes" } });
    const raw = await send(provider);
    expect([raw.status, raw.headers.get("content-encoding"), raw.headers.get("x-big")]).toEqual([
      201,
      "gzip",
      "yes",
    ]);
    expect(Number(raw.headers.get("content-length"))).toBeLessThan(10_000);
    expect(await raw.text()).toBe(big);
    expect(provider.pieces).toEqual([]);
  });

  test("reset-before does nothing, reset-after does it; neither answers", async () => {
    const provider = await start();
    provider.fail({ kind: "reset-before" });
    await sendAndFail(provider);
    expect(provider.pieces).toEqual([]);
    provider.fail({ kind: "reset-after" });
    await sendAndFail(provider);
    expect(provider.pieces).toHaveLength(1);
    expect(provider.received.map((request) => request.answeredStatus)).toEqual([null, null]);
  });

  test("error-after, unreadable and truncate do it and spoil the answer", async () => {
    const provider = await start();
    provider.fail({ kind: "error-after" });
    expect((await send(provider)).status).toBe(500);
    expect(provider.pieces).toHaveLength(1);
    provider.fail({ kind: "unreadable" });
    const unreadable = await send(provider);
    expect(unreadable.status).toBe(200);
    const text = await unreadable.text();
    expect(() => JSON.parse(text)).toThrow();
    expect(provider.pieces).toHaveLength(2);
    provider.fail({ kind: "truncate" });
    const half = await send(provider);
    expect(half.status).toBe(200);
    await expect(half.text()).rejects.toThrow();
    expect(provider.pieces).toHaveLength(3);
  });

  test("what was done before a spoilt answer is replayed to the same key", async () => {
    const provider = await start();
    const body = postcard({ idempotency_key: "send-000000000002" });
    provider.fail({ kind: "error-after" });
    expect((await postJson(provider, "postcards/create", body)).status).toBe(500);
    const replay = await postJson(provider, "postcards/create", body);
    expect([replay.status, replay.body.success, replay.body.data.id]).toEqual([409, true, 16_800_001]);
    expect(provider.pieces).toHaveLength(1);
  });

  test.each([
    ["before", 0],
    ["after", 1],
  ] as const)("timeout: never answers, %s doing it", async (moment, pieces) => {
    const provider = await start();
    const fault = provider.fail({ kind: "timeout", moment });
    const caller = new AbortController();
    const answer = fetch(`${provider.baseUrl}/postcards/create`, {
      method: "POST",
      headers: { ...authorize(), "Content-Type": "application/json" },
      body: JSON.stringify(postcard()),
      signal: caller.signal,
    });
    await expect.poll(() => fault.hits).toBe(1);
    // Another request is answered meanwhile: the silent one is silent for good, not slow.
    expect((await get(provider, "users/me")).status).toBe(200);
    await expect.poll(() => provider.pieces.length).toBe(pieces);
    expect(provider.received[0]?.answeredStatus).toBeNull();
    caller.abort();
    await expect(answer).rejects.toThrow();
  });

  test.each([
    ["before", 0],
    ["after", 1],
  ] as const)("hold waits for its release, %s doing it", async (moment, pieces) => {
    const provider = await start();
    const fault = provider.fail({ kind: "hold", moment, times: "always" });
    const answer = send(provider);
    await expect.poll(() => fault.hits).toBe(1);
    await expect.poll(() => provider.pieces.length).toBe(pieces);
    expect(provider.received[0]?.answeredStatus).toBeNull();
    fault.release();
    expect((await answer).status).toBe(200);
    expect(provider.pieces).toHaveLength(1);
    expect((await send(provider)).status).toBe(200);
    expect(fault.hits).toBe(1);
  });

  test("a held request is done after its release although the caller has gone", async () => {
    const provider = await start();
    const fault = provider.fail({ kind: "hold" });
    const caller = new AbortController();
    const headers = { ...authorize(), "Content-Type": "application/json" };
    const body = JSON.stringify(postcard());
    const url = `${provider.baseUrl}/postcards/create`;
    const answer = fetch(url, { method: "POST", headers, body, signal: caller.signal });
    await expect.poll(() => fault.hits).toBe(1);
    caller.abort();
    await expect(answer).rejects.toThrow();
    fault.release();
    await expect.poll(() => provider.pieces.length).toBe(1);
  });

  test("slow answers after its delay", async () => {
    const provider = await start();
    provider.fail({ kind: "slow", delayMs: 120 });
    const startedAt = performance.now();
    expect((await send(provider)).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(110);
  });

  test("answer-test and answer-live do the other thing than was asked", async () => {
    const provider = await start();
    provider.fail({ kind: "answer-test" });
    expect((await read(await send(provider))).body.data).toMatchObject({ id: 0, status: "test" });
    provider.fail({ kind: "answer-live" });
    const live = await postJson(provider, "postcards/create", postcard({ test: true }));
    expect(live.body.data).toMatchObject({ id: 16_800_001, status: "received" });
    expect(provider.pieces.map(({ test }) => test)).toEqual([true, false]);
  });

  test("echo-key gives the key away in every spelling", async () => {
    const provider = await start();
    provider.fail({ kind: "echo-key" });
    const echo = await read(await send(provider));
    const spellings = [
      KEY,
      Buffer.from(KEY).toString("base64"),
      Buffer.from(`${KEY}:`).toString("base64"),
      encodeURIComponent(KEY),
    ];
    for (const spelling of spellings) expect(echo.text).toContain(spelling);
    expect(echo.headers.get("x-echo-authorization")).toBe(authorize().Authorization);
    expect(echo.headers.get("x-echo-key")).toBe(encodeURIComponent(KEY));
    provider.fail({ kind: "echo-key", status: 400 });
    expect((await read(await send(provider))).body.error).toContain(KEY);
  });

  test("a rule that is none is refused", async () => {
    const provider = await start();
    expect(() => provider.fail({ kind: "status", status: 999 })).toThrow();
    expect(() => provider.fail({ kind: "status", status: 500, path: "(" })).toThrow();
    expect(() => provider.fail({ kind: "respond", headers: { "X-A": "line\nbreak" } })).toThrow();
  });
});

describe("from another process", () => {
  const control = async (provider: MailProvider, name: string, body?: string) =>
    read(
      await fetch(
        `${provider.origin}/__emulator/${name}`,
        body === undefined ? {} : { method: "POST", body },
      ),
    );

  test("received requests, pieces, faults, release and reset have addresses", async () => {
    const provider = await start();
    expect((await control(provider, "fail", '{"kind":"hold","path":"postcards/create"}')).status).toBe(200);
    expect((await control(provider, "fail", '{"kind":"nonsense"}')).status).toBe(400);
    expect((await control(provider, "fail", "not json")).status).toBe(400);
    const answer = postForm(provider, "postcards/create?x=1&x=2", {
      "recipient[firstname]": "Zoë",
      "recipient[__proto__]": "p",
      "list[]": "a",
      front: PDF_BASE64,
    });
    await expect.poll(() => provider.received.length).toBe(1);
    await control(provider, "release", "");
    expect((await answer).status).toBe(200);
    const [request] = (await control(provider, "received")).body;
    expect(request).toMatchObject({
      method: "POST",
      path: "postcards/create",
      prefix: "/v1",
      rawUrl: "/v1/postcards/create?x=1&x=2",
      query: [
        ["x", "1"],
        ["x", "2"],
      ],
      headers: { authorization: authorize().Authorization },
      contentType: "application/x-www-form-urlencoded;charset=UTF-8",
      body: { recipient: { firstname: "Zoë" }, list: ["a"] },
      answeredStatus: 200,
    });
    expect(Buffer.from(request.rawBase64, "base64").toString()).toBe(request.rawText);
    expect((await control(provider, "pieces")).body).toMatchObject([{ id: 16_800_001, status: "received" }]);
    await control(provider, "reset", "");
    expect(provider.received).toEqual([]);
    expect(provider.pieces).toEqual([]);
    expect((await control(provider, "nothing")).status).toBe(404);
  });

  test("reset gives the starting data back and drops rules, keys and waiting requests", async () => {
    const provider = await start();
    await postJson(provider, "recipients/delete", { id: "1001" });
    const waiting = provider.fail({ kind: "hold", path: "postcards/create" });
    const held = postRaw(
      provider,
      "postcards/create",
      new URLSearchParams({ recipient: "1002", front: PDF_BASE64 }),
    );
    const dropped = expect(held).rejects.toThrow();
    await expect.poll(() => waiting.hits).toBe(1);
    provider.fail({ kind: "status", status: 500, times: "always" });
    provider.reset();
    await dropped;
    expect((await get(provider, "recipients/get/1001")).status).toBe(200);
    expect(provider.pieces).toEqual([]);
  });
});

describe("hostile input", () => {
  test("bodies that are not what they claim are refused and kept as they came", async () => {
    const provider = await start();
    const post = async (body: string, type: string) =>
      (await postRaw(provider, "postcards/create", body, { "Content-Type": type })).status;
    expect(await post("{", "application/json")).toBe(400);
    expect(await post(`{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, "application/json")).toBe(400);
    expect(await post("no parts", "multipart/form-data; boundary=x")).toBe(400);
    expect(await post("no parts", "multipart/form-data")).toBe(400);
    expect(await post("[1,2]", "application/json")).toBe(400);
    expect(await post(`recipient${"[a]".repeat(5000)}=1`, "application/x-www-form-urlencoded")).toBe(400);
    expect(await post('{"recipient":{"constructor":"x"},"front":true}', "application/json")).toBe(400);
    expect(provider.received[0]).toMatchObject({ rawText: "{", body: null, answeredStatus: 400 });
    expect(provider.received[1]?.body).toBeNull();
    expect((await get(provider, "users/me")).status).toBe(200);
  });

  test("odd targets, broken requests and lost callers do not stop it", async () => {
    const provider = await start();
    const { port } = new URL(provider.origin);
    const statusOf = (path: string) =>
      new Promise((resolve, reject) => {
        const request = httpGet({ port, host: "127.0.0.1", path, headers: authorize() }, (response) => {
          response.resume().on("end", () => resolve(response.statusCode));
        });
        request.on("error", reject);
      });
    for (const path of [
      "/",
      "/v1",
      "/v1/%E0%A4%A",
      "/v1/../v1/users/me",
      "/__emulator/",
      "/v1/constructor",
    ]) {
      expect(await statusOf(path)).toBe(404);
    }
    expect(await statusOf("/v1//users/%6de/")).toBe(200);
    const speak = (bytes: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(Number(port), "127.0.0.1", () => socket.end(bytes));
        let received = "";
        socket.on("data", (chunk) => (received += chunk)).on("error", () => {});
        socket.on("close", () => resolve(received));
      });
    expect(await speak("NOT HTTP\r\n\r\n")).toContain("400 Bad Request");
    await speak("POST /v1/postcards/create HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf");
    expect(await statusOf("/v1/users/me")).toBe(200);
  });

  test("close ends waiting requests and frees the port; a taken port is refused", async () => {
    const provider = await start();
    const fault = provider.fail({ kind: "hold" });
    const ended = expect(get(provider, "users/me")).rejects.toThrow();
    await expect.poll(() => fault.hits).toBe(1);
    const port = Number(new URL(provider.origin).port);
    await expect(startMailProvider({ apiKey: KEY, port })).rejects.toThrow("EADDRINUSE");
    await provider.close();
    await ended;
    running.push(await startMailProvider({ apiKey: KEY, port }));
  });
});
