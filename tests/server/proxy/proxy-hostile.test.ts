import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MailProvider, startMailProvider } from "../../emulators/mail-provider";
import { type ProxyAnswer, type ProxyProcess, startProxy } from "../../support/console/proxy-process";
import { HOSTILE_PATHS, listHostileBases } from "../../support/hostile-addresses";
import { listKeySpellings } from "../../support/key-spellings";

/** A key with every character that some encoding changes. */
const KEY = 'live-key/0000+0001=a&b"c\\d<e>f g%h~i';
const BASIC = `Basic ${Buffer.from(`${KEY}:`).toString("base64")}`;
const SPELLINGS = Object.entries(listKeySpellings(KEY));

let provider: MailProvider;
let proxy: ProxyProcess;
/** The target of hostile addresses; it counts connections. */
let decoy: Server;
let decoyHost: string;
let connections = 0;
/** All bytes of all answers. */
const answers: string[] = [];

beforeAll(async () => {
  provider = await startMailProvider({ apiKey: KEY, rateLimitPerMinute: 1_000_000 });
  decoy = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(0);
  await once(decoy, "listening");
  decoyHost = `127.0.0.1:${(decoy.address() as AddressInfo).port}`;
  proxy = await startProxy({
    STANNP_API_KEY: KEY,
    STANNP_BASE_URLS: `US=${provider.baseUrl},Dash=${provider.origin}/api/v1`,
    STANNP_TIMEOUT_MS: "5000",
  });
});

afterAll(async () => {
  await Promise.all([proxy?.stop(), provider?.close()]);
  decoy?.close();
});

async function send(body: unknown): Promise<ProxyAnswer> {
  const answer = await proxy.send(body);
  answers.push(JSON.stringify([...answer.headers]) + answer.text);
  return answer;
}

function findLeaks(text: string): string[] {
  return SPELLINGS.filter(([, spelling]) => text.includes(spelling)).map(([name]) => name);
}

/** Takes every seventh; `unit/outside/provider-address.test.ts` has all. */
const sample = (addresses: string[]) => addresses.filter((_, at) => at % 7 === 0);

describe("addresses", () => {
  test("no hostile base URL is called", async () => {
    const host = provider.origin.slice("http://".length);
    const bases = ["/v1", "/api/v1"].flatMap((path) => listHostileBases(host, path, "http", decoyHost));
    for (const baseUrl of sample(bases)) {
      const { status, json } = await send({ baseUrl, path: "recipients/list", method: "GET" });
      expect([400, 403], baseUrl).toContain(status);
      expect(json.error).toContain("Nothing was sent and nothing was charged.");
    }
    expect([provider.received.length, connections]).toEqual([0, 0]);
  });

  test("no hostile path is called", async () => {
    const decoyed = HOSTILE_PATHS.map((path) => path.replaceAll("evil.test", decoyHost));
    for (const path of sample(decoyed)) {
      for (const method of ["GET", "POST"]) {
        const { status, json } = await send({ path, method, body: {} });
        expect([path, status]).toEqual([path, 400]);
        expect(json.error).toContain("Nothing was sent and nothing was charged.");
      }
    }
    expect([provider.received.length, connections]).toEqual([0, 0]);
  });
});

