import type { ActionFunction, LoaderFunction } from "@remix-run/node";
import { vi } from "vitest";
import type { Viewer } from "~/people/viewer.server";
import type { Database } from "~/platform/database/database.server";
import { CookieJar } from "./cookie-jar";

/** The console's sign-in, driven without a server: its routes called with requests as a browser sends them. */
export interface ConsoleRoutes {
  origin: string;
  /** Calls a route by its address, keeps its cookies; a page that is shown answers 200 with its data as JSON. */
  visit(jar: CookieJar, path: string, init?: RequestInit): Promise<Response>;
  /** What the home page would show of the sign-in; keeps cookies as the browser would. */
  openHome(jar: CookieJar, now?: number): Promise<{ viewer: Viewer | null; authError: string | null }>;
}

interface RouteModule {
  loader?: LoaderFunction;
  action?: ActionFunction;
}

/**
 * Loads the console's modules afresh, as a process started with these variables and no other would:
 * environment, discovery cache and database are its own.
 */
export async function loadConsole(variables: Record<string, string>): Promise<ConsoleRoutes> {
  // The database outlives its module on purpose, for reloads in development.
  const shared = globalThis as typeof globalThis & { mailroomDatabase?: Database };
  await shared.mailroomDatabase?.close();
  delete shared.mailroomDatabase;
  vi.resetModules();
  vi.unstubAllEnvs();
  for (const name of Object.keys(process.env)) {
    if (/^(OAUTH_|STANNP_|APP_ORIGIN|SESSION_SECRET|NODE_ENV|.*(DATABASE|POSTGRES)_URL|PORT$)/.test(name)) {
      vi.stubEnv(name, undefined);
    }
  }
  for (const [name, value] of Object.entries({ LOG_LEVEL: "silent", ...variables })) vi.stubEnv(name, value);

  const routes: Record<string, RouteModule> = {
    "/api/auth/login": await import("~/routes/api.auth.login"),
    "/api/auth/callback": await import("~/routes/api.auth.callback"),
    "/api/auth/logout": await import("~/routes/api.auth.logout"),
    "/api/users": await import("~/routes/api.users"),
    "/api/credits": await import("~/routes/api.credits"),
    "/api/credits/transactions": await import("~/routes/api.credits.transactions"),
    "/users/history.csv": await import("~/routes/users_.history[.]csv"),
    "/profile": await import("~/routes/profile"),
    "/api/responses": await import("~/routes/api.responses"),
    "/api/responses/stats": await import("~/routes/api.responses.stats"),
    "/api/responses/:id": await import("~/routes/api.responses.$id"),
    "/api/responses/:id/cancel": await import("~/routes/api.responses.$id.cancel"),
    "/stored.csv": await import("~/routes/stored[.]csv"),
    "/stored.ndjson": await import("~/routes/stored[.]ndjson"),
  };
  const { env } = await import("~/platform/env.server");
  const { readAuthError } = await import("~/people/auth-error.server");
  const { findViewer } = await import("~/people/viewer.server");
  const { refreshSession } = await import("~/platform/http/session.server");
  const origin = env().appOrigin;

  function buildRequest(jar: CookieJar, path: string, init: RequestInit = {}): Request {
    const url = new URL(path, origin);
    const headers = new Headers(init.headers);
    const cookies = jar.send(url.pathname);
    if (cookies !== "") headers.set("Cookie", cookies);
    return new Request(url, { ...init, headers });
  }

  return {
    origin,
    async visit(jar, path, init) {
      const request = buildRequest(jar, path, init);
      const { route, params } = findRoute(routes, new URL(request.url).pathname);
      const handle = request.method === "GET" ? route?.loader : route?.action;
      if (!handle) throw new Error(`no route answers ${request.method} ${path}`);
      const answer = await answerOf(() => handle({ request, params, context: {} }));
      jar.keep(answer);
      return answer;
    },
    async openHome(jar, now) {
      const request = buildRequest(jar, "/");
      const { message, setCookie } = await readAuthError(request);
      const viewer = await findViewer(request, now);
      for (const line of [setCookie, await refreshSession(request, now)]) {
        if (line !== null) jar.keepLine(line);
      }
      return { viewer, authError: message };
    },
  };
}

/** Goes through the identity provider's login page as `subject`; returns the callback address it leads to. */
export async function reachCallback(
  routes: ConsoleRoutes,
  jar: CookieJar,
  subject: string,
  loginPath = "/api/auth/login",
): Promise<string> {
  const provider = new CookieJar();
  const start = await routes.visit(jar, loginPath);
  let address = new URL(start.headers.get("Location") ?? "", routes.origin);
  let form: URLSearchParams | undefined;
  while (address.origin !== routes.origin) {
    const response = await fetch(address, {
      redirect: "manual",
      headers: { Cookie: provider.send(address.pathname) },
      ...(form ? { method: "POST", body: form } : {}),
    });
    provider.keep(response);
    const next = response.headers.get("Location");
    if (next === null && form) throw new Error(`the identity provider answered ${response.status}`);
    form = next === null ? new URLSearchParams({ account: subject }) : undefined;
    if (next !== null) address = new URL(next, address);
  }
  return address.pathname + address.search;
}

/** Signs in as `subject`; returns the callback's answer. */
export async function signInAs(
  routes: ConsoleRoutes,
  jar: CookieJar,
  subject: string,
  loginPath?: string,
): Promise<Response> {
  return routes.visit(jar, await reachCallback(routes, jar, subject, loginPath));
}

/** The route of an address; of two that fit, the one that stands first in the table. */
function findRoute(
  routes: Record<string, RouteModule>,
  path: string,
): { route: RouteModule | undefined; params: Record<string, string> } {
  for (const [pattern, route] of Object.entries(routes)) {
    const words = new RegExp(`^${pattern.replaceAll(".", "\\.").replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`).exec(
      path,
    );
    if (!words) continue;
    const params = Object.entries(words.groups ?? {}).map(([name, value]) => [
      name,
      decodeURIComponent(value),
    ]);
    return { route, params: Object.fromEntries(params) };
  }
  return { route: undefined, params: {} };
}

async function answerOf(call: () => unknown): Promise<Response> {
  try {
    const answer = await call();
    return answer instanceof Response ? answer : Response.json(answer);
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  }
}
