import { afterAll, describe, expect, test } from "vitest";
import type { TokenScope } from "~/platform/http/token-scopes";
import type { ConsoleProcess } from "../../support/console/console-process";
import { RECIPIENT } from "../../support/console/mail-console";
import { newToken as makeToken, postProfile } from "../../support/console/new-token";
import { makeSessionCookie } from "../../support/console/session-cookie";
import { setUpConsoles, setUpDatabase } from "../../support/fixtures";

/** Programs with a token, against two consoles on one database. Only Ada is an admin. */

const POSTCARD = { size: "4x6", template: "21001", recipient: RECIPIENT };

const { provider, databaseUrl, app, start } = await setUpConsoles({
  ADMIN_EMAILS: "Ada@example.com",
  PEOPLE_SCOPES: [
    ...["bob", "cleo", "dana", "eve"].map(
      (name) => `${name}@example.com=read send:test send:live credits others`,
    ),
    "rita@example.com=read",
    "group:mailers=send:live",
  ].join(),
  DAILY_CREDITS_PER_PERSON: "6",
  FRESH_SIGN_IN_MINUTES: "15",
});
const other = await start();
const inBooks = setUpDatabase(databaseUrl);
afterAll(() => {
  // Not even a part of a token.
  expect([...app.output, ...other.output].filter((line) => line.includes("mailroom_"))).toEqual([]);
});

const onProfile = (who: string, fields: Record<string, string>) => postProfile(app.origin, who, fields);
const newToken = (who: string, name: string, scopes: TokenScope[], daily = "") =>
  makeToken(app.origin, who, { name, scopes, daily });

async function call(token: string, path: string, init: RequestInit & { at?: ConsoleProcess } = {}) {
  const { at = app, ...rest } = init;
  const reply = await fetch(at.origin + path, {
    ...rest,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(rest.body ? { "Content-Type": "application/json" } : {}),
      ...(rest.headers as Record<string, string>),
    },
  });
  return { status: reply.status, headers: reply.headers, json: await reply.json() };
}

const send = (token: string, test: boolean, more: object = {}) =>
  call(token, "/api/stannp", {
    method: "POST",
    body: JSON.stringify({
      path: "postcards/create",
      method: "POST",
      body: { ...POSTCARD, test },
      ...more,
    }),
  });

async function grant(who: string, amount: number) {
  const reply = await fetch(`${app.origin}/api/credits`, {
    method: "POST",
    body: JSON.stringify({ user_id: `auth-${who}`, amount, description: "for a test", action: "add" }),
    headers: { Cookie: await makeSessionCookie("ada"), "Content-Type": "application/json" },
  });
  expect(reply.status).toBe(200);
}

