import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type MailProvider, startMailProvider } from "../../emulators/mail-provider";
import { findFreePort } from "../../support/console/console-process";
import { APP_ORIGIN, type ProxyProcess, startProxy } from "../../support/console/proxy-process";

const KEY = "emulator-key-0000000000000001";
const NOTHING = "Nothing was sent and nothing was charged.";
const RECIPIENT = {
  firstname: "Ana",
  address1: "1 High St",
  city: "Austin",
  postcode: "78701",
  country: "US",
};
const LETTER = { template: "", pages: "<p>Hello</p>", recipient: RECIPIENT };

let provider: MailProvider;
let proxy: ProxyProcess;
let keyless: ProxyProcess;
/** With time enough for large bodies on a slow machine. */
let patient: ProxyProcess;
/** A provider that answers as each test says. */
let raw: Server;
let answerRaw: (request: IncomingMessage, response: ServerResponse) => void;
let bases: { us: string; dash: string; raw: string; closed: string };

beforeAll(async () => {
  provider = await startMailProvider({ apiKey: KEY, rateLimitPerMinute: 100_000 });
  raw = createServer((request, response) => answerRaw(request, response)).listen(0, "127.0.0.1");
  await once(raw, "listening");
  bases = {
    us: provider.baseUrl,
    dash: `${provider.origin}/api/v1`,
    raw: `http://127.0.0.1:${(raw.address() as AddressInfo).port}/v1`,
    closed: `http://127.0.0.1:${await findFreePort()}/v1`,
  };
  const variables = {
    STANNP_BASE_URLS: `US=${bases.us},Dash=${bases.dash},Raw=${bases.raw},Closed=${bases.closed}`,
    STANNP_TIMEOUT_MS: "1500",
  };
  [proxy, keyless, patient] = await Promise.all([
    startProxy({ ...variables, STANNP_API_KEY: KEY, STANNP_ALLOW_PATHS: "campaigns/book" }),
    startProxy(variables),
    startProxy({ STANNP_API_KEY: KEY, STANNP_BASE_URLS: `Raw=${bases.raw}` }),
  ]);
});

afterEach(() => provider.reset());

afterAll(async () => {
  await Promise.all([proxy?.stop(), keyless?.stop(), patient?.stop(), provider?.close()]);
  raw?.closeAllConnections();
  raw?.close();
});

describe("who may call", () => {
  const probe = { path: "__probe__", method: "GET", auth: { strategy: "env" } };

  test("the probe tells whether there is a key, without a call outside", async () => {
    const asked = await proxy.send(probe);
    expect([asked.status, asked.json]).toEqual([200, { hasServerKey: true }]);
    expect((await keyless.send(probe)).json).toEqual({ hasServerKey: false });
    expect(provider.received).toHaveLength(0);
  });

  test("without a key nothing is sent", async () => {
    const asked = await keyless.send({ path: "recipients/list", method: "GET" });
    expect(asked.status).toBe(503);
    expect(asked.json.error).toMatch(
      /^No server key configured.*Nothing was sent and nothing was charged\.$/,
    );
    expect(provider.received).toHaveLength(0);
  });

  test("nobody without a session", async () => {
    const asked = await proxy.send(probe, { headers: { Cookie: "" } });
    expect([asked.status, asked.json.success]).toEqual([401, false]);
    expect((await proxy.send(probe, { headers: { Cookie: `${proxy.cookie}x` } })).status).toBe(401);
  });

  test.each([
    { Origin: "https://evil.test" },
    { Origin: "null" },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site", Origin: APP_ORIGIN },
  ])("no other site: %j", async (headers) => {
    const asked = await proxy.send(probe, { headers: headers as Record<string, string> });
    expect(asked.status).toBe(403);
    expect(asked.json.error).toContain(NOTHING);
  });

  test("the page itself and a script", async () => {
    const page = { Origin: APP_ORIGIN, "Sec-Fetch-Site": "same-origin" };
    expect((await proxy.send(probe, { headers: page })).status).toBe(200);
    expect((await proxy.send(probe)).status).toBe(200);
  });

  test("by POST alone", async () => {
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      const reply = await fetch(proxy.url, { method, headers: { Cookie: proxy.cookie } });
      expect([reply.status, reply.headers.get("Allow")]).toEqual([405, "POST"]);
      expect((await reply.json()).error).toContain(NOTHING);
    }
  });
});

