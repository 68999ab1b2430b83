import { request as startRequest } from "node:http";
import { connect } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { makeSessionCookie } from "../../support/console/session-cookie";
import { setUpConsoles } from "../../support/fixtures";

/** Requests that would block the process, or break it. Each is refused, and others are answered at the same time. */

/** Only a hanging request takes longer, also on a busy machine; the status shows that nothing was parsed. */
const LIMIT_MS = 120_000;
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const PARTS = { "Content-Type": "multipart/form-data; boundary=x" };
const JSON_TYPE = { "Content-Type": "application/json" };
const PART = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
const MB = 1024 * 1024;

const { app } = await setUpConsoles({
  STRIPE_SECRET_KEY: "sk_test_limits",
  STRIPE_WEBHOOK_SECRET: "whsec_limits_00000001",
  STANNP_WEBHOOK_SECRET: "hook-limits-00001",
});
afterAll(() => expect(app.errors).toEqual([]));
const cookie = await makeSessionCookie("limits");

/** Path, headers, body, status without a session, status with one. */
type Case = [name: string, path: string, headers: Record<string, string>, body: string, Statuses];
type Statuses = { anonymous: number; signedIn: number };

const both = (status: number): Statuses => ({ anonymous: status, signedIn: status });
const NAMES = ["a[4294967294]", "__state__", "__proto__", "a[0]".repeat(3_000), "a.".repeat(7_000)];

const CASES: Case[] = [
  ...NAMES.map(
    (name): Case => [`a field ${name.slice(0, 30)}`, "/users", FORM, `intent=add&${name}=x`, both(400)],
  ),
  ["40,000 fields without a name", "/users", FORM, "x=&".repeat(40_000), both(413)],
  ["5,000 fields", "/users", FORM, "x=&".repeat(5_000), both(400)],
  ["a large choice", "/preferences", FORM, "x".repeat(MB), both(413)],
  ["a large form", "/mail", FORM, "x".repeat(MB), both(413)],
  ["many fields", "/sends/none", FORM, "x=&".repeat(5_000), both(400)],
  ["20 MB of fields", "/?index", FORM, "a&".repeat(9.9 * MB), { anonymous: 413, signedIn: 400 }],
  [
    "20 MB of parts",
    "/?index",
    PARTS,
    `${PART.repeat(19.9 * (MB / PART.length))}--x--\r\n`,
    { anonymous: 413, signedIn: 400 },
  ],
  ["60,000 query names", "/?index", FORM, "query.name=&".repeat(60_000), both(400)],
  [
    "19 MB of empty lists",
    "/api/stannp",
    JSON_TYPE,
    `[${"[],".repeat(6.3 * MB)}1]`,
    { anonymous: 401, signedIn: 400 },
  ],
  ["21 MB", "/api/stannp", JSON_TYPE, "x".repeat(21 * MB), { anonymous: 401, signedIn: 413 }],
  [
    "a million names",
    "/api/responses",
    JSON_TYPE,
    `{${Array.from({ length: 1_000_000 }, (_, at) => `"${at}":1`).join()}}`,
    { anonymous: 401, signedIn: 400 },
  ],
  ["a large adjustment", "/api/credits", JSON_TYPE, "[".repeat(MB), { anonymous: 401, signedIn: 413 }],
  ["an unsigned event of 3 MB", "/api/stannp/webhook", JSON_TYPE, "[],".repeat(MB), both(413)],
  [
    "an event of 3 MB, badly signed",
    "/api/stannp/webhook",
    { ...JSON_TYPE, "X-Stannp-Signature": "0".repeat(64) },
    "[],".repeat(MB),
    both(400),
  ],
  ["an unsigned payment of 3 MB", "/api/stripe/webhook", JSON_TYPE, "[],".repeat(MB), both(413)],
  [
    "a payment of 900 KB, badly signed",
    "/api/stripe/webhook",
    { ...JSON_TYPE, "Stripe-Signature": `t=${Math.floor(Date.now() / 1000)},v1=00` },
    "[],".repeat(300_000),
    both(400),
  ],
];

