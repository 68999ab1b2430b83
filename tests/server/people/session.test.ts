import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_USERS } from "../../emulators/identity-users";
import { loadConsole, signInAs } from "../../support/console/console-routes";
import { CookieJar } from "../../support/console/cookie-jar";
import { newEmbedded } from "../../support/database/embedded";
import { layFlakyLink } from "../../support/database/flaky-link";
import { command } from "../../support/database/postgres";
import { drain } from "../../support/drain";
import { setUpIdentity, setUpPostgres } from "../../support/fixtures";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MAX_COOKIE_BYTES = 4_096;
/** Every character takes two in JSON. */
const LONG_SUBJECT = '"'.repeat(255);

const postgres = await setUpPostgres();
const { variables } = await setUpIdentity({
  users: [
    ...DEFAULT_USERS,
    {
      subject: LONG_SUBJECT,
      label: "Long",
      claims: {
        name: "📮".repeat(300),
        email: `${"￮".repeat(240)}@example.com`,
        email_verified: true,
        picture: `https://example.com/${"p".repeat(970)}`,
      },
    },
    {
      subject: "hostile",
      label: "Hostile",
      claims: { name: "  <b>Eve</b> ", picture: "javascript:alert(1)" },
    },
  ],
});

async function signIn(changes: Record<string, string> = {}, subject = "ana") {
  const routes = await loadConsole({ ...variables, ...changes });
  const jar = new CookieJar();
  const answer = await signInAs(routes, jar, subject);
  return { routes, jar, answer };
}