describe("what is sent and comes back", () => {
  test("a list: the inner data, the body verbatim, the provider's headers, one credential", async () => {
    const asked = await proxy.send({
      baseUrl: bases.us,
      path: "recipients/list",
      method: "GET",
      query: { limit: 2, offset: "0", debug: false },
      headers: { Accept: "application/json", "X-Trace": "t-1" },
      auth: { strategy: "env" },
      flags: { appendJson: true },
      user_id: "auth-ana",
    });
    expect(asked.status).toBe(200);
    const { json } = asked;
    expect(json).toMatchObject({ status: 200, error: null, hint: null, credits: null });
    expect(json.data).toHaveLength(2);
    expect(JSON.parse(json.text ?? "")).toEqual({ success: true, data: json.data });
    expect(json.headers["x-ratelimit-limit"]).toBe("100000");
    expect(json.url).toBe(`${bases.us}/recipients/list?limit=2&offset=0&debug=false`);
    expect(json.request).toEqual({
      method: "GET",
      url: json.url,
      headers: {
        accept: "application/json",
        "accept-encoding": "identity",
        "user-agent": "Mailroom",
        "x-trace": "t-1",
        authorization: "Basic [hidden]",
      },
      body: null,
    });
    const [received] = provider.received;
    expect(provider.received).toHaveLength(1);
    expect(received?.rawUrl).toBe("/v1/recipients/list?limit=2&offset=0&debug=false");
    expect(received?.headers.authorization).toBe(`Basic ${Buffer.from(`${KEY}:`).toString("base64")}`);
    expect(received?.headers["x-trace"]).toBe("t-1");
    expect(asked.headers.get("Cache-Control")).toBe("no-store");
  });

  test("the first base URL is the default", async () => {
    const asked = await proxy.send({ path: "recipients/list", method: "get", user_id: null });
    expect(asked.json.url).toBe(`${bases.us}/recipients/list`);
    expect(asked.json.status).toBe(200);
  });

  test(".json is forced on for the dash base alone", async () => {
    const call = { path: "account/balance", method: "GET" };
    await proxy.send({ ...call, baseUrl: bases.dash, flags: { appendJson: false } });
    await proxy.send({ ...call, baseUrl: bases.us, flags: { appendJson: true } });
    expect(provider.received.map(({ rawUrl }) => rawUrl)).toEqual([
      "/api/v1/account/balance.json",
      "/v1/account/balance",
    ]);
  });

  test("JSON goes as JSON, forms as bracketed fields", async () => {
    const body = { firstname: "Ana", tags: ["a", "b"], recipient: { city: "X" } };
    await proxy.send({ path: "recipients/new", method: "POST", body });
    await proxy.send({
      path: "recipients/new",
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body,
    });
    expect(provider.received.map(({ contentType, rawText }) => [contentType, rawText])).toEqual([
      ["application/json", '{"firstname":"Ana","tags":"a,b","recipient":{"city":"X"}}'],
      ["application/x-www-form-urlencoded", "firstname=Ana&tags=a%2Cb&recipient%5Bcity%5D=X"],
    ]);
  });

  test("a GET carries no body", async () => {
    await proxy.send({ path: "recipients/list", method: "GET", body: { a: 1 } });
    expect(provider.received[0]?.rawText).toBe("");
    expect(provider.received[0]?.contentType).toBe("");
  });

  test.each(["postcards/cancel", "letters/cancel"])("%s always goes as a form", async (path) => {
    const asked = await proxy.send({
      path,
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: { id: 12 },
    });
    expect(asked.json.request?.body).toBe("id=12");
    expect(provider.received[0]?.contentType).toBe("application/x-www-form-urlencoded");
    expect(provider.received[0]?.body).toEqual({ id: "12" });
  });

  test("a long body is cut in the echo only", async () => {
    const body = { pages: "x".repeat(300_000) };
    const asked = await proxy.send({ path: "recipients/new", method: "POST", body });
    expect(asked.json.request?.body).toMatch(/\n\[cut here: 300012 characters were sent\]$/);
    expect(asked.json.request?.body?.length).toBeLessThan(263_000);
    expect(provider.received[0]?.rawText).toBe(JSON.stringify(body));
  });

  test("files of several megabytes come through, up and down", async () => {
    const payload = JSON.stringify({ success: true, data: ["\u00e9\u4e2d\\".repeat(700_000), 1.5] });
    const seen: number[] = [];
    answerRaw = async (request, response) => {
      let size = 0;
      for await (const chunk of request) size += chunk.length;
      seen.push(size);
      response.end(payload);
    };
    const body = { file: "A".repeat(15 * 1024 * 1024) };
    const asked = await patient.send({ baseUrl: bases.raw, path: "files/upload", method: "POST", body });
    expect(seen).toEqual([JSON.stringify(body).length]);
    expect(asked.json.text).toBe(payload);
    expect(asked.json.data).toEqual(JSON.parse(payload).data);
  });
});