describe("a token", () => {
  test("acts for its owner within its scopes, and the books name the token", async () => {
    const token = await newToken("ada", "nightly-job", ["read", "send:live"]);
    await grant("ada", 10);
    const sent = await send(token, false, { idempotency_key: "nightly-2026-11-22" });
    expect(sent.json.credits).toMatchObject({ success: true, userId: "auth-ada" });

    const money = await call(token, "/api/credits/transactions?user_id=auth-ada");
    expect(money.json.data[0]).toMatchObject({
      transaction_type: "debit",
      actor_id: "auth-ada via nightly-job",
      actor_name: "ada via nightly-job",
    });
    const [event] = await inBooks(
      (db) => db.$queryRaw<{ actor_id: string }[]>`
        SELECT actor_id FROM piece_events WHERE piece_id = ${sent.json.send_id} AND kind = 'reserve'`,
    );
    expect(event?.actor_id).toBe("auth-ada via nightly-job");
    await expect
      .poll(() => inBooks((db) => db.storedResponse.findUnique({ where: { id: sent.json.send_id } })))
      .toMatchObject({ actorId: "auth-ada via nightly-job" });
    const page = await fetch(`${app.origin}/sends/${sent.json.send_id}`, {
      headers: { Cookie: await makeSessionCookie("ada") },
    });
    expect(await page.text()).toContain("ada via nightly-job");
    const again = await send(token, false, { idempotency_key: "nightly-2026-11-22" });
    expect(again.json).toMatchObject({ replayed: true, send_id: sent.json.send_id });
  });

  test("without a scope is refused with the scope's name, before anything is stored", async () => {
    const token = await newToken("bob", "tester", ["send:test"]);
    const mailed = provider.received.length;
    const refused = await send(token, false);
    expect(refused).toMatchObject({ status: 403, json: { code: "missing_scope", details: "send:live" } });
    expect(provider.received).toHaveLength(mailed);
    expect(await inBooks((db) => db.send.count({ where: { actorId: "auth-bob" } }))).toBe(0);
    expect((await send(token, true)).json.tested_piece).toBeTruthy();

    const read = await call(token, "/api/users");
    expect(read).toMatchObject({ status: 403, json: { code: "missing_scope", details: "read" } });
    expect(read.headers.get("WWW-Authenticate")).toContain('scope="read"');
    const reader = await newToken("bob", "reader", ["read"]);
    const address = { path: "addresses/validate", method: "POST", body: RECIPIENT };
    for (const body of [{ path: "recipients/list", method: "GET" }, address].map((one) =>
      JSON.stringify(one),
    )) {
      expect(await call(token, "/api/stannp", { method: "POST", body })).toMatchObject({
        status: 403,
        json: { details: "read" },
      });
      expect((await call(reader, "/api/stannp", { method: "POST", body })).status).toBe(200);
    }
    const { json: answer } = await send(token, true);
    expect(await call(token, `/api/responses/${answer.response_id}`, { method: "DELETE" })).toMatchObject({
      status: 403,
      json: { details: "send:live" },
    });
  });

  test("has precedence: cookies are ignored, and the request's site is not checked", async () => {
    const token = await newToken("bob", "from-afar", ["read"]);
    const cookie = { Cookie: await makeSessionCookie("ada"), Origin: "https://crm.example" };
    const adjust = JSON.stringify({ user_id: "auth-bob", amount: 5, description: "mine", action: "add" });
    expect(
      await call(token, "/api/credits", { method: "POST", body: adjust, headers: cookie }),
    ).toMatchObject({ status: 403, json: { code: "missing_scope", details: "credits" } });
    expect((await call("mailroom_wrong", "/api/users", { headers: cookie })).status).toBe(401);
    // Tokens do not open pages.
    const page = await fetch(`${app.origin}/profile`, {
      headers: { Authorization: `Bearer ${token}`, ...cookie },
      redirect: "manual",
    });
    expect(page.status).toBe(302);
    expect(await call(token, "/users/history.csv")).toMatchObject({ status: 401 });
  });

  test("is refused after its revocation: here at once, in other processes within seconds", async () => {
    const token = await newToken("bob", "short-lived", ["read"]);
    for (const at of [app, other]) expect((await call(token, "/api/users", { at })).status).toBe(200);
    const row = await inBooks((db) => db.token.findFirstOrThrow({ where: { name: "short-lived" } }));
    expect(row.tokenHash).not.toContain(token);
    await expect
      .poll(async () => (await inBooks((db) => db.token.findUnique({ where: { id: row.id } })))?.lastUsedAt)
      .toBeTruthy();
    // Cleo is not an admin and does not own it.
    await onProfile("cleo", { intent: "revoke_token", token: row.id });
    expect((await call(token, "/api/users")).status).toBe(200);
    await onProfile("ada", { intent: "revoke_token", token: row.id });
    expect(await call(token, "/api/users")).toMatchObject({ status: 401, json: { code: "signed_out" } });
    await expect.poll(async () => (await call(token, "/api/users", { at: other })).status).toBe(401);
  });

  test("expires automatically, and its name is unique for its owner while it is valid", async () => {
    const token = await newToken("bob", "old", ["read"]);
    const again = await onProfile("bob", { intent: "create_token", name: "OLD", scope: "read", days: "7" });
    expect(again).not.toMatch(/mailroom_[A-Za-z0-9]{46}/);
    await inBooks((db) => db.token.updateMany({ where: { name: "old" }, data: { expiresAt: new Date() } }));
    expect((await call(token, "/api/users")).status).toBe(401);
    expect(await newToken("bob", "old", ["read"])).not.toBe(token);
  });

  test("stays within its daily limit and its owner's, also with concurrent sends", async () => {
    const small = await newToken("dana", "small", ["send:live"], "3");
    await grant("dana", 50);
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(small, false)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const { status, json } of answers.filter((answer) => answer.status !== 200)) {
      expect({ status, code: json.code }).toEqual({ status: 403, code: "limit_reached" });
    }
    const free = await newToken("dana", "free", ["send:live"]);
    const rest = await Promise.all(Array.from({ length: 8 }, () => send(free, false)));
    expect(rest.filter(({ status }) => status === 200)).toHaveLength(3);
    const [account] = await inBooks((db) => db.creditAccount.findMany({ where: { userId: "auth-dana" } }));
    expect(account).toMatchObject({ balance: 44, held: 0 });
  });
});

