import { afterAll, describe, expect, test } from "vitest";
import { ACCESS } from "~/access.server";
import type { RouteAccess } from "~/platform/http/gate.server";
import { SCOPES } from "~/platform/http/token-scopes";
import { METRICS_TOKEN } from "../../support/console/console-process";
import { findRouteAddresses } from "../../support/console/route-addresses";
import { makeSessionCookie } from "../../support/console/session-cookie";
import { setUpConsoles } from "../../support/fixtures";

/** Every row of the access table, requested at the address that Remix gives its route. */
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const TYPES = { json: "application/json", form: "application/x-www-form-urlencoded" };

const { app } = await setUpConsoles({
  DATABASE_URL: "",
  STRIPE_SECRET_KEY: "sk_test_access",
  STRIPE_WEBHOOK_SECRET: "whsec_access_00000001",
  STANNP_WEBHOOK_SECRET: "hook-access-00001",
  STANNP_BASE_URLS: "US=http://127.0.0.1:9/v1",
  METRICS_TOKEN,
  PEOPLE_SCOPES: SCOPES.map((scope) => `only-${scope}@example.com=${scope}`).join(),
});
afterAll(() => expect(app.errors).toEqual([]));
const addresses = findAddresses();

const rows = Object.entries<RouteAccess>(ACCESS);

describe.each(rows)("%s", (id, access) => {
  const address = addresses[id] ?? "";
  const allowed = Object.entries(access.methods);

  test.each(METHODS.filter((method) => !Object.hasOwn(access.methods, method)))(
    "refuses %s",
    async (method) => {
      const reply = await ask(method, address);
      expect(reply.status).toBe(405);
      const wanted = allowed.flatMap(([name]) => (name === "GET" ? ["GET", "HEAD"] : [name]));
      expect(reply.headers.get("Allow")).toBe(wanted.join(", "));
      expect(reply.headers.get("Content-Type")).toContain(
        access.refusals === "json" ? "application/json" : "text/plain",
      );
    },
  );

  for (const [method, { caller, body }] of allowed) {
    const type = body === "json" || body === "form" ? TYPES[body] : null;
    const own: Record<string, string> = type ? { "Content-Type": type } : {};

    if (caller.endsWith("-signature")) {
      test(`${method} without its signature`, async () => {
        expect((await ask(method, address)).status).toBe(400);
      });
      continue;
    }
    if (caller === "metrics-token") {
      test(`${method} accepts only the token of the scraper`, async () => {
        expect((await ask(method, address)).status).toBe(401);
        expect((await ask(method, address, { Authorization: "Bearer metrics" })).status).toBe(401);
        const reply = await ask(method, address, { Authorization: `Bearer ${METRICS_TOKEN}` });
        expect(reply.status).toBe(200);
        expect(await reply.text()).toContain("mailroom_http_request_duration_seconds_count{");
      });
      continue;
    }
    if (method !== "GET") {
      test.each<[string, Record<string, string>]>([
        ["its origin", { Origin: "https://evil.example" }],
        ["the browser's word", { "Sec-Fetch-Site": "cross-site" }],
      ])(`${method} from another site, by %s`, async (_name, foreign) => {
        for (const path of [address, `${address === "/" ? "/_root" : address}.data`]) {
          const reply = await ask(method, path, { ...own, ...foreign });
          expect(reply.status, path).toBe(403);
        }
      });
    }
    if (type) {
      test(`${method} with another content type`, async () => {
        expect((await ask(method, address, { "Content-Type": "text/plain" })).status).toBe(415);
      });
    }
    if (caller === "signed-in") {
      test(`${method} without a session`, async () => {
        const reply = await ask(method, address, own);
        // A form that lost its session is kept on the page of the error. The low-balance notice has no page of its own.
        const redirects =
          access.refusals !== "json" && (method === "GET" || id === "routes/users_.low-balance");
        expect(redirects ? [302, 303] : [401]).toContain(reply.status);
        const to = reply.headers.get("Location");
        if (to?.startsWith("/")) expect((await ask("GET", to)).status, "there is a page").not.toBe(405);
      });
    } else {
      test(`${method} for anyone`, async () => {
        expect((await ask(method, address, own)).status).toBeLessThan(500);
      });
    }
  }
});

