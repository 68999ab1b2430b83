import type { Viewer } from "~/people/viewer.server";
import { CookieJar } from "./cookie-jar";
import { loadEnvironment } from "./environment";
import { type GatedRoute, gateRoute } from "./gated-route";

/** The console's sign-in, driven without a server: its routes, each behind the gate, called with requests as a browser sends them. */
export interface ConsoleRoutes {
  origin: string;
  /** Calls a route by its address, keeps its cookies; a page that is shown answers 200 with its data as JSON. */
  visit(jar: CookieJar, path: string, init?: RequestInit): Promise<Response>;
  /** What the home page would show of the sign-in; keeps cookies as the browser would. */
  openHome(jar: CookieJar, now?: number): Promise<{ viewer: Viewer | null; authError: string | null }>;
}

/**
 * Loads the console's modules afresh, as a process started with these variables and no other would:
 * environment, discovery cache and database are its own.
 */
export async function loadConsole(variables: Record<string, string>): Promise<ConsoleRoutes> {
  await loadEnvironment(variables);

  const routes: Record<string, GatedRoute> = {
    "/api/auth/login": await gateRoute("routes/api.auth.login", import("~/routes/api.auth.login")),
    "/api/auth/callback": await gateRoute("routes/api.auth.callback", import("~/routes/api.auth.callback")),
    "/api/auth/logout": await gateRoute("routes/api.auth.logout", import("~/routes/api.auth.logout")),
    "/api/users": await gateRoute("routes/api.users", import("~/routes/api.users")),
    "/api/credits": await gateRoute("routes/api.credits", import("~/routes/api.credits")),
    "/api/credits/transactions": await gateRoute(
      "routes/api.credits.transactions",
      import("~/routes/api.credits.transactions"),
    ),
    "/users/history.csv": await gateRoute(
      "routes/users_.history[.]csv",
      import("~/routes/users_.history[.]csv"),
    ),
    "/profile": await gateRoute("routes/profile", import("~/routes/profile")),
    "/api/responses": await gateRoute("routes/api.responses", import("~/routes/api.responses")),
    "/api/responses/stats": await gateRoute(
      "routes/api.responses.stats",
      import("~/routes/api.responses.stats"),
    ),
    "/api/responses/:id": await gateRoute("routes/api.responses.$id", import("~/routes/api.responses.$id")),
    "/api/responses/:id/cancel": await gateRoute(
      "routes/api.responses.$id.cancel",
      import("~/routes/api.responses.$id.cancel"),
    ),
    "/stored.csv": await gateRoute("routes/stored[.]csv", import("~/routes/stored[.]csv")),
    "/stored.ndjson": await gateRoute("routes/stored[.]ndjson", import("~/routes/stored[.]ndjson")),
  };
  const { env } = await import("~/platform/env.server");
  const { parseAuthError } = await import("~/people/auth-error.server");
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
      if (!route) throw new Error(`no route answers ${path}`);
      const answer = await route(request, params);
      jar.keep(answer);
      return answer;
    },
    async openHome(jar, now) {
      const request = buildRequest(jar, "/");
      const { message, setCookie } = await parseAuthError(request);
      const viewer = await findViewer(request, undefined, now);
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
  routes: Record<string, GatedRoute>,
  path: string,
): { route: GatedRoute | undefined; params: Record<string, string> } {
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