describe("mail", () => {
  test.each([true, 1, "true", "1", "YES", " on "])(
    "test %j is sent as one boolean, no credits",
    async (value) => {
      const asked = await proxy.send({
        path: "letters/create",
        method: "POST",
        body: { ...LETTER, test: value },
      });
      expect(asked.json).toMatchObject({
        status: 200,
        error: null,
        credits: null,
        data: { id: 0, status: "test" },
      });
      expect(provider.received[0]?.body).toMatchObject({ test: true });
      expect(provider.pieces).toMatchObject([{ test: true }]);
    },
  );

  test.each([
    ["letters/create", "letter", LETTER],
    ["POSTCARDS/Create.json", "postcard", { size: "4x6", template: "21001", recipient: RECIPIENT }],
  ])("%s without test is live, and says that no credits were charged", async (path, mailType, body) => {
    const asked = await proxy.send({ path, method: "POST", body, user_id: "u-7" });
    expect(asked.status).toBe(200);
    expect(asked.json.credits).toEqual({
      success: false,
      mailType,
      creditsDeducted: 0,
      newBalance: null,
      userId: "u-7",
      error: "Credits are not tracked: no database is configured, so none were charged.",
    });
    expect(provider.received[0]?.body).toMatchObject({ test: false });
    expect(provider.received[0]?.path).toBe(`${mailType}s/create`);
  });

  test("a form-encoded live send has test=0", async () => {
    await proxy.send({
      path: "letters/create",
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: { ...LETTER, test: "no" },
    });
    expect(provider.received[0]?.body).toMatchObject({ test: "0", recipient: RECIPIENT });
    expect(provider.pieces).toMatchObject([{ test: false }]);
  });

  test("one key and one body make one piece, whatever the number of sends", async () => {
    const call = { path: "letters/create", method: "POST", body: LETTER, idempotency_key: "draft-0000001" };
    const first = await proxy.send(call);
    const second = await proxy.send(call);
    const changed = await proxy.send({ ...call, body: { ...LETTER, pages: "<p>Other</p>" } });
    expect(first.json).toMatchObject({ status: 200, error: null });
    expect(second.json).toMatchObject({ status: 409, error: null, data: first.json.data });
    expect(second.json.hint).toContain("nothing was done a second time");
    expect(changed.json).toMatchObject({ status: 200, error: null });
    expect(provider.pieces).toHaveLength(2);
  });

  test.each([
    ["postcards/create/1", 400],
    ["postcard/create", 400],
    ["letters/create%20", 400],
    ["accounts/topup", 403],
    ["sms/create", 403],
    ["letters/batch", 403],
  ])("%s is refused before any call", async (path, status) => {
    const asked = await proxy.send({ path, method: "POST", body: {} });
    expect(asked.status).toBe(status);
    expect(asked.json.error).toContain(NOTHING);
    expect(provider.received).toHaveLength(0);
  });

  test("a path named in STANNP_ALLOW_PATHS passes", async () => {
    await proxy.send({ path: "Campaigns/Book", method: "POST", body: { id: 1 } });
    expect(provider.received.map(({ path }) => path)).toEqual(["campaigns/book"]);
  });
});

