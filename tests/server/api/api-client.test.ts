import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { JSDOM } from "jsdom";
import createClient, { type Middleware } from "openapi-fetch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ACCESS } from "~/access.server";
import { OPERATIONS } from "~/api/operations.server";
import type { RouteAccess } from "~/platform/http/gate.server";
import { startStripe } from "../../emulators/stripe";
import { RECIPIENT } from "../../support/console/mail-console";
import { newToken } from "../../support/console/new-token";
import { SECRET_KEY, WEBHOOK_SECRET } from "../../support/console/payment-console";
import { findRouteAddresses } from "../../support/console/route-addresses";
import { makeSessionCookie } from "../../support/console/session-cookie";
import { LETTER_CORPUS } from "../../support/files/letter-corpus";
import { setUpConsoles } from "../../support/fixtures";
import type { paths } from "../../support/mailroom-api";

/**
 * A program with a client that a public generator made from the API description. Each answer is checked against it.
 */

const LETTER = {
  type: "letter",
  recipient: RECIPIENT,
  content: { size: "US-LETTER", text: "Dear Maria,\n\nthank you." },
} as const;

const webhookUrl = "http://localhost:9";
const stripe = await startStripe({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, webhookUrl });
afterAll(() => stripe.close());
const { provider, app } = await setUpConsoles({
  STRIPE_SECRET_KEY: SECRET_KEY,
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_API_BASE: stripe.origin,
});
const description: Record<string, unknown> = await (await fetch(`${app.origin}/api/openapi.json`)).json();
let client: ReturnType<typeof createClient<paths>>;
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(description, "api");
const wrong: string[] = [];

beforeAll(async () => {
  client = await connect("crm", ["read", "send:test", "send:live"]);
  await askAsAda("api/credits", {
    user_id: "auth-ada",
    amount: 20,
    description: "for a test",
    action: "add",
  });
});

/** Opens an address of the console in Ada's session, or posts a form or JSON to it. */
async function askAsAda(path: string, posted?: URLSearchParams | object): Promise<Response> {
  const isForm = posted instanceof URLSearchParams;
  const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
  return fetch(new URL(path, `${app.origin}/`), {
    headers: { Cookie: await makeSessionCookie("ada"), ...(posted ? { "Content-Type": type } : {}) },
    ...(posted ? { method: "POST", body: isForm ? posted : JSON.stringify(posted) } : {}),
  });
}

function findCheck(method: string, path: string, status: number) {
  const toPointer = (text: string) => encodeURIComponent(text.replaceAll("~", "~0").replaceAll("/", "~1"));
  const place = ["paths", path, method.toLowerCase(), "responses", String(status)];
  return ajv.getSchema(
    `api#/${[...place, "content", "application/json", "schema"].map(toPointer).join("/")}`,
  );
}

/** Checks that the description has every answer. */
function checkAnswers(): Middleware {
  return {
    async onResponse({ request, response, schemaPath }) {
      const check = findCheck(request.method, schemaPath, response.status);
      if (!check) wrong.push(`${request.method} ${schemaPath} does not have ${response.status}`);
      else if (!check(await response.clone().json()))
        wrong.push(`${schemaPath}: ${ajv.errorsText(check.errors)}`);
    },
  };
}

async function connect(name: string, scopes: Parameters<typeof newToken>[2]["scopes"]) {
  const token = await newToken(app.origin, "ada", { name, scopes });
  const made = createClient<paths>({ baseUrl: app.origin, headers: { Authorization: `Bearer ${token}` } });
  made.use(checkAnswers());
  return made;
}

test("the description is valid OpenAPI 3.1 and has every call of the access table, with its scope", async () => {
  const checked = await new Validator().validate(description);
  expect(checked).toMatchObject({ valid: true });
  // An untyped object would leave a generated client without types.
  expect(JSON.stringify(description.paths)).not.toContain('"additionalProperties":{}');
  const addresses = findRouteAddresses();
  const ours = Object.entries<RouteAccess>(ACCESS).flatMap(([id, { methods, tokens }]) =>
    Object.entries(tokens ? methods : {})
      .filter(([, { scope }]) => scope !== undefined)
      .map(([method, { scope }]) => `${method} ${addresses[id]?.replace(/:(\w+)/g, "{$1}")} ${scope}`),
  );
  const described = OPERATIONS.map(({ method, path, scope }) => `${method} ${path} ${scope}`);
  // The description omits the calls that the Builder makes while a person types.
  const page = ours.filter((call) => /letter-layout|returned-address|curl|\/api\/search/.test(call));
  expect(described.sort()).toEqual(ours.filter((call) => !page.includes(call)).sort());
});