describe.each(["anonymous", "signedIn"] as const)("a caller who is %s", (caller) => {
  const own = (): Record<string, string> => (caller === "signedIn" ? { Cookie: cookie } : {});

  test.each(CASES)("%s to %s", async (_name, path, headers, body, statuses) => {
    const request = fetch(app.origin + path, {
      method: "POST",
      headers: { ...headers, ...own() },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const [reply, health] = await Promise.all([request, checkHealth()]);
    expect(health).toBe(200);
    expect(reply.status).toBe(statuses[caller]);
  });
});

test("a body without a length is counted as it arrives", async () => {
  for (const path of ["/users", "/?index", "/preferences"]) {
    expect(await stream(path, FORM, 3 * MB), path).toBe(413);
  }
  expect(await stream("/api/stannp/webhook", JSON_TYPE, 3 * MB)).toBe(413);
});

test.each([
  "/%09/javascript:alert(1)",
  "/%5cjavascript:alert(1)",
  "/%5c%5cevil.example",
  "/%0d%0aSet-Cookie:a=b",
  "/%00",
  "/users?_data=x",
  "/?_data=routes%2F_index",
  "/nowhere?_data",
])("there is nothing at %s", async (address) => {
  for (const method of ["GET", "POST"]) {
    const reply = await fetch(app.origin + address, { method, redirect: "manual" });
    expect(reply.status, method).toBe(404);
  }
});

test("redirects, and the data of pages, are not stored by a cache", async () => {
  for (const path of ["/?tab=users", "/profile", "/users.data", "/profile.data", "/nowhere"]) {
    const reply = await fetch(app.origin + path, { redirect: "manual" });
    expect(reply.headers.get("Cache-Control"), path).toContain("no-store");
  }
});

test("a request that Node cannot parse is refused with the usual headers", async () => {
  const { port } = new URL(app.origin);
  const answer = await new Promise<string>((resolve) => {
    let text = "";
    const socket = connect(Number(port), "127.0.0.1", () => socket.write("NO HTTP AT ALL\r\n\r\n"));
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain("X-Content-Type-Options: nosniff");
  expect(answer).toContain("Content-Security-Policy: default-src 'none'");
});

test("a link on another site, or another subdomain, does not log out", async () => {
  for (const site of ["cross-site", "same-site"]) {
    const headers = { Cookie: cookie, "Sec-Fetch-Site": site };
    const reply = await fetch(`${app.origin}/api/auth/logout`, { headers, redirect: "manual" });
    expect([site, reply.status, reply.headers.get("Set-Cookie")]).toEqual([site, 200, null]);
  }
});

test("a long letter is laid out in a thread of the built server", async () => {
  const request = fetch(`${app.origin}/api/letter-layout`, {
    method: "POST",
    headers: { ...JSON_TYPE, Cookie: cookie },
    body: JSON.stringify({ text: "Dear Jane, how are you?\n".repeat(500), page_size: "A4" }),
  });
  const [reply, health] = await Promise.all([request, checkHealth()]);
  expect(health).toBe(200);
  expect(await reply.json()).toMatchObject({ success: true, letter: { total: 11 } });
});

async function checkHealth(): Promise<number> {
  return (await fetch(`${app.origin}/healthz`, { signal: AbortSignal.timeout(LIMIT_MS) })).status;
}

/** Posts that many bytes in parts; returns the status, which arrives before the end of an endless body. */
function stream(path: string, headers: Record<string, string>, bytes: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const url = new URL(app.origin + path);
    const request = startRequest(url, { method: "POST", headers, timeout: LIMIT_MS }, (reply) => {
      resolve(reply.statusCode ?? 0);
      request.destroy();
    });
    request.on("error", reject);
    request.on("timeout", () => request.destroy(new Error(`${path} was not answered`)));
    for (let sent = 0; sent < bytes; sent += 64 * 1024) request.write("a&".repeat(32 * 1024));
  });
}