describe("when the provider refuses or fails", () => {
  const list = { path: "recipients/list", method: "GET" };
  const live = { path: "letters/create", method: "POST", body: LETTER };

  test("200 with success:false is an error with the provider's reason", async () => {
    provider.fail({ kind: "refuse200", error: "Failed to download the front image" });
    const asked = await proxy.send(live);
    expect(asked.status).toBe(200);
    expect(asked.json).toMatchObject({ status: 200, error: "Failed to download the front image" });
  });

  test("429 says when to come back", async () => {
    provider.fail({ kind: "rate-limit", resetSeconds: 17 });
    const asked = await proxy.send(list);
    expect(asked.json.status).toBe(429);
    expect(asked.json.hint).toContain("in 17 s");
    expect(asked.json.headers["x-ratelimit-reset"]).toBe("17");
  });

  test("a web server's page is told in words", async () => {
    provider.fail({ kind: "html", status: 502 });
    const asked = await proxy.send(list);
    expect(asked.json).toMatchObject({ status: 502, data: null });
    expect(asked.json.error).toContain("temporarily unavailable");
    expect(asked.json.text).toContain("<");
  });

  test("an unreadable answer to a live send warns before it is repeated", async () => {
    provider.fail({ kind: "unreadable" });
    const asked = await proxy.send(live);
    expect(asked.json.error).toContain("Invalid JSON response: <<not json");
    expect(asked.json.hint).toContain("look for it there before you send it again");
    expect(provider.pieces).toHaveLength(1);
  });

  test.each(["timeout", "reset-before", "reset-after", "truncate"] as const)(
    "%s of a live send: 202, pending, never sent again by itself",
    async (kind) => {
      provider.fail({ kind });
      const asked = await proxy.send(live);
      expect(asked.status).toBe(202);
      expect(asked.json).toMatchObject({ pending: true, status: null, data: null, text: null });
      expect(asked.json.error).toContain("The provider may have accepted this letter.");
      expect(asked.json.credits).toMatchObject({ success: false, creditsDeducted: 0 });
      expect(provider.received).toHaveLength(1);
    },
  );

  test.each([
    ["timeout", 504],
    ["reset-before", 502],
    ["truncate", 502],
  ] as const)("%s of a list: %i", async (kind, status) => {
    provider.fail({ kind });
    const asked = await proxy.send(list);
    expect(asked.status).toBe(status);
    expect(asked.json.error).toContain("Nothing was changed and nothing was charged.");
    expect(asked.json.pending).toBeUndefined();
  });

  test("a closed port: nothing was sent, live or not", async () => {
    for (const call of [list, live]) {
      const asked = await proxy.send({ ...call, baseUrl: bases.closed });
      expect(asked.status).toBe(502);
      expect(asked.json.error).toBe(
        `The provider could not be reached: it refused the connection. ${NOTHING}`,
      );
    }
  });

  test("redirects are shown, not followed", async () => {
    const visited: string[] = [];
    answerRaw = (request, response) => {
      visited.push(request.url ?? "");
      response.end("{}");
    };
    provider.fail({ kind: "redirect", location: `${bases.raw}/caught`, status: 307 });
    const asked = await proxy.send(live);
    expect(asked.json).toMatchObject({ status: 307, headers: { location: `${bases.raw}/caught` } });
    expect(asked.json.error).toContain("redirect (307)");
    expect(visited).toEqual([]);
  });

  test("an answer over 60 MB is cut off", async () => {
    let written = 0;
    answerRaw = (_request, response) => {
      const chunk = Buffer.alloc(1024 * 1024, "x");
      const pour = () => {
        while (written < 200 && !response.destroyed) {
          written++;
          if (!response.write(chunk)) return response.once("drain", pour);
        }
        return response.end();
      };
      pour();
    };
    const asked = await patient.send({ ...list, baseUrl: bases.raw });
    expect(asked.status).toBe(502);
    expect(asked.json.error).toContain("larger than 60 MB and was cut off");
    expect(written).toBeLessThan(200);
  });
});