describe("a session", () => {
  test.each([
    ["goes on within 8 hours without use", [], 8 * HOUR_MS - MINUTE_MS, true],
    ["ends after 8 hours without use", [], 8 * HOUR_MS + MINUTE_MS, false],
    ["ends after 24 hours in spite of use", [7, 14, 21, 23], 24 * HOUR_MS + MINUTE_MS, false],
  ])("%s", async (_name, hours, atMs, lives) => {
    const { routes, jar } = await signIn();
    const start = Date.now();
    for (const hour of hours) {
      expect((await routes.openHome(jar, start + hour * HOUR_MS)).viewer, `hour ${hour}`).not.toBeNull();
    }
    expect((await routes.openHome(jar, start + atMs)).viewer !== null).toBe(lives);
  });

  test("is written again at most once in five minutes", async () => {
    const { routes, jar } = await signIn();
    const start = Date.now();
    const written: number[] = [];
    for (let minute = 0; minute <= 12; minute += 1) {
      const before = jar.send("/");
      await routes.openHome(jar, start + minute * MINUTE_MS);
      if (jar.send("/") !== before) written.push(minute);
    }
    expect(written).toEqual([5, 10]);
  });

  test.each([
    ["one character changed", (value: string) => `${value.startsWith("a") ? "b" : "a"}${value.slice(1)}`],
    ["the signature cut off", (value: string) => value.replace(/\..*$/, "")],
    ["another content", () => btoa(JSON.stringify({ subject: "admin" }))],
    ["what no decoder reads", () => "%E0%A4%A"],
  ])("with %s is invalid", async (_name, edit) => {
    const { routes, jar } = await signIn();
    expect((await routes.openHome(jar)).viewer?.subject).toBe("ana");
    jar.change("mailroom_session", edit);
    expect((await routes.openHome(jar)).viewer).toBeNull();
    expect((await routes.visit(jar, "/api/users")).status).toBe(401);
  });

  test("cannot be forged from another signed cookie with any content", async () => {
    const { routes, jar } = await signIn();
    const { createSignedCookie } = await import("~/platform/http/session.server");
    const options = { path: "/", maxAgeSeconds: 60 };
    const contents: unknown = await createSignedCookie("mailroom_session", options).parse(jar.send("/"));
    expect(contents).toMatchObject({ subject: "ana" });

    for (const name of ["mailroom_session", "mailroom_preferences"]) {
      const line = await createSignedCookie(name, options).serialize(contents);
      jar.change("mailroom_session", () => line.slice(name.length + 1, line.indexOf(";")));
      const { viewer } = await routes.openHome(jar);
      expect(viewer?.subject, name).toBe(name === "mailroom_session" ? "ana" : undefined);
    }
  });

  test("does not choose the user that another person chose in this browser", async () => {
    const { jar } = await signIn();
    const { parsePreferences, serializePreferences } = await import("~/platform/http/preferences.server");
    const toRequest = (cookie: string) => new Request("http://localhost/", { headers: { cookie } });
    const line = await serializePreferences(toRequest(jar.send("/")), { userId: "auth-ana" });
    expect((await parsePreferences(toRequest(`${line}; ${jar.send("/")}`))).userId).toBe("auth-ana");
    expect((await parsePreferences(toRequest(line))).userId).toBeUndefined();
  });

  test("survives a change of the signing key while the old key is still listed", async () => {
    const { jar } = await signIn();
    const rotated = await loadConsole({ ...variables, SESSION_SECRET: "second secret, first secret" });
    expect((await rotated.openHome(jar, Date.now() + 6 * MINUTE_MS)).viewer?.subject).toBe("ana");
    const final = await loadConsole({ ...variables, SESSION_SECRET: "second secret" });
    expect((await final.openHome(jar)).viewer?.subject, "written again with the new key").toBe("ana");
    const foreign = await loadConsole({ ...variables, SESSION_SECRET: "third secret" });
    expect((await foreign.openHome(jar)).viewer).toBeNull();
  });

  test("ends when its owner is no longer on the allow-list", async () => {
    const { jar } = await signIn();
    const stricter = await loadConsole({ ...variables, OAUTH_ALLOWED_EMAILS: "zoe@example.org" });
    expect((await stricter.openHome(jar)).viewer).toBeNull();
  });

  test("fits into a cookie for any data from the provider", async () => {
    const { routes, jar, answer } = await signIn({}, LONG_SUBJECT);
    const line = answer.headers.getSetCookie().find((part) => part.startsWith("mailroom_session=")) ?? "";
    expect(line.length).toBeLessThan(MAX_COOKIE_BYTES);
    const { viewer } = await routes.openHome(jar);
    expect(viewer?.subject).toBe(LONG_SUBJECT);
    expect(viewer?.displayName).toBe("📮".repeat(100));
  });

  test("stores a name as text and rejects a script as picture", async () => {
    const { routes, jar } = await signIn({}, "hostile");
    const { viewer } = await routes.openHome(jar);
    expect(viewer).toMatchObject({ displayName: "<b>Eve</b>", picture: null });
  });

  test("is valid while the database is down, which GET /api/users says", async () => {
    const { routes, jar } = await signIn({ MAILROOM_DATABASE_URL: "postgres://user@127.0.0.1:1/none" });
    expect((await routes.openHome(jar)).viewer?.subject).toBe("ana");
    const answer = await routes.visit(jar, "/api/users");
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ success: false, error: expect.any(String) });
  });
});

test("without a session the profile redirects through the login and back", async () => {
  const routes = await loadConsole(variables);
  const jar = new CookieJar();
  const answer = await routes.visit(jar, "/profile");
  expect(answer.status).toBe(302);
  const login = answer.headers.get("Location") ?? "";
  expect(login).toBe("/api/auth/login?returnTo=%2Fprofile");
  const back = await signInAs(routes, jar, "ana", login);
  expect(back.headers.get("Location")).toBe("http://localhost:3000/profile");
});

