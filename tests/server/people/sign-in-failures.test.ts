import { afterEach, describe, expect, test, vi } from "vitest";
import type { IdentityFault } from "../../emulators/identity";
import {
  type ConsoleRoutes,
  loadConsole,
  reachCallback,
  signInAs,
} from "../../support/console/console-routes";
import { CookieJar } from "../../support/console/cookie-jar";
import { setUpIdentity } from "../../support/fixtures";

const HTML: IdentityFault = { status: 200, contentType: "text/html", body: "<h1>Maintenance</h1>" };
const SERVER_ERROR: IdentityFault = { status: 500, contentType: "text/plain", body: "stack at /srv/idp.js" };
const HOSTILE = "<script>alert(document.cookie)</script>";

const { identity, variables } = await setUpIdentity();
afterEach(() => {
  vi.useRealTimers();
});

interface Scene {
  routes: ConsoleRoutes;
  jar: CookieJar;
}

/** A failure; `play` runs up to and including the answer that must be the Auth Error. */
type FailureCase = [
  name: string,
  play: (scene: Scene) => Promise<Response>,
  says: RegExp,
  variables?: () => Record<string, string>,
];

const signInOf =
  (person: string) =>
  ({ routes, jar }: Scene) =>
    signInAs(routes, jar, person);

/** Opens the login page and calls the callback directly, with the login's own state and these parameters. */
async function answerWith({ routes, jar }: Scene, parameters: Record<string, string>): Promise<Response> {
  const start = await routes.visit(jar, "/api/auth/login");
  const state = new URL(start.headers.get("Location") ?? "").searchParams.get("state") ?? "";
  return routes.visit(jar, `/api/auth/callback?${new URLSearchParams({ state, ...parameters })}`);
}

/** Answers with the code of another person's login, which may be used already. */
async function answerWithCode(scene: Scene, { used }: { used: boolean }): Promise<Response> {
  const victim = new CookieJar();
  const callback = await reachCallback(scene.routes, victim, "ana");
  if (used) await scene.routes.visit(victim, callback);
  const code = new URL(callback, "http://localhost").searchParams.get("code") ?? "";
  return answerWith(scene, { code });
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

const listFaults = (
  stage: "token" | "userinfo" | "discovery",
  says: RegExp,
  faults: Record<string, () => IdentityFault>,
) =>
  Object.entries(faults).map(
    ([name, fault]): FailureCase => [`${stage} ${name}`, failing(stage, fault), says],
  );

const FAILURES: FailureCase[] = [
  [
    "the callback has no state",
    async ({ routes, jar }) => {
      const callback = await reachCallback(routes, jar, "ana");
      return routes.visit(jar, callback.replace(/state=[^&]*/, ""));
    },
    /without its mark/,
  ],
  [
    "the state is another browser's",
    async ({ routes, jar }) => {
      await routes.visit(jar, "/api/auth/login");
      return routes.visit(jar, await reachCallback(routes, new CookieJar(), "zoe"));
    },
    /another login/,
  ],
  [
    "the browser has no state cookie",
    async ({ routes, jar }) => routes.visit(jar, await reachCallback(routes, new CookieJar(), "ana")),
    /no login under way/,
  ],
  [
    "the state was used already, by someone who kept the cookie",
    async ({ routes, jar }) => {
      const callback = await reachCallback(routes, jar, "ana");
      const other = jar.copy();
      await routes.visit(other, callback);
      expect((await routes.openHome(other)).viewer?.subject).toBe("ana");
      return routes.visit(jar, callback);
    },
    /^This login was already used/,
  ],
  [
    "the state cookie was tampered with",
    async ({ routes, jar }) => {
      const callback = await reachCallback(routes, jar, "ana");
      jar.change("mailroom_login", (value) => `${value.startsWith("a") ? "b" : "a"}${value.slice(1)}`);
      return routes.visit(jar, callback);
    },
    /no login under way/,
  ],
  [
    "the login took too long",
    async ({ routes, jar }) => {
      const callback = await reachCallback(routes, jar, "ana");
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * 60_000 });
      return routes.visit(jar, callback);
    },
    /longer than 10 minutes/,
  ],
  [
    "the code was used already",
    (scene) => answerWithCode(scene, { used: true }),
    /code was already used or has/,
  ],
  [
    "the code is fresh but another login's",
    (scene) => answerWithCode(scene, { used: false }),
    /code was already/,
  ],
  ["there is no code", (scene) => answerWith(scene, {}), /without its code/],
  ["the person declines", signInOf("priya"), /access was declined/],
  [
    "the provider reports its own error, with a hostile description",
    (scene) => answerWith(scene, { error: "server_error", error_description: HOSTILE, error_uri: HOSTILE }),
    /had a problem/,
  ],
  [
    "the provider reports an undefined error",
    (scene) => answerWith(scene, { error: HOSTILE, code: "and-a-code" }),
    /refused this console's request/,
  ],
  [
    "the answer names another issuer",
    (scene) => answerWith(scene, { code: "x", iss: "https://evil.example" }),
    /another identity provider/,
  ],
  [
    "the client secret is wrong",
    signInOf("ana"),
    /did not complete the login/,
    () => ({ OAUTH_CLIENT_SECRET: "wrong" }),
  ],
  ...listFaults("token", /did not complete/, {
    fails: () => SERVER_ERROR,
    "answers HTML": () => HTML,
    "hangs up": () => "drop",
    "gives no ID token": () => json({ access_token: "a", token_type: "Bearer" }),
  }),
  ...listFaults("userinfo", /did not say who you are/, {
    fails: () => SERVER_ERROR,
    "names another person than the ID token": () => json({ sub: "zoe" }),
    "is too large": () => json({ sub: "ana", name: "a".repeat(300_000) }),
  }),
  ...listFaults("discovery", /could not be reached/, {
    fails: () => SERVER_ERROR,
    "answers HTML": () => HTML,
  }),
  ...listFaults("discovery", /cannot be used/, {
    "sends the code over plain http to another host": () =>
      describeProvider({ token_endpoint: "http://idp.example/token" }),
    "names a login page that is a script": () =>
      describeProvider({ authorization_endpoint: "javascript:alert(1)" }),
  }),
  ...listFaults("discovery", /another address than OAUTH_ISSUER/, {
    "names another issuer": () => describeProvider({ issuer: "https://evil.example" }),
  }),
  [
    "nothing listens at the issuer",
    ({ routes, jar }) => routes.visit(jar, "/api/auth/login"),
    /could not be reached/,
    () => ({ OAUTH_ISSUER: "http://127.0.0.1:1" }),
  ],
  [
    "sign-in is not configured",
    ({ routes, jar }) => routes.visit(jar, "/api/auth/login"),
    /no identity provider is configured/,
    () => ({ OAUTH_ISSUER: "" }),
  ],
  [
    "an allow-list is set and the e-mail is not verified",
    signInOf("nils"),
    /yours is not verified/,
    () => ({ OAUTH_ALLOWED_EMAILS: "nils@example.com" }),
  ],
  [
    "an allow-list is set and the domain is another",
    signInOf("zoe"),
    /not on this console's list/,
    () => ({ OAUTH_ALLOWED_DOMAINS: "ample.org,zoe.example.org" }),
  ],
];

describe("a sign-in that fails ends on Auth Error, without a session", () => {
  test.each(FAILURES)("when %s", async (_name, play, says, own) => {
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

test("a failed sign-in keeps an earlier session", async () => {
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

test("a forged Auth Error cookie shows nothing", async () => {
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