test("a program sends a test, a live letter twice with one key, lists both and cancels", async () => {
  const tested = await client.POST("/api/pieces", { body: { ...LETTER, mode: "test" } });
  expect(tested.response.status).toBe(201);
  expect(tested.data?.data).toMatchObject({ mode: "test", state: "test", url: null });

  const live = { ...LETTER, mode: "live" } as const;
  const header = { "Idempotency-Key": "invoice-2026-0114" };
  const first = await client.POST("/api/pieces", { body: live, params: { header } });
  expect(first.response.status).toBe(201);
  const piece = first.data?.data;
  expect(piece).toMatchObject({
    state: "accepted",
    actor_id: "auth-ada via crm",
    credits: { cost: 2, held: 0, charged: 2 },
  });
  // The request ID in the header's search leads to the call, which links to the piece.
  const search = new URLSearchParams({ q: first.response.headers.get("X-Request-Id") ?? "" });
  const findCall = async () => (await askAsAda("search", search)).text();
  await expect.poll(findCall).toContain(`"/sends/${piece?.id}"`);
  const again = await client.POST("/api/pieces", {
    body: { ...live, idempotency_key: header["Idempotency-Key"] },
  });
  expect(again.response.status).toBe(200);
  expect(again.data).toMatchObject({ replayed: true, data: { id: piece?.id } });
  expect(again.response.headers.get("Idempotent-Replayed")).toBe("true");

  const page = await client.GET("/api/pieces", { params: { query: { limit: 1 } } });
  expect(page.data?.data.map(({ id }) => id)).toEqual([piece?.id]);
  const cursor = page.data?.next_cursor ?? "";
  const rest = await client.GET("/api/pieces", { params: { query: { cursor } } });
  expect(rest.data?.data.map(({ id }) => id)).toEqual([tested.data?.data?.id]);

  const listKey = async (key: string) =>
    (await client.GET("/api/pieces", { params: { query: { idempotency_key: key } } })).data?.data;
  expect(await listKey(header["Idempotency-Key"])).toMatchObject([{ id: piece?.id, state: "accepted" }]);
  expect(await listKey("a-key-never-used")).toEqual([]);

  const path = { id: piece?.id ?? "" };
  const cancelled = await client.POST("/api/pieces/{id}/cancel", { params: { path } });
  expect(cancelled.data).toMatchObject({
    data: { state: "cancelled", credits: { charged: 0 } },
    refund: { credits_refunded: 2, new_balance: 20 },
  });
  const known = await client.GET("/api/pieces/{id}", { params: { path } });
  expect(known.data?.data.state).toBe("cancelled");
  const items = await client.GET("/api/mail/items", { params: { query: { userId: "auth-ada" } } });
  expect(items.data?.find(({ id }) => id === path.id)).toMatchObject({ charged: 0, isCancelled: true });
  expect(wrong).toEqual([]);
});

test("a refusal has a code, and nothing is sent", async () => {
  const live = { ...LETTER, mode: "live" } as const;
  const key = (name: string) => ({ header: { "Idempotency-Key": name } });
  const sent = provider.received.length;
  const tester = await connect("tester", ["send:test"]);
  const cases = [
    [client.POST("/api/pieces", { body: live }), 400, "bad_input"],
    [
      client.POST("/api/pieces", {
        body: { ...live, idempotency_key: "another-key-01" },
        params: key("a-key-of-mine-01"),
      }),
      400,
      "bad_input",
    ],
    [
      client.POST("/api/pieces", {
        body: { ...live, content: { text: "Something else" } },
        params: key("invoice-2026-0114"),
      }),
      422,
      "key_reused",
    ],
    [tester.POST("/api/pieces", { body: live, params: key("tester-key-01") }), 403, "missing_scope"],
    [
      client.POST("/api/pieces", { body: { ...live, user_id: "missing" }, params: key("for-missing-01") }),
      404,
      "not_found",
    ],
    [client.GET("/api/pieces/{id}", { params: { path: { id: "none" } } }), 404, "not_found"],
    [client.GET("/api/pieces", { params: { query: { limit: 0 } } }), 400, "bad_input"],
  ] as const;
  for (const [call, status, code] of cases) {
    const { response, error } = await call;
    expect({ status: response.status, code: error?.code }).toEqual({ status, code });
    expect(error?.request_id).toBe(response.headers.get("X-Request-Id"));
  }
  expect(provider.received).toHaveLength(sent);
  expect(wrong).toEqual([]);
});

