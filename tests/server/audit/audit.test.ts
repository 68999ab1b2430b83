import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ACCESS } from "~/access.server";
import type { RouteAccess } from "~/platform/http/gate.server";
import { DEFAULT_USERS } from "../../emulators/identity-users";
import { buildConsole } from "../../support/console/console-build";
import { signInAs } from "../../support/console/console-routes";
import { CookieJar } from "../../support/console/cookie-jar";
import { inDatabase, loadEnvironment } from "../../support/console/environment";
import { RECIPIENT } from "../../support/console/mail-console";
import { newToken, postProfile } from "../../support/console/new-token";
import { makeSessionCookie } from "../../support/console/session-cookie";
import { startWholeConsole } from "../../support/console/whole-console";
import { layFlakyLink } from "../../support/database/flaky-link";
import { setUpDatabase, setUpPostgres } from "../../support/fixtures";

/** The audit log of a console in which Ada is an admin and Bob is not. */

const STRANGER = {
  subject: "stranger",
  label: "Stranger",
  claims: { name: "Stranger", email: "stranger@elsewhere.org", email_verified: true },
};

const postgres = await setUpPostgres();
const app = await startWholeConsole({
  folder: await buildConsole(),
  people: [...DEFAULT_USERS, STRANGER],
  variables: { ADMIN_EMAILS: "ada@example.com", OAUTH_ALLOWED_DOMAINS: "example.com" },
});
afterAll(() => app.close());
const db = setUpDatabase(app.databaseUrl ?? "");

/**
 * Waits for an event that is newer than `since`, as "actor via token: what subject, outcome". An event is stored after
 * its request was answered, so one of an earlier request may come in between.
 */
async function expectEvent(since: bigint, expected: unknown): Promise<void> {
  const list = () => db((client) => client.auditEvent.findMany({ where: { id: { gt: since } } }));
  const describeAll = async () =>
    (await list()).map(
      ({ actorId, token, what, subject, outcome }) =>
        `${actorId}${token ? ` via ${token}` : ""}: ${what} ${subject}, ${outcome}`,
    );
  await expect.poll(describeAll).toContainEqual(expected);
  for (const row of await list()) {
    expect(row).toMatchObject({
      address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      requestId: expect.stringMatching(/./),
    });
  }
}
const lastId = () =>
  db(async (client) => (await client.auditEvent.findFirst({ orderBy: { id: "desc" } }))?.id ?? 0n);

const FORM = "application/x-www-form-urlencoded";
/** Sends a request as a person; returns the status. */
async function as(
  who: string,
  path: string,
  form?: Record<string, string> | null,
  json?: object,
): Promise<Response> {
  const reply = await fetch(app.origin + path, {
    method: form || json ? "POST" : "GET",
    redirect: "manual",
    headers: {
      Cookie: await makeSessionCookie(who),
      "Sec-Fetch-Site": "same-origin",
      ...(form ? { "Content-Type": FORM } : json ? { "Content-Type": "application/json" } : {}),
    },
    ...(form ? { body: new URLSearchParams(form) } : json ? { body: JSON.stringify(json) } : {}),
  });
  await reply.clone().arrayBuffer();
  return reply;
}

async function signIn(subject: string) {
  const visit = async (jar: CookieJar, path: string, init: RequestInit = {}) => {
    const url = new URL(path, app.origin);
    const reply = await fetch(url, {
      ...init,
      redirect: "manual",
      headers: { ...init.headers, Cookie: jar.send(url.pathname) },
    });
    jar.keep(reply);
    return reply;
  };
  return signInAs({ origin: app.origin, visit, openHome: () => Promise.reject() }, new CookieJar(), subject);
}