test("a token has no scope that its owner lacks, and acts for no one else unless the owner may", async () => {
  const token = await newToken("rita", "reduced", ["read", "send:live"]);
  expect((await call(token, "/api/users")).status).toBe(200);
  expect(await send(token, false)).toMatchObject({ status: 403, json: { details: "send:live" } });
  // Stores a sign-in of Rita as a member.
  await inBooks(
    (db) => db.$executeRaw`
      INSERT INTO sign_ins (person_id, display_name, groups) VALUES ('auth-rita', 'Rita', '{mailers}')`,
  );
  await expect.poll(async () => (await send(token, false)).status).toBe(402);
  expect(await send(token, false, { user_id: "auth-ada" })).toMatchObject({
    status: 403,
    json: { code: "forbidden" },
  });
});

test("creating tokens, webhooks or credits needs a recent sign-in, and keeps the input", async () => {
  const minutesAgo = (minutes: number) => ({ signedInAt: Date.now() - minutes * 60_000 });
  const as = async (minutes: number, path: string, body?: URLSearchParams | string) => {
    const reply = await fetch(app.origin + path, {
      ...(body ? { method: "POST", body } : {}),
      headers: {
        Cookie: await makeSessionCookie("ada", minutesAgo(minutes)),
        ...(typeof body === "string" ? { "Content-Type": "application/json" } : {}),
      },
    });
    return { status: reply.status, text: await reply.text() };
  };
  const token = new URLSearchParams({
    intent: "create_token",
    name: "typed-before",
    scope: "read",
    days: "7",
  });
  const hook = new URLSearchParams({
    intent: "create",
    url: "https://typed.invalid/",
    event: "piece.mailed",
  });
  const adjust = { user_id: "auth-ada", amount: "1", description: "typed-before" };
  const add = new URLSearchParams({ intent: "add", ...adjust });
  for (const [path, form, typed] of [
    ["/profile", token, "typed-before"],
    ["/webhooks", hook, "https://typed.invalid/"],
    ["/users?view=manage", add, "typed-before"],
  ] as const) {
    // The page requests it before typing, but a form already open may still be posted.
    expect((await as(14, path)).text, path).not.toContain("Sign in again");
    expect((await as(16, path)).text, path).toMatch(/fresh=1&amp;returnTo=/);
    const refused = await as(31, path, form);
    expect(refused, path).toMatchObject({ status: 400, text: expect.stringContaining(typed) });
    expect(refused.text).toContain("Sign in again");
  }
  expect((await as(29, "/profile", token)).text).toMatch(/mailroom_[A-Za-z0-9]{46}/);
  const body = JSON.stringify({ ...adjust, amount: 1, action: "add" });
  expect(await as(31, "/api/credits", body)).toMatchObject({ status: 403 });
  expect(await as(29, "/api/credits", body)).toMatchObject({ status: 200 });
});

test("a person or an admin ends all of the person's sessions and tokens: here at once, elsewhere within seconds", async () => {
  const token = await newToken("eve", "ended", ["read"]);
  const cookie = await makeSessionCookie("eve");
  const open = async (at: ConsoleProcess, Cookie = cookie) =>
    (await fetch(`${at.origin}/api/users`, { headers: { Cookie } })).status;
  const end = (who: string, person: string) => onProfile(who, { intent: "end_person", user_id: person });
  const isIn = async () => [await open(app), await open(other), (await call(token, "/api/users")).status];
  await end("bob", "auth-eve");
  expect(await isIn()).toEqual([200, 200, 200]);
  await end("ada", "auth-eve");
  expect([await open(app), (await call(token, "/api/users")).status]).toEqual([401, 401]);
  await expect.poll(() => isIn()).toEqual([401, 401, 401]);
  // A person who may sign in can do so again.
  const later = await makeSessionCookie("eve");
  expect(await open(app, later)).toBe(200);
  const bob = await makeSessionCookie("bob");
  await end("bob", "auth-bob");
  expect(await open(app, bob)).toBe(401);
  expect(await open(app, later)).toBe(200);
});