test("a bad request names its fields, and every address below /api answers in the one shape", async () => {
  const headers = { Cookie: await makeSessionCookie("ada"), "Content-Type": "application/json" };
  const recipient = { address1: "1 Main Street", country: "USA" };
  const content = { size: "4x6", template: true, front: "" };
  const cases: [string, RequestInit, number, string, string?][] = [
    ["pieces", { body: "{}" }, 400, "bad_input", "`type` is required: postcard or letter."],
    [
      "pieces",
      { body: JSON.stringify({ type: "postcard", recipient, content, colour: 1 }) },
      400,
      "bad_input",
      "`mode` is required: test or live; `recipient.country` must be a country of two letters; `content.template` must be text or a number; `content.front` must not be empty; `colour` is not known.",
    ],
    ["pieces?state=accepted", { method: "GET" }, 400, "bad_input", "`state` is not known."],
    ["pieces?limit=none", { method: "GET" }, 400, "bad_input", "`limit` must be a number."],
    ["pieces", { method: "PUT" }, 405, "method_not_allowed"],
    ["nothing/here", { method: "GET" }, 404, "not_found"],
    ["nothing/here", { body: "{}" }, 404, "not_found"],
    ["", { method: "GET" }, 404, "not_found"],
    ["%ff", { method: "GET" }, 400, "bad_input"],
  ];
  for (const [path, init, status, code, words = ""] of cases) {
    const reply = await fetch(`${app.origin}/api/${path}`, { method: "POST", headers, ...init });
    const failure = await reply.json();
    const request_id = reply.headers.get("X-Request-Id");
    expect({ path, status: reply.status, ...failure }).toMatchObject({ path, status, code, request_id });
    expect(failure.error).toContain(words);
  }
});

test("a program names its pieces, finds them by their names, and sends what it tested", async () => {
  const named = { ...LETTER, reference: "order-5521", tags: ["welcome", "vip"] };
  const list = async (query: { reference?: string; tag?: string; mode?: "test" | "live" }) =>
    (await client.GET("/api/pieces", { params: { query } })).data?.data.map(({ id }) => id);
  const test = (await client.POST("/api/pieces", { body: { ...named, mode: "test" } })).data?.data;
  expect(test).toMatchObject({
    reference: "order-5521",
    tags: ["welcome", "vip"],
    tested_piece_id: expect.any(String),
  });
  const live = { ...named, mode: "live", tested_piece_id: test?.tested_piece_id ?? "" } as const;
  const sent = await client.POST("/api/pieces", { body: live });
  expect(sent.response.status).toBe(201);
  const piece = sent.data?.data;
  expect(piece).toMatchObject({ reference: "order-5521", tested_piece_id: test?.tested_piece_id });
  expect((await client.POST("/api/pieces", { body: live })).data).toMatchObject({
    replayed: true,
    data: { id: piece?.id },
  });
  for (const pdf of [test?.pdf_url, piece?.pdf_url]) {
    const file = await askAsAda(pdf ?? "");
    expect(file.headers.get("Content-Type")).toBe("application/pdf");
  }
  expect(await list({ reference: "order-5521" })).toEqual([piece?.id, test?.id]);
  expect(await list({ tag: "vip", mode: "live" })).toEqual([piece?.id]);
  expect(await list({ tag: "vi" })).toEqual([]);

  const send = async (body: object, key: string) =>
    client.POST("/api/pieces", {
      body: { ...LETTER, mode: "live", ...body },
      params: { header: { "Idempotency-Key": key } },
    });
  const other = await send({ reference: "order-5521" }, "another-order-01");
  expect([other.response.status, other.error]).toMatchObject([
    409,
    { code: "reference_used", piece_id: piece?.id },
  ]);
  // A piece that was not mailed frees its reference, whether it was stored or not.
  await send({ reference: "order-5522", user_id: "missing" }, "paid-by-missing-01");
  provider.fail({ kind: "status", status: 400, path: "letters/create", times: 1 });
  expect((await send({ reference: "order-5522" }, "refused-order-01")).error?.code).toBe("provider_refused");
  const mailed = await send({ reference: "order-5522" }, "mailed-order-01");
  expect(mailed.data?.data).toMatchObject({ state: "accepted", reference: "order-5522", tags: [] });
  const crowd = await Promise.all(
    ["one", "two", "three"].map((name) => send({ reference: "order-5523" }, `crowd-of-orders-${name}`)),
  );
  expect(crowd.filter(({ response }) => response.status === 201)).toHaveLength(1);
  expect(wrong).toEqual([]);
});