const HOOK = { intent: "create", url: "https://example.com/hook", description: "", event: "piece.accepted" };
const ACTS: [string, () => Promise<unknown>, unknown][] = [
  ["a sign-in", () => signIn("ana"), "auth-ana: sign_in , done"],
  ["a refused sign-in", () => signIn("stranger"), "auth-stranger: sign_in , refused"],
  ["a sign-out", () => as("bob", "/api/auth/logout"), "auth-bob: sign_out , done"],
  ["an export", () => as("bob", "/users/history.csv"), "auth-bob: export /users/history.csv, done"],
  ["a refused page", () => as("bob", "/audit"), "auth-bob: right.refused GET audit, refused"],
  ["a refused webhook", () => as("bob", "/webhooks", HOOK), "auth-bob: webhook , refused"],
  ["a webhook", () => as("ada", "/webhooks", HOOK), "auth-ada: webhook.create , done"],
  [
    "a form that fails",
    () => as("ada", "/webhooks", { ...HOOK, url: "no address" }),
    "auth-ada: webhook.create , failed",
  ],
  [
    "a token",
    () => newToken(app.origin, "ada", { name: "nightly", scopes: ["read"] }),
    "auth-ada: token.create_token , done",
  ],
  [
    "its end",
    async () => {
      const token = await db((client) => client.token.findFirstOrThrow({ where: { name: "nightly" } }));
      return postProfile(app.origin, "ada", { intent: "revoke_token", token: token.id });
    },
    expect.stringMatching(/^auth-ada: token\.revoke_token \w+, done$/),
  ],
  [
    "a program without the scope",
    async () => {
      const token = await newToken(app.origin, "bob", { name: "reader", scopes: ["read"] });
      return fetch(`${app.origin}/api/pieces/p1/cancel`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}` },
      });
    },
    "auth-bob via reader: piece p1, refused",
  ],
  ["an approval", () => as("bob", "/bulk/l1", { intent: "approve" }), "auth-bob: list.approve l1, failed"],
  [
    "an alarm, under any intent",
    () => as("bob", "/alarms", { alarm: "9", reason: "Maria moved", intent: "refresh" }),
    "auth-bob: alarm.refresh 9, failed",
  ],
  [
    "a setting",
    () => as("bob", "/users/low-balance", { user_id: "auth-bob" }),
    expect.stringMatching(/^auth-bob: setting auth-bob, /),
  ],
  [
    "a deletion",
    () => as("bob", "/stored", { intent: "delete", id: "r1" }),
    "auth-bob: response.delete r1, failed",
  ],
];

test.each(ACTS)("%s", async (_, act, expected) => {
  const since = await lastId();
  await act();
  await expectEvent(since, expected);
});

test("an erasure removes names from the log", async () => {
  const credits = { user_id: "auth-ada", amount: 20, action: "add", description: "For a test" };
  expect((await as("ada", "/api/credits", null, credits)).status).toBe(200);
  const piece = {
    mode: "live",
    idempotency_key: "audit-0000000001",
    type: "postcard",
    content: { size: "4x6", template: "21001" },
    recipient: RECIPIENT,
  };
  expect((await as("ada", "/api/pieces", null, piece)).status).toBe(201);
  const load = () => db((client) => client.mailRecipient.findFirst({ where: { name: "Maria Silva" } }));
  await expect.poll(load).not.toBeNull();
  const since = await lastId();
  const { id = "" } = (await load()) ?? {};
  await as("ada", `/recipients/${id}`, { intent: "erase", confirmed: "yes" });
  await expectEvent(since, `auth-ada: person.erase ${id}, done`);
  const rows = await db(
    (client) => client.$queryRaw<{ text: string }[]>`SELECT a::text AS text FROM audit_events a`,
  );
  expect(rows.map(({ text }) => text).join("\n")).not.toMatch(/maria|silva|harbour|@/i);
});

test("reads, tests and unknown callers leave no event", async () => {
  const since = await lastId();
  await as("bob", "/mail");
  await as("bob", "/reference");
  await as("bob", "/sends/p1", { intent: "refresh" });
  await fetch(`${app.origin}/mail/items.csv`);
  const headers = { Cookie: await makeSessionCookie("bob"), "Sec-Fetch-Site": "cross-site" };
  await fetch(`${app.origin}/api/auth/logout`, { headers });
  await as("bob", "/alarms", { alarm: "10", reason: "r" });
  await expectEvent(since, "auth-bob: alarm 10, failed");
  const where = { id: { gt: since }, actorId: { not: "auth-ada" } };
  expect(await db((client) => client.auditEvent.count({ where }))).toBe(1);
});

test("admins read it as a filtered page and file", async () => {
  const page = await (await as("ada", "/audit?what=sign_in&outcome=refused")).text();
  expect(page).toContain("auth-stranger");
  expect(page).not.toContain("auth-ana");
  const file = await as("ada", "/audit.csv?who=auth-stranger");
  expect((await file.text()).trim().split("\r\n").slice(1)).toEqual([
    expect.stringMatching(/^\d+,20\d\d-\d\d-\d\d [\d:]{8},auth-stranger,,,[^,]+,sign_in,,refused,[\w-]+$/),
  ]);
  expect((await as("bob", "/audit")).status).toBe(403);
  expect((await as("bob", "/audit.csv")).status).toBe(403);
});

test.each(["UPDATE audit_events SET actor_id = 'x'", "DELETE FROM audit_events", "TRUNCATE audit_events"])(
  "the database refuses: %s",
  async (sql) => {
    await expect(db((client) => client.$executeRawUnsafe(sql))).rejects.toThrow(/append-only/);
  },
);

test("during a database outage an event waits on the disk, and is stored once", async () => {
  const link = await layFlakyLink(await postgres.createDatabase());
  const folder = await mkdtemp(join(tmpdir(), "mailroom-audit-"));
  await loadEnvironment({ DATABASE_URL: link.url, MAILROOM_SPOOL_DIR: folder });
  const { recordAudit, replayAudit } = await import("~/audit/audit-record.server");
  const count = () => inDatabase((client) => client.auditEvent.count());
  const event = {
    actorId: "a",
    token: null,
    address: "",
    what: "export",
    subject: "",
    outcome: "done",
    requestId: "r",
  } as const;
  expect(await count()).toBe(0);
  await link.cut();
  await recordAudit(event);
  await link.mend();
  await expect.poll(() => count().catch(() => null)).toBe(0);
  const claimed = await replayAudit.claim(10);
  expect(claimed.ok && claimed.value).toHaveLength(1);
  for (const row of claimed.ok ? claimed.value : []) expect((await replayAudit.work(row)).ok).toBe(true);
  for (const row of claimed.ok ? claimed.value : []) await replayAudit.work(row);
  expect(await count()).toBe(1);
  await rm(folder, { recursive: true, force: true });
  await link.close();
});

describe("the access table", () => {
  /** Methods that change nothing or have another history: sends are in `piece_events`, purchases in the ledger. */
  const NOT_AUDITED = [
    ..."mail_.reconciliation purchases_.$id search".split(" "),
    ..."api.curl api.letter-layout api.mail.refresh api.pieces api.responses api.returned-address api.search api.stannp".split(
      " ",
    ),
    "api.stripe.create-checkout",
  ].map((name) => `routes/${name} POST`);

  test("each method with which a person may change something is audited", () => {
    const without = Object.entries<RouteAccess>(ACCESS).flatMap(([route, { methods }]) =>
      Object.entries(methods)
        .filter(
          ([method, { caller, audit }]) => method !== "GET" && caller === "signed-in" && audit === undefined,
        )
        .map(([method]) => `${route} ${method}`),
    );
    expect(without.sort()).toEqual(NOT_AUDITED.sort());
  });
});
