import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { listen } from "../../emulators/listen";
import { type MailProvider, startMailProvider } from "../../emulators/mail-provider";
import type { FaultRule } from "../../emulators/mail-provider/faults/fault-rule";
import { RECIPIENT } from "../../support/console/mail-console";
import { type ProxyProcess, startProxy } from "../../support/console/proxy-process";

const KEY = "emulator-key-0000000000000001";
const NOTHING = "Nothing was sent and nothing was charged.";
const LETTER = { template: "", pages: "<p>Hello</p>", recipient: RECIPIENT };

let provider: MailProvider;
let proxy: ProxyProcess;
/** A provider that answers as each test specifies. */
let raw: Awaited<ReturnType<typeof listen>>;
let answerRaw: (request: IncomingMessage, response: ServerResponse) => void;
let bases: { us: string; dash: string; raw: string; closed: string };

beforeAll(async () => {
  provider = await startMailProvider({ apiKey: KEY, rateLimitPerMinute: 100_000 });
  raw = await listen(createServer((request, response) => answerRaw(request, response)));
  bases = {
    us: provider.baseUrl,
    dash: `${provider.origin}/api/v1`,
    raw: `http://127.0.0.1:${raw.port}/v1`,
    // No process takes a port this low.
    closed: "http://127.0.0.1:9/v1",
  };
  proxy = await startProxy({
    STANNP_API_KEY: KEY,
    STANNP_BASE_URLS: `US=${bases.us},Dash=${bases.dash},Raw=${bases.raw},Closed=${bases.closed}`,
  });
});

afterEach(() => provider.reset());

afterAll(async () => {
  await Promise.all([proxy?.stop(), provider?.close(), raw?.close()]);
});

describe("requests and answers", () => {
  test("a list: the inner data, the body verbatim, the provider's headers, one credential", async () => {
    const result = await proxy.send({
      baseUrl: bases.us,
      path: "recipients/list",
      method: "GET",
      body: { a: 1 },
      query: { limit: 2, offset: "0", debug: false },
      headers: { Accept: "application/json", "X-Trace": "t-1" },
      auth: { strategy: "env" },
      flags: { appendJson: true },
      user_id: "auth-ana",
    });
    expect(result.status).toBe(200);
    const { json } = result;
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
    expect([received?.rawText, received?.contentType]).toEqual(["", ""]);
    expect(result.headers.get("Cache-Control")).toBe("no-store");
  });

  test("a long body is cut in the echo only", async () => {
    const body = { pages: "x".repeat(300_000) };
    const result = await proxy.send({ path: "recipients/new", method: "POST", body });
    expect(result.json.request?.body).toMatch(/\n\[cut here: 300012 characters were sent\]$/);
    expect(result.json.request?.body?.length).toBeLessThan(263_000);
    expect(provider.received[0]?.rawText).toBe(JSON.stringify(body));
  });

  test("files of several megabytes pass in both directions", async () => {
    const payload = JSON.stringify({ success: true, data: ["\u00e9\u4e2d\\".repeat(700_000), 1.5] });
    const seen: number[] = [];
    answerRaw = async (request, response) => {
      let size = 0;
      for await (const chunk of request) size += chunk.length;
      seen.push(size);
      response.end(payload);
    };
    const body = { file: "A".repeat(15 * 1024 * 1024) };
    const result = await proxy.send({ baseUrl: bases.raw, path: "files/upload", method: "POST", body });
    expect(seen).toEqual([JSON.stringify(body).length]);
    expect(result.json.text).toBe(payload);
    expect(result.json.data).toEqual(JSON.parse(payload).data);
  });
});

test("a test in any spelling is sent as one boolean, no credits", async () => {
  const body = { ...LETTER, test: " YES " };
  const result = await proxy.send({ path: "letters/create", method: "POST", body });
  const data = { id: 0, status: "test" };
  expect(result.json).toMatchObject({ status: 200, error: null, credits: null, data });
  expect(provider.received[0]?.body).toMatchObject({ test: true });
  expect(provider.pieces).toMatchObject([{ test: true }]);
});