test("preflight lists findings by severity and field, and sends, stores and charges nothing", async () => {
  const preflight = (body: object, token = client) =>
    token.POST("/api/pieces", {
      params: { query: { preflight: "only" } },
      body: { ...LETTER, mode: "live", ...body },
    });
  const stored = async () => (await client.GET("/api/pieces")).data?.data;
  const before = [provider.pieces.length, await stored()];
  const clean = await preflight({});
  expect(clean.data).toMatchObject({ data: null, findings: [] });
  const faulty = await preflight({
    recipient: { ...RECIPIENT, address1: "No fixed abode", postcode: "1" },
    content: { text: "Dear {nickname}, 𒀀" },
  });
  expect(faulty.data).toMatchObject({
    findings: [
      { severity: "ruins", code: "no_value", field: "content.text" },
      { severity: "warns", code: "unprintable", field: "content.text" },
      { severity: "ruins", code: "no_fixed_abode", field: "recipient.address1" },
      { severity: "warns", code: "postcode_form", field: "recipient.postcode" },
    ],
  });
  const noPdf = await preflight({ content: { file: btoa("hello") } });
  expect(noPdf.data).toMatchObject({
    findings: [{ severity: "ruins", code: "refused", field: "content.file" }],
  });
  const drawn = LETTER_CORPUS.find(([name]) => name === "pdfkit: text in the window")?.[1];
  const inWindow = Buffer.from((await drawn?.()) ?? "").toString("base64");
  expect((await preflight({ content: { size: "US-LETTER", file: inWindow } })).data).toMatchObject({
    findings: [{ severity: "ruins", code: "address_zone", field: "content.file" }],
  });
  const reader = await connect("reader", ["read"]);
  expect((await preflight({}, reader)).error?.code).toBe("missing_scope");
  const misspelt = await askAsAda("api/pieces?preflight=yes", { ...LETTER, mode: "test" });
  expect(misspelt.status).toBe(400);
  expect([provider.pieces.length, await stored()]).toEqual(before);
  expect(wrong).toEqual([]);
});

test("a provider's refusal is an error, also for a repeat of its key", async () => {
  const body = { ...LETTER, mode: "live" } as const;
  const order = { body, params: { header: { "Idempotency-Key": "refused-letter-01" } } };
  provider.fail({ kind: "status", status: 400, path: "letters/create", times: 1 });
  const { error, response } = await client.POST("/api/pieces", order);
  expect([response.status, error?.code]).toEqual([409, "provider_refused"]);
  const again = await client.POST("/api/pieces", order);
  expect(again.error).toMatchObject({ code: "provider_refused", replayed: true });
  const down = provider.fail({ kind: "reset-before", path: "account/balance", times: "always" });
  const call = { path: "account/balance", method: "GET" };
  expect((await client.POST("/api/stannp", { body: call })).response.status).toBe(502);
  down.release();
  expect(wrong).toEqual([]);
});

test("every command of the reference runs when pasted, and its answer matches the description", async () => {
  const live = { ...LETTER, mode: "live" } as const;
  await client.POST("/api/pieces", {
    body: live,
    params: { header: { "Idempotency-Key": "to-be-cancelled" } },
  });
  await client.POST("/api/stannp", { body: { path: "recipients/new", method: "POST", body: RECIPIENT } });
  const endpoint = { intent: "create", url: "https://hooks.example.com/", event: "piece.status" };
  await askAsAda("webhooks", new URLSearchParams(endpoint));
  const reply = await askAsAda("reference");
  const { document } = new JSDOM(await reply.text()).window;
  const home = await mkdtemp(join(tmpdir(), "pasted-"));
  await writeFile(join(home, ".curlrc"), 'silent\nwrite-out = "\\n%{http_code}"\n');
  const scopes = ["read", "send:test", "send:live", "credits"] as const;
  const token = await newToken(app.origin, "ada", { name: "pasted", scopes: [...scopes] });
  const results: string[] = [];
  for (const { id, method, path } of OPERATIONS) {
    const command = document.querySelector(`article[aria-labelledby="${id}"] pre`)?.textContent ?? "";
    const { stdout } = await promisify(execFile)("sh", ["-c", command], {
      env: { ...process.env, HOME: home, MAILROOM_TOKEN: token },
    });
    const [body = "", status = ""] = stdout.split(/\n(?=\d+$)/);
    if (body.startsWith("%PDF")) {
      results.push(`${id} ${status} true`);
      continue;
    }
    const check = findCheck(method, path, Number(status));
    results.push(
      `${id} ${status} ${check?.(JSON.parse(body)) || `${ajv.errorsText(check?.errors)} ${body}`}`,
    );
  }
  const expected = OPERATIONS.map(({ id }) => `${id} ${id === "createPiece" ? 201 : 200} true`);
  expect(results).toEqual(expected);
});
