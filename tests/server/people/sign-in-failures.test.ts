import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type IdentityEmulator, type IdentityFault, startIdentity } from "../../emulators/identity";
import {
  type ConsoleRoutes,
  loadConsole,
  reachCallback,
  signInAs,
} from "../../support/console/console-routes";
import { CookieJar } from "../../support/console/cookie-jar";

const HTML: IdentityFault = { status: 200, contentType: "text/html", body: "<h1>Maintenance</h1>" };
const SERVER_ERROR: IdentityFault = { status: 500, contentType: "text/plain", body: "stack at /srv/idp.js" };
const HOSTILE = "<script>alert(document.cookie)</script>";

let identity: IdentityEmulator;
let variables: Record<string, string>;

beforeAll(async () => {
  identity = await startIdentity({
    clientId: "mailroom",
    clientSecret: "secret",
    redirectUris: ["http://localhost:3000/api/auth/callback"],
  });
  variables = {
    SESSION_SECRET: "first secret",
    OAUTH_ISSUER: identity.issuer,
    OAUTH_CLIENT_ID: "mailroom",
    OAUTH_CLIENT_SECRET: "secret",
  };
});

afterAll(() => identity.close());
afterEach(() => {
  vi.useRealTimers();
});

interface Scene {
  routes: ConsoleRoutes;
  jar: CookieJar;
}

interface FailureCase {
  name: string;
  variables?: () => Record<string, string>;
  /** Plays up to and including the answer that must be the Auth Error. */
  play: (scene: Scene) => Promise<Response>;
  says: RegExp;
}

/** Goes to the login page and answers the callback oneself, with the login's own state and these parameters. */
async function answerWith({ routes, jar }: Scene, parameters: Record<string, string>): Promise<Response> {
  const start = await routes.visit(jar, "/api/auth/login");
  const state = new URL(start.headers.get("Location") ?? "").searchParams.get("state") ?? "";
  return routes.visit(jar, `/api/auth/callback?${new URLSearchParams({ state, ...parameters })}`);
}

function failing(stage: "token" | "userinfo" | "discovery", fault: () => IdentityFault) {
  return ({ routes, jar }: Scene) => {
    identity.failNext(stage, fault());
    return stage === "discovery" ? routes.visit(jar, "/api/auth/login") : signInAs(routes, jar, "ana");
  };
}

function json(body: unknown): IdentityFault {
  return { status: 200, contentType: "application/json", body: JSON.stringify(body) };
}

function describeProvider(change: Record<string, unknown>): IdentityFault {
  return json({
    issuer: identity.issuer,
    authorization_endpoint: `${identity.issuer}/auth`,
    token_endpoint: `${identity.issuer}/token`,
    userinfo_endpoint: `${identity.issuer}/me`,
    ...change,
  });
}

function signToken(claims: Record<string, unknown>): IdentityFault {
  const payload = Buffer.from(JSON.stringify({ iss: identity.issuer, sub: "ana", ...claims }));
  return json({ access_token: "a", token_type: "Bearer", id_token: `e30.${payload.toString("base64url")}.` });
}