describe("credentials", () => {
  const foreign = "a-foreign-credential";
  // `unit/outside/provider-headers.test.ts` and `provider-wire.test.ts` have all names.
  const placements = [
    { query: { api_key: foreign, "API-KEY": foreign, "x[api_key]": foreign, access_token: foreign } },
    { body: { api_key: [foreign], apikey: { a: foreign }, recipient: { api_key: foreign } } },
    { body: { variables: JSON.stringify([JSON.stringify({ x: { "api-key": foreign } })]) } },
    { body: { "recipient[api_key]": foreign, "\uff41pi_key": foreign } },
    { body: `api_key=${foreign}&recipient%5Bapi_key%5D=${foreign}`, form: true },
    { headers: { authorization: foreign, AUTHORIZATION: foreign, Cookie: `a=${foreign}` } },
    { headers: { "X-Api-Key": foreign, "X-Forwarded-Host": foreign, Host: foreign, "X-Host": foreign } },
    { headers: { "Transfer-Encoding": "chunked", "Content-Length": "0", Connection: foreign } },
  ];

  test.each(placements)("the provider receives only ours: %j", async ({ form, ...placed }) => {
    const headers = {
      ...placed.headers,
      ...(form ? { "Content-Type": "application/x-www-form-urlencoded" } : {}),
    };
    provider.reset();
    const { status, text } = await send({ path: "recipients/new", method: "POST", ...placed, headers });
    expect(status).toBe(200);
    expect(provider.received).toHaveLength(1);
    const [received] = provider.received;
    const { authorization, host, ...rest } = received?.headers ?? {};
    expect([authorization, host]).toEqual([BASIC, provider.origin.slice("http://".length)]);
    const seen = JSON.stringify([received?.rawUrl, rest, received?.rawText]);
    expect([seen.includes(foreign), text.includes(foreign)]).toEqual([false, false]);
    expect(findLeaks(seen)).toEqual([]);
  });
});

describe("the key", () => {
  test.each([200, 401])("is masked in an answer %i that echoes it", async (status) => {
    provider.fail({ kind: "echo-key", status });
    const { json } = await send({ path: "users/me", method: "GET" });
    expect(json.status).toBe(status);
    expect(json.text).toContain("[hidden]");
    expect(json.headers["x-echo-authorization"]).toBe("Basic [hidden]");
    expect(findLeaks(JSON.stringify(json))).toEqual([]);
  });

  test.each(SPELLINGS)("is masked as %s in JSON, in HTML and in a header", async (_name, spelling) => {
    const inJson = `{"success":true,"data":{"echo":${JSON.stringify(spelling)},"n":1}}`;
    provider.fail({ kind: "respond", body: inJson, headers: { "X-Echo": encodeURI(spelling) } });
    const asJson = await send({ path: "users/me", method: "GET" });
    expect(asJson.json.data).toMatchObject({ n: 1 });
    provider.fail({ kind: "respond", status: 500, body: `<html>${spelling}</html>` });
    const asHtml = await send({ path: "users/me", method: "GET" });
    for (const { json } of [asJson, asHtml]) {
      // The values after parsing, not only as transmitted.
      const values = [json.text, json.error, JSON.stringify(json.data), ...Object.values(json.headers)];
      expect(values.flatMap((value) => findLeaks(String(value)))).toEqual([]);
      expect(json.text).toContain("[hidden]");
    }
  });

  test("is masked in a request of a caller who knows it", async () => {
    for (const [, spelling] of SPELLINGS) {
      await send({
        path: "recipients/new",
        method: "POST",
        query: { q: spelling },
        headers: { "X-Custom": encodeURI(spelling) },
        body: { firstname: spelling, tags: [spelling], notes: "x".repeat(262_100) + spelling },
      });
      await send({ path: `recipients/get/${encodeURIComponent(KEY).replaceAll("%2F", "")}`, method: "GET" });
      await send({ path: spelling, method: "GET" });
      await send({ baseUrl: spelling, path: "a", method: spelling, user_id: spelling, auth: spelling });
      await send({ path: "a", method: "GET", query: { [spelling]: [spelling] }, [spelling]: 1 });
      await send({
        path: "letters/post",
        method: "POST",
        body: { pdf: "https://pictures.invalid/a.pdf" },
        user_id: spelling,
      });
    }
  });

  test("is in no answer, log line or address", () => {
    expect(answers.length).toBeGreaterThan(100);
    expect(answers.flatMap(findLeaks)).toEqual([]);
    expect(proxy.output()).toContain('"msg":"provider.called"');
    expect(findLeaks(proxy.output())).toEqual([]);
    expect(answers.filter((text) => text.includes(BASIC))).toEqual([]);
  });

  test("errors expose no stacks, files or hosts either", () => {
    expect(answers.filter((text) => /node_modules|\.tsx?:\d|UND_ERR|ECONN|at Object\./.test(text))).toEqual(
      [],
    );
  });
});