test("a token is refused while its owner has not signed in for 90 days", async () => {
  const token = await newToken("dana", "forgotten", ["read"]);
  const makeOld = (days: number) =>
    inBooks(
      (db) => db.$executeRaw`
        UPDATE tokens SET created_at = now() - ${days}::int * interval '1 day' WHERE name = 'forgotten'`,
    );
  const status = async () => (await call(token, "/api/users")).status;
  await makeOld(89);
  expect(await status()).toBe(200);
  await makeOld(91);
  await expect.poll(status).toBe(401);
  await inBooks(
    (db) => db.$executeRaw`INSERT INTO sign_ins (person_id, display_name) VALUES ('auth-dana', 'Dana')`,
  );
  expect(await status()).toBe(200);
});

test("each call of a token is in the API log, refused ones too, without names; failures are grouped", async () => {
  const token = await newToken("eve", "logged", ["send:test"]);
  const open = async (query: string) => {
    const page = await fetch(`${app.origin}/api-log?${query}`, {
      headers: { Cookie: await makeSessionCookie("ada") },
    });
    return (await page.text()).replaceAll(/<script[\s\S]*?<\/script>|<[^>]*>/g, "|").replaceAll(/\|+/g, "|");
  };
  await send(token, true);
  await call(token, "/api/users");
  const refused = await call(token, "/api/users");
  await call(token, `/api/pieces/${RECIPIENT.lastname}`);
  await call(token, "/api/pieces", { method: "POST", body: JSON.stringify({ type: "postcard", size: 4 }) });
  await call(`${token}x`, "/api/nothing/Maria");
  const { id } = await inBooks((db) => db.token.findFirstOrThrow({ where: { name: "logged" } }));
  const rows = () => inBooks((db) => db.apiCall.findMany({ where: { tokenId: id }, orderBy: { id: "asc" } }));
  await expect.poll(async () => (await rows()).length).toBe(5);
  expect(
    (await rows()).map(({ method, path, about, status, reason }) => [method, path, about, status, reason]),
  ).toEqual([
    ["POST", "/api/stannp", "postcards/create", 200, null],
    ["GET", "/api/users", null, 403, "missing_scope: read"],
    ["GET", "/api/users", null, 403, "missing_scope: read"],
    ["GET", "/api/pieces/:id", null, 403, "missing_scope: read"],
    ["POST", "/api/pieces", null, 400, expect.stringMatching(/^bad_input: .*size/)],
  ]);
  expect(await open(`id=${refused.json.request_id}`)).toMatch(
    /GET.*\/api\/users\|.*403\|missing_scope: read\|.*eve via logged/,
  );
  expect(await open("")).toMatch(/What fails.*GET \/api\/users\|403\|.*missing_scope: read\|[2-9]\|/);
  const failed = await open(`token=${id}&status=4xx&path=pieces`);
  expect(failed.match(/\|POST/g)).toHaveLength(1);
  expect(failed).not.toContain("stannp");
  const withoutRoute = () => inBooks((db) => db.apiCall.findMany({ where: { path: "/api/…" } }));
  await expect.poll(withoutRoute).toMatchObject([{ about: null, status: 404, tokenId: null, userId: null }]);
  const all = await inBooks((db) => db.apiCall.findMany());
  expect(JSON.stringify(all.map(({ id: _, ...row }) => row))).not.toMatch(/Maria|Silva/);

  const { expireCalls } = await import("~/api-log/record-calls.server");
  await inBooks(
    (db) => db.$executeRaw`UPDATE api_calls SET at = now() - interval '31 days' WHERE token_id = ${id}`,
  );
  await inBooks(expireCalls);
  expect(await rows()).toEqual([]);
  expect(await inBooks((db) => db.apiCall.count())).toBeGreaterThan(0);
});