const FAILURES: FailureCase[] = [
  {
    name: "the callback has no state",
    play: async ({ routes, jar }) => {
      const callback = await reachCallback(routes, jar, "ana");
      return routes.visit(jar, callback.replace(/state=[^&]*/, ""));
    },
    says: /without its mark/,
  },
  {
    name: "the state is another browser's",
    play: async ({ routes, jar }) => {
      await routes.visit(jar, "/api/auth/login");
      return routes.visit(jar, await reachCallback(routes, new CookieJar(), "zoe"));
    },
    says: /another login/,
  },
  {
    name: "the state is that of a login given up for a newer one",
    play: async ({ routes, jar }) => {
      const first = await reachCallback(routes, jar, "ana");
      await routes.visit(jar, "/api/auth/login");
      return routes.visit(jar, first);
    },
    says: /another login/,
  },
  {
    name: "the browser has no state cookie",
    play: async ({ routes, jar }) => routes.visit(jar, await reachCallback(routes, new CookieJar(), "ana")),
    says: /no login under way/,
  },
  {
    name: "the state was used already, by someone who kept the cookie",
    play: async ({ routes, jar }) => {
      const callback = await reachCallback(routes, jar, "ana");
      const other = jar.copy();
      await routes.visit(other, callback);
      expect((await routes.openHome(other)).viewer?.subject).toBe("ana");
      return routes.visit(jar, callback);
    },
    says: /^This login was already used/,
  },
  {
    name: "the state cookie was tampered with",
    play: async ({ routes, jar }) => {
      const callback = await reachCallback(routes, jar, "ana");
      jar.change("mailroom_login", (value) => `${value.startsWith("a") ? "b" : "a"}${value.slice(1)}`);
      return routes.visit(jar, callback);
    },
    says: /no login under way/,
  },
  {
    name: "the state cookie is signed by somebody else",
    play: async ({ jar }) => {
      const stranger = await loadConsole({ ...variables, SESSION_SECRET: "guessed" });
      const callback = await reachCallback(stranger, jar, "ana");
      return (await loadConsole(variables)).visit(jar, callback);
    },
    says: /no login under way/,
  },
  {
    name: "the login took too long",
    play: async ({ routes, jar }) => {
      const callback = await reachCallback(routes, jar, "ana");
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * 60_000 });
      return routes.visit(jar, callback);
    },
    says: /longer than 10 minutes/,
  },
  {
    name: "the code was used already",
    play: async (scene) => {
      const victim = new CookieJar();
      const callback = await reachCallback(scene.routes, victim, "ana");
      await scene.routes.visit(victim, callback);
      const code = new URL(callback, "http://localhost").searchParams.get("code") ?? "";
      return answerWith(scene, { code });
    },
    says: /code was already used or has expired/,
  },
  {
    name: "the code is fresh but belongs to another login",
    play: async (scene) => {
      const callback = await reachCallback(scene.routes, new CookieJar(), "ana");
      const code = new URL(callback, "http://localhost").searchParams.get("code") ?? "";
      return answerWith(scene, { code });
    },
    says: /code was already used or has expired/,
  },
  {
    name: "the code is wrong",
    play: (scene) => answerWith(scene, { code: "guess" }),
    says: /code was already/,
  },
  { name: "there is no code", play: (scene) => answerWith(scene, {}), says: /without its code/ },
  { name: "the code is empty", play: (scene) => answerWith(scene, { code: "" }), says: /without its code/ },
  {
    name: "the person declines",
    play: ({ routes, jar }) => signInAs(routes, jar, "priya"),
    says: /access was declined/,
  },
  {
    name: "the provider reports its own error, with a hostile description",
    play: (scene) =>
      answerWith(scene, { error: "server_error", error_description: HOSTILE, error_uri: HOSTILE }),
    says: /had a problem/,
  },
  {
    name: "the provider reports an error nobody defined",
    play: (scene) => answerWith(scene, { error: HOSTILE, code: "and-a-code" }),
    says: /refused this console's request/,
  },
  {
    name: "the answer names another issuer",
    play: (scene) => answerWith(scene, { code: "x", iss: "https://evil.example" }),
    says: /another identity provider/,
  },
  {
    name: "the client secret is wrong",
    variables: () => ({ OAUTH_CLIENT_SECRET: "wrong" }),
    play: ({ routes, jar }) => signInAs(routes, jar, "ana"),
    says: /did not complete the login/,
  },
  { name: "the token endpoint fails", play: failing("token", () => SERVER_ERROR), says: /did not complete/ },
  { name: "the token endpoint answers HTML", play: failing("token", () => HTML), says: /did not complete/ },
  { name: "the token endpoint hangs up", play: failing("token", () => "drop"), says: /did not complete/ },
  { name: "the token answer is null", play: failing("token", () => json(null)), says: /did not complete/ },
  {
    name: "the token answer has no token",
    play: failing("token", () => json({ token_type: "Bearer" })),
    says: /did not complete/,
  },
  {
    name: "the token answer has no ID token",
    play: failing("token", () => json({ access_token: "a", token_type: "Bearer" })),
    says: /did not complete/,
  },
  {
    name: "the ID token is no token",
    play: failing("token", () => json({ access_token: "a", token_type: "Bearer", id_token: "%%%" })),
    says: /did not complete/,
  },
  {
    name: "the ID token is meant for another client",
    play: failing("token", () => signToken({ aud: "other" })),
    says: /did not complete/,
  },
  {
    name: "the ID token is another issuer's",
    play: failing("token", () => signToken({ aud: "mailroom", iss: "https://evil.example" })),
    says: /did not complete/,
  },
  { name: "userinfo fails", play: failing("userinfo", () => SERVER_ERROR), says: /did not say who you are/ },
  { name: "userinfo answers HTML", play: failing("userinfo", () => HTML), says: /did not say who you are/ },
  { name: "userinfo hangs up", play: failing("userinfo", () => "drop"), says: /did not say who you are/ },
  { name: "userinfo is null", play: failing("userinfo", () => json(null)), says: /did not say who you are/ },
  {
    name: "userinfo names nobody",
    play: failing("userinfo", () => json({ name: "Ana" })),
    says: /did not say who you are/,
  },
  {
    name: "userinfo names somebody else than the ID token",
    play: failing("userinfo", () => json({ sub: "zoe" })),
    says: /did not say who you are/,
  },
  {
    name: "userinfo is too large",
    play: failing("userinfo", () => json({ sub: "ana", name: "a".repeat(300_000) })),
    says: /did not say who you are/,
  },
  { name: "discovery fails", play: failing("discovery", () => SERVER_ERROR), says: /could not be reached/ },
  { name: "discovery answers HTML", play: failing("discovery", () => HTML), says: /could not be reached/ },
  { name: "discovery hangs up", play: failing("discovery", () => "drop"), says: /could not be reached/ },
  {
    name: "discovery is an empty object",
    play: failing("discovery", () => json({})),
    says: /cannot be used/,
  },
  {
    name: "discovery names another issuer",
    play: failing("discovery", () => describeProvider({ issuer: "https://evil.example" })),
    says: /another address than OAUTH_ISSUER/,
  },
  {
    name: "discovery sends the code over plain http to another host",
    play: failing("discovery", () => describeProvider({ token_endpoint: "http://idp.example/token" })),
    says: /cannot be used/,
  },
  {
    name: "discovery names a login page that is a script",
    play: failing("discovery", () => describeProvider({ authorization_endpoint: "javascript:alert(1)" })),
    says: /cannot be used/,
  },
  {
    name: "nothing listens at the issuer",
    variables: () => ({ OAUTH_ISSUER: "http://127.0.0.1:1" }),
    play: ({ routes, jar }) => routes.visit(jar, "/api/auth/login"),
    says: /could not be reached/,
  },
  {
    name: "sign-in is not configured",
    variables: () => ({ OAUTH_ISSUER: "" }),
    play: ({ routes, jar }) => routes.visit(jar, "/api/auth/login"),
    says: /no identity provider is configured/,
  },
  {
    name: "sign-in is not configured and somebody calls back",
    variables: () => ({ OAUTH_CLIENT_ID: "" }),
    play: ({ routes, jar }) => routes.visit(jar, "/api/auth/callback?code=x&state=y"),
    says: /no identity provider is configured/,
  },
  {
    name: "the e-mail on the allow-list is not verified",
    variables: () => ({ OAUTH_ALLOWED_EMAILS: "nils@example.com" }),
    play: ({ routes, jar }) => signInAs(routes, jar, "nils"),
    says: /yours is not verified/,
  },
  {
    name: "an allow-list is set and there is no e-mail",
    variables: () => ({ OAUTH_ALLOWED_DOMAINS: "example.com" }),
    play: ({ routes, jar }) => signInAs(routes, jar, "guest-7"),
    says: /yours is not verified/,
  },
  {
    name: "the e-mail is not on the allow-list",
    variables: () => ({ OAUTH_ALLOWED_EMAILS: "ana@example.com" }),
    play: ({ routes, jar }) => signInAs(routes, jar, "benedikt"),
    says: /not on this console's list/,
  },
  {
    name: "the domain is not on the allow-list",
    variables: () => ({ OAUTH_ALLOWED_DOMAINS: "ample.org,example.com,zoe.example.org" }),
    play: ({ routes, jar }) => signInAs(routes, jar, "zoe"),
    says: /not on this console's list/,
  },
];