/** Methods and forms of the table that need a scope. */
const guarded = rows.flatMap(([id, { methods }]) =>
  Object.entries(methods).flatMap(([method, { body, scope, intents = {} }]) =>
    [...(scope && scope !== "by-request" ? [["", scope] as const] : []), ...Object.entries(intents)].map(
      ([intent, needed]) => ({ id, method, body, intent, needed }),
    ),
  ),
);

test.each(guarded)("$method $id $intent is for people with $needed only", async (row) => {
  const { id, method, body, intent, needed } = row;
  const own: Record<string, string> =
    body === "json" || body === "form" ? { "Content-Type": TYPES[body] } : {};
  const tell = async (person: string) => {
    const headers = { ...own, Cookie: await makeSessionCookie(person) };
    const address = id === "routes/_index" ? "/?index" : (addresses[id] ?? "");
    const reply = await ask(method, address, headers, `intent=${intent}`);
    const refused = (await reply.text()).includes(`You do not have the scope ${needed}`);
    if (refused) expect(reply.status).toBe(403);
    return refused;
  };
  // Every person on the list may read.
  const entitled = (scope: string) => needed === "read" || needed === scope;
  expect(await tell("stranger")).toBe(true);
  for (const scope of SCOPES) expect(await tell(`only-${scope}`), scope).toBe(!entitled(scope));
});

test.each([
  ["read", { path: "recipients/list", method: "GET" }],
  ["read", { path: "addresses/validate", method: "POST", body: {} }],
  ["send:test", { path: "postcards/create", method: "POST", body: { test: true } }],
  ["send:live", { path: "postcards/create", method: "POST", body: { test: false } }],
  ["send:live", { path: "recipients/new", method: "POST", body: {} }],
  ["send:live", { path: "letters/cancel", method: "POST", body: { id: "1" } }],
])("the proxy needs %s of a person for %j", async (needed, call) => {
  for (const scope of SCOPES) {
    const headers = { "Content-Type": TYPES.json, Cookie: await makeSessionCookie(`only-${scope}`) };
    const reply = await ask("POST", "/api/stannp", headers, JSON.stringify(call));
    const isRefused = (await reply.json()).code === "missing_scope";
    expect(isRefused, scope).toBe(needed !== "read" && needed !== scope);
  }
});

test("an address in upper case or with a trailing slash has the same rules", async () => {
  for (const path of [
    "/API/Credits",
    "/api/credits/",
    "/api/%63redits",
    "//api/credits",
    "/api/credits.data",
  ]) {
    const foreign = { "Content-Type": "application/json", Origin: "https://evil.example" };
    expect([403, 404, 405], path).toContain((await ask("POST", path, foreign)).status);
  }
});

test("a proxy that sends another host than the public one does not break our own forms", async () => {
  const headers = { "Content-Type": TYPES.form, Origin: app.origin, "X-Forwarded-Host": "inside:8080" };
  expect((await ask("POST", "/preferences", headers)).status).toBe(200);
  expect((await ask("POST", "/mail", headers)).status).toBe(401);
});

function ask(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = "a=b",
): Promise<Response> {
  return fetch(app.origin + path, {
    method,
    headers,
    redirect: "manual",
    ...(method === "GET" ? {} : { body }),
  });
}

/** Finds the address of each route file, with values for its parameters, as Remix reads the folder. */
function findAddresses(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(findRouteAddresses()).map(([id, path]) => [
      id,
      path.replace(/:\w+/g, "none").replace("*", "nowhere"),
    ]),
  );
}
