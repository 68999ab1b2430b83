import { describe, expect, test } from "vitest";
import { loadConsole, reachCallback, signInAs } from "../../support/console/console-routes";
import { CookieJar } from "../../support/console/cookie-jar";
import { setUpIdentity } from "../../support/fixtures";

const HTTPS_ORIGIN = "https://console.example";

const { identity, variables } = await setUpIdentity({
  clientSecret: "emulator secret: 100% + more",
  redirectUris: ["http://localhost:3000/api/auth/callback", `${HTTPS_ORIGIN}/api/auth/callback`],
});

async function signIn(changes: Record<string, string> = {}, subject = "ana") {
  const routes = await loadConsole({ ...variables, ...changes });
  const jar = new CookieJar();
  const answer = await signInAs(routes, jar, subject);
  return { routes, jar, answer, ...(await routes.openHome(jar)) };
}

describe("sign-in", () => {
  test("leads through the identity provider to a session", async () => {
    const { routes, jar, answer, viewer, authError } = await signIn();
    expect(answer.status).toBe(302);
    expect(answer.headers.get("Location")).toBe("http://localhost:3000/");
    expect(jar.names).toEqual(["mailroom_session"]);
    expect(authError).toBeNull();
    expect(viewer).toMatchObject({
      id: "auth-ana",
      subject: "ana",
      displayName: "Ana Ruiz",
      email: "ana@example.com",
    });
    const { data } = await (await routes.visit(jar, "/profile")).json();
    expect(data.profile).toMatchObject({
      displayName: "Ana Ruiz",
      email: "ana@example.com",
      subject: "ana",
      picture: expect.stringMatching(/^data:image\/svg/),
    });
  });

  test("asks with PKCE S256 and the configured scopes", async () => {
    const routes = await loadConsole({ ...variables, OAUTH_SCOPES: "openid email" });
    const answer = await routes.visit(new CookieJar(), "/api/auth/login");
    const asked = new URL(answer.headers.get("Location") ?? "").searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: "code",
      client_id: "mailroom",
      redirect_uri: "http://localhost:3000/api/auth/callback",
      scope: "openid email",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test("takes scopes from a verified e-mail and from the named groups", async () => {
    const PEOPLE_SCOPES = "group:print-shop=send:test, BENEDIKT@example.com=credits, nils@example.com=*";
    const scopesOf = async (subject: string) => {
      const { viewer } = await signIn({ PEOPLE_SCOPES, ADMIN_EMAILS: "ana@example.com" }, subject);
      return viewer?.scopes.join(" ");
    };
    expect(await scopesOf("zoe")).toBe("read send:test");
    expect(await scopesOf("benedikt")).toBe("read credits");
    expect(await scopesOf("ana")).toBe("read send:test send:live credits others admin");
    // Neither on the list nor verified.
    expect(await scopesOf("guest-7")).toBe("");
    expect(await scopesOf("nils")).toBe("");
  });

  test("requests a recent authentication where one is required, and stores its time", async () => {
    const routes = await loadConsole({ ...variables, FRESH_SIGN_IN_MINUTES: "15" });
    const jar = new CookieJar();
    const fresh = "/api/auth/login?fresh=1&returnTo=%2Fusers%3Fview%3Dmanage";
    const asked = await routes.visit(jar, fresh);
    expect(new URL(asked.headers.get("Location") ?? "").searchParams.get("max_age")).toBe("900");
    const answer = await signInAs(routes, jar, "ana", fresh);
    expect(answer.headers.get("Location")).toBe("http://localhost:3000/users?view=manage");
    const { viewer } = await routes.openHome(jar);
    expect(Date.now() - (viewer?.signedInAt ?? 0)).toBeLessThan(60_000);
  });

  test("names a person without name and e-mail 'You'", async () => {
    const { viewer } = await signIn({}, "guest-7");
    expect(viewer).toMatchObject({ id: "auth-guest-7", displayName: "You", email: null, picture: null });
  });

  test("leaves one cookie after many aborted logins, and the last of them still works", async () => {
    const routes = await loadConsole(variables);
    const jar = new CookieJar();
    for (let attempt = 0; attempt < 10; attempt += 1) await routes.visit(jar, "/api/auth/login");
    expect(jar.names).toEqual(["mailroom_login"]);
    await signInAs(routes, jar, "ana");
    expect(jar.names).toEqual(["mailroom_session"]);
  });

  test("recovers once the identity provider is back", async () => {
    const routes = await loadConsole(variables);
    const jar = new CookieJar();
    identity.failNext("discovery", { status: 503, contentType: "text/plain", body: "down" });
    expect((await routes.visit(jar, "/api/auth/login")).headers.get("Location")).toBe("/");
    await signInAs(routes, jar, "ana");
    expect((await routes.openHome(jar)).viewer?.subject).toBe("ana");
  });

  test("fetches the provider's discovery document once for many logins", async () => {
    const routes = await loadConsole(variables);
    const before = identity.countRequests("discovery");
    await Promise.all([1, 2, 3].map(() => routes.visit(new CookieJar(), "/api/auth/login")));
    await signInAs(routes, new CookieJar(), "ana");
    expect(identity.countRequests("discovery") - before).toBe(1);
  });

  test.each([
    ["by e-mail", { OAUTH_ALLOWED_EMAILS: "other@example.com, Ana@Example.com" }],
    ["by either", { OAUTH_ALLOWED_EMAILS: "other@example.com", OAUTH_ALLOWED_DOMAINS: "EXAMPLE.com" }],
  ])("admits a person whom the allow-list names %s", async (_name, lists) => {
    expect((await signIn(lists)).viewer?.subject).toBe("ana");
  });

  test("on https, cookies are Secure, HttpOnly, Lax and their names prefixed", async () => {
    const routes = await loadConsole({ ...variables, APP_ORIGIN: HTTPS_ORIGIN });
    const jar = new CookieJar();
    const callback = await reachCallback(routes, jar, "ana");
    expect(jar.names).toEqual(["__Secure-mailroom_login"]);
    const start = await routes.visit(new CookieJar(), "/api/auth/login");
    const [login = ""] = start.headers.getSetCookie();
    expect(login.split("; ").slice(1).sort()).toEqual([
      "HttpOnly",
      "Max-Age=600",
      "Path=/api/auth",
      "SameSite=Lax",
      "Secure",
    ]);
    const session = (await routes.visit(jar, callback)).headers
      .getSetCookie()
      .find((line) => line.startsWith("__Host-mailroom_session="));
    expect(session?.split("; ").slice(1)).toEqual(
      expect.arrayContaining(["HttpOnly", "Path=/", "SameSite=Lax", "Secure"]),
    );
    expect(session).not.toMatch(/Domain=/i);
    expect((await routes.openHome(jar)).viewer?.subject).toBe("ana");
  });
});

describe("the return address", () => {
  test.each(["/users?view=history", "http://localhost:3000/stored"])("%s is followed", async (address) => {
    const routes = await loadConsole(variables);
    const path = `/api/auth/login?${new URLSearchParams({ returnTo: address })}`;
    const answer = await signInAs(routes, new CookieJar(), "ana", path);
    expect(answer.headers.get("Location")).toBe(new URL(address, "http://localhost:3000").href);
  });

  test("too long for a cookie, or of another site, redirects to the home page", async () => {
    const routes = await loadConsole(variables);
    for (const address of [`/${"a".repeat(4_000)}`, "https://evil.example"]) {
      const answer = await signInAs(routes, new CookieJar(), "ana", `/api/auth/login?returnTo=${address}`);
      expect(answer.headers.get("Location")).toBe("http://localhost:3000/");
    }
  });
});