describe("when the caller goes away", () => {
  /** Sends, hangs up once the provider has the request, and tells whether the proxy hung up as well. */
  async function hangUp(call: object): Promise<ServerResponse> {
    const arrived = new Promise<ServerResponse>((resolve) => {
      answerRaw = (_request, response) => resolve(response);
    });
    const caller = new AbortController();
    const asked = proxy.send({ ...call, baseUrl: bases.raw }, { signal: caller.signal });
    const response = await arrived;
    caller.abort();
    await expect(asked).rejects.toThrow();
    return response;
  }

  test("a list is stopped at the provider too", async () => {
    const response = await hangUp({ path: "stopped/list", method: "GET" });
    await once(response, "close");
    expect(response.writableFinished).toBe(false);
    await proxy.waitForOutput('"providerPath":"stopped/list"');
  });

  test("a live letter goes on to its end", async () => {
    const response = await hangUp({
      path: "letters/post",
      method: "POST",
      body: { country: "US", pdf: "https://pictures.invalid/a.pdf" },
    });
    // The proxy has noticed by the time it has answered someone else.
    await proxy.send({ path: "__probe__", method: "GET" });
    response.end('{"success":true,"data":{"id":7}}');
    await proxy.waitForOutput('"providerPath":"letters/post"');
    const line = proxy
      .output()
      .split("\n")
      .find((text) => text.includes('"providerPath":"letters/post"'));
    expect(JSON.parse(line ?? "")).toMatchObject({ providerStatus: 200, userId: "auth-ana", method: "POST" });
  });
});

describe("bodies that are refused", () => {
  const wrap = (body: string) => `{"path":"recipients/new","method":"POST","body":${body}}`;

  test.each([
    ["not JSON", "{"],
    ["an empty body", ""],
    ["nested 7,000 deep", wrap("[".repeat(7_000) + "]".repeat(7_000))],
    ["nested 7,000 deep as text", wrap(JSON.stringify("[".repeat(7_000) + "]".repeat(7_000)))],
    ["NUL", wrap('{"a":"\\u0000"}')],
    ["a lone surrogate", wrap('{"a":"\\ud800"}')],
    ["__proto__", wrap('{"__proto__":{"test":true}}')],
    ["__proto__ in escapes", wrap('[{"__pro\\u0074o__":1}]')],
    ["__proto__ at the top", '{"__proto__":{"path":"x"},"path":"recipients/new","method":"POST"}'],
    ["a number out of range", wrap('{"a":1e999}')],
    ["no object", "[]"],
    ["null", "null"],
    ["no path", '{"method":"GET"}'],
    ["an unknown method", '{"path":"a","method":"TRACE"}'],
    ["another strategy", '{"path":"a","method":"GET","auth":{"strategy":"bearer"}}'],
    ["a list as query", '{"path":"a","method":"GET","query":["a"]}'],
    ["nested headers", '{"path":"a","method":"GET","headers":{"a":{"b":1}}}'],
    ["a short idempotency key", '{"path":"a","method":"GET","idempotency_key":"short"}'],
    ["another content type", '{"path":"a","method":"POST","headers":{"content-type":"text/xml"},"body":{}}'],
  ])("%s", async (_name, body) => {
    const asked = await proxy.send(null, { body });
    expect(asked.status).toBe(400);
    expect(asked.json.success).toBe(false);
    expect(asked.json.error).toContain(NOTHING);
    expect(provider.received).toHaveLength(0);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])(
    "content type %j",
    async (type) => {
      const asked = await proxy.send({ path: "a", method: "GET" }, { headers: { "Content-Type": type } });
      expect(asked.status).toBe(415);
      expect(asked.json.error).toContain(NOTHING);
    },
  );

  test("bytes that are not UTF-8", async () => {
    const asked = await proxy.send(null, { body: Buffer.from('{"path":"\xff"}', "latin1") });
    expect(asked.status).toBe(400);
  });

  test("over 20 MB, with and without its length announced", async () => {
    const announced = await proxy.send(null, { body: Buffer.alloc(21 * 1024 * 1024, "x") });
    expect(announced.status).toBe(413);
    expect(announced.json.error).toMatch(/^Request too large: it may have 20 MB at most\..*Nothing was sent/);
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ < 30) controller.enqueue(Buffer.alloc(1024 * 1024, "x"));
        else controller.close();
      },
    });
    const streamed = await proxy.send(null, { body: stream, duplex: "half" } as RequestInit);
    expect(streamed.status).toBe(413);
    expect((await proxy.send({ path: "__probe__", method: "GET" })).status).toBe(200);
  });
});