describe("a sign-in that fails ends on Auth Error, without a session", () => {
  test.each(FAILURES)("when $name", async ({ variables: own, play, says }) => {
    const routes = await loadConsole({ ...variables, ...own?.() });
    const jar = new CookieJar();

    const answer = await play({ routes, jar });

    await expectAuthError(routes, jar, answer, says);
  });

  test("when the identity provider never answers", async () => {
    const routes = await loadConsole(variables);
    const stages = ["token", "userinfo"] as const;
    const jars = [new CookieJar(), new CookieJar()];
    const callbacks: string[] = [];
    for (const jar of jars) callbacks.push(await reachCallback(routes, jar, "ana"));
    for (const stage of stages) identity.failNext(stage, "hang");
    const fresh = await loadConsole(variables);
    const jar = new CookieJar();
    identity.failNext("discovery", "hang");

    const [start, ...answers] = await Promise.all([
      fresh.visit(jar, "/api/auth/login"),
      ...jars.map((kept, index) => routes.visit(kept, callbacks[index] ?? "")),
    ]);

    await expectAuthError(fresh, jar, start, /took too long to answer/);
    for (const [index, answer] of answers.entries()) {
      await expectAuthError(routes, jars[index] ?? jar, answer, /took too long to (complete|say)/);
    }
  });
});

test("a failed sign-in leaves an earlier session as it was", async () => {
  const routes = await loadConsole(variables);
  const jar = new CookieJar();
  await signInAs(routes, jar, "ana");
  const before = (await routes.openHome(jar)).viewer;

  const answer = await routes.visit(jar, "/api/auth/callback?code=x&state=y");

  expect(answer.headers.get("Location")).toBe("/");
  const home = await routes.openHome(jar);
  expect(home.viewer).toEqual(before);
  expect(home.viewer?.subject).toBe("ana");
  expect(home.authError).toMatch(/no login under way/);
});

test("a forged Auth Error cookie says nothing", async () => {
  const routes = await loadConsole(variables);
  const jar = new CookieJar();
  jar.keepLine(`mailroom_auth_error=${btoa('"Call 555-0100"')}; Path=/`);
  expect((await routes.openHome(jar)).authError).toBeNull();
});

async function expectAuthError(routes: ConsoleRoutes, jar: CookieJar, answer: Response, says: RegExp) {
  expect(answer.status).toBe(302);
  expect(answer.headers.get("Location")).toBe("/");
  expect(jar.names).toEqual(["mailroom_auth_error"]);
  const { viewer, authError } = await routes.openHome(jar);
  expect(viewer).toBeNull();
  expect(authError).toMatch(says);
  expect(authError).not.toMatch(/[<>]|stack|127\.0\.0\.1|secret|undefined/);
  expect((await routes.openHome(jar)).authError, "it is said once").toBeNull();
}