describe("logging out", () => {
  const LINK = { headers: { "Sec-Fetch-Site": "same-origin" } };
  const FORM = { method: "POST", headers: { ...LINK.headers, Origin: "http://localhost:3000" } };
  test.each([
    ["the link", LINK],
    ["our own form", FORM],
  ])("by %s forgets the cookie and goes home", async (_name, how) => {
    const { routes, jar } = await signIn();
    const answer = await routes.visit(jar, "/api/auth/logout", how);
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/"]);
    expect(answer.headers.get("Clear-Site-Data")).toBe('"storage"');
    expect(jar.names).toEqual([]);
  });

  test("revokes copies of the cookie if there is a database, also one refreshed later", async () => {
    const { routes, jar } = await signIn({ MAILROOM_DATABASE_URL: newEmbedded() });
    const [stolen, refreshed] = [jar.copy(), jar.copy()];
    const bystander = new CookieJar();
    await signInAs(routes, bystander, "zoe");
    expect((await routes.openHome(stolen)).viewer?.subject).toBe("ana");

    await routes.visit(jar, "/api/auth/logout");

    expect((await routes.openHome(stolen)).viewer).toBeNull();
    expect((await routes.visit(stolen, "/api/users")).status).toBe(401);
    expect((await routes.visit(stolen, "/api/auth/logout")).status, "again").toBe(302);
    const later = Date.now() + 6 * MINUTE_MS;
    await routes.openHome(refreshed, later);
    expect((await routes.openHome(refreshed, later)).viewer).toBeNull();
    expect((await routes.openHome(bystander)).viewer?.subject).toBe("zoe");
    await signInAs(routes, jar, "ana");
    expect((await routes.openHome(jar)).viewer?.subject, "a new session").toBe("ana");
  });

  test("ends the session at another process within five seconds, and keeps others signed in without a table", async () => {
    const settings = { MAILROOM_DATABASE_URL: await postgres.createDatabase() };
    const { routes, jar } = await signIn(settings);
    const stolen = jar.copy();
    const bystander = new CookieJar();
    await signInAs(routes, bystander, "zoe");
    const other = await loadConsole({ ...variables, ...settings });
    expect((await other.openHome(stolen)).viewer?.subject).toBe("ana");
    await routes.visit(jar, "/api/auth/logout");
    const readOther = async () => (await other.openHome(stolen)).viewer;
    await expect.poll(readOther).toBeNull();

    await command(settings.MAILROOM_DATABASE_URL, "ALTER TABLE revoked_sessions RENAME TO elsewhere");
    const third = await loadConsole({ ...variables, ...settings });
    expect((await third.openHome(bystander)).viewer?.subject).toBe("zoe");
  });

  test("during a database outage ends the session here at once, and permanently when the database returns", async () => {
    const link = await layFlakyLink(await postgres.createDatabase());
    const spool = mkdtempSync(join(tmpdir(), "mailroom-spool-"));
    try {
      const settings = { MAILROOM_DATABASE_URL: link.url, MAILROOM_SPOOL_DIR: spool };
      const { routes, jar } = await signIn(settings);
      const stolen = jar.copy();
      expect((await routes.visit(stolen, "/api/users")).status).toBe(200);
      await link.cut();

      await routes.visit(jar, "/api/auth/logout");
      expect((await routes.openHome(stolen)).viewer, "in this process").toBeNull();

      // Another process, which knows of it only by the file on the disk.
      await link.mend();
      const after = await loadConsole({ ...variables, ...settings });
      expect((await after.openHome(stolen)).viewer?.subject, "not yet read").toBe("ana");
      const { replayRevocations } = await import("~/people/revoked-sessions.server");
      expect(await drain(replayRevocations)).toBe(1);
      expect((await after.openHome(stolen)).viewer, "in the database").toBeNull();
      expect(await drain(replayRevocations)).toBe(0);
    } finally {
      await link.close();
      rmSync(spool, { recursive: true });
    }
  });

  test("ends the earlier session at the next login", async () => {
    const { routes, jar } = await signIn({ MAILROOM_DATABASE_URL: newEmbedded() });
    const earlier = jar.copy();
    await signInAs(routes, jar, "zoe");
    expect((await routes.openHome(jar)).viewer?.subject).toBe("zoe");
    expect((await routes.openHome(earlier)).viewer).toBeNull();
  });
});