describe("when the provider refuses or fails", () => {
  const list = { path: "recipients/list", method: "GET" };
  const letter = { path: "letters/create", method: "POST", body: { ...LETTER, test: true } };
  const says = (text: string) => expect.stringContaining(text);
  const unchanged = { error: says("Nothing was changed and nothing was charged.") };
  const unsent = { error: `The provider could not be reached: it refused the connection. ${NOTHING}` };

  test.each<[string, FaultRule | "closed", typeof list | typeof letter, number, object]>([
    [
      "the provider's reason",
      { kind: "refuse200", error: "No picture" },
      letter,
      200,
      { error: "No picture" },
    ],
    [
      "when to come back",
      { kind: "rate-limit", resetSeconds: 17 },
      list,
      200,
      { status: 429, hint: says("in 17 s"), headers: { "x-ratelimit-reset": "17" } },
    ],
    [
      "a web server's page in words",
      { kind: "html", status: 502 },
      list,
      200,
      { status: 502, data: null, error: says("temporarily unavailable"), text: says("<") },
    ],
    [
      "an unreadable answer",
      { kind: "unreadable" },
      letter,
      200,
      { error: says("Invalid JSON response: <<not json") },
    ],
    ["connection lost before a list", { kind: "reset-before" }, list, 502, unchanged],
    ["cut answer to a list", { kind: "truncate" }, list, 502, unchanged],
    ["closed port, list", "closed", list, 502, unsent],
    ["closed port, test", "closed", letter, 502, unsent],
  ])("%s", async (_name, fault, call, status, answer) => {
    if (fault !== "closed") provider.fail(fault);
    const result = await proxy.send(fault === "closed" ? { ...call, baseUrl: bases.closed } : call);
    expect(result).toMatchObject({ status, json: answer });
    // A call without an answer is never repeated automatically.
    expect(provider.received).toHaveLength(fault === "closed" ? 0 : 1);
  });

  test("redirects are returned, not followed", async () => {
    const visited: string[] = [];
    answerRaw = (request, response) => {
      visited.push(request.url ?? "");
      response.end("{}");
    };
    provider.fail({ kind: "redirect", location: `${bases.raw}/caught`, status: 307 });
    const result = await proxy.send(letter);
    expect(result.json).toMatchObject({ status: 307, headers: { location: `${bases.raw}/caught` } });
    expect(result.json.error).toContain("redirect (307)");
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
    const result = await proxy.send({ ...list, baseUrl: bases.raw });
    expect(result.status).toBe(502);
    expect(result.json.error).toContain("larger than 60 MB and was cut off");
    expect(written).toBeLessThan(200);
  });
});

test("when the caller disconnects, a list request is aborted at the provider too", async () => {
  const arrived = new Promise<ServerResponse>((resolve) => {
    answerRaw = (_request, response) => resolve(response);
  });
  const caller = new AbortController();
  const call = { path: "stopped/list", method: "GET", baseUrl: bases.raw };
  const result = proxy.send(call, { signal: caller.signal });
  const response = await arrived;
  caller.abort();
  await expect(result).rejects.toThrow();
  await once(response, "close");
  expect(response.writableFinished).toBe(false);
  await expect.poll(proxy.output).toContain('"providerPath":"stopped/list"');
});

describe("refused bodies", () => {
  const wrap = (body: string) => `{"path":"recipients/new","method":"POST","body":${body}}`;

  test.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ["not JSON", "{"],
    ["bytes that are not UTF-8", Uint8Array.from(Buffer.from('{"path":"\xff"}', "latin1"))],
    ["nested 7,000 deep", wrap("[".repeat(7_000) + "]".repeat(7_000))],
    ["NUL", wrap('{"a":"\\u0000"}')],
    ["__proto__", wrap('{"__proto__":{"test":true}}')],
    ["no object", "[]"],
    ["an unknown method", '{"path":"a","method":"TRACE"}'],
    ["another content type", '{"path":"a","method":"POST","headers":{"content-type":"text/xml"},"body":{}}'],
  ])("%s", async (_name, body) => {
    const result = await proxy.send(null, { body });
    expect(result.status).toBe(400);
    expect(result.json.success).toBe(false);
    expect(result.json.error).toContain(NOTHING);
    expect(provider.received).toHaveLength(0);
  });
});
