import { CookieJar } from "./cookie-jar";
import { loadEnvironment } from "./environment";
import { openRoutes } from "./gated-route";

/**
 * The console's sign-in without a server: its routes behind the gate, called with requests as a browser sends them.
 */
export type ConsoleRoutes = Awaited<ReturnType<typeof loadConsole>>;

/**
 * Loads the console's modules again, as in a process started with only these variables: environment, discovery
 * cache and database are new.
 */
export async function loadConsole(variables: Record<string, string>) {
  await loadEnvironment(variables);

  const answer = await openRoutes([
    "routes/api.auth.login",
    "routes/api.auth.callback",
    "routes/api.auth.logout",
  ]);
  const { env } = await import("~/platform/env.server");
  const { parseAuthError } = await import("~/people/login.server");
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
    /** Calls a route and keeps its cookies; a page answers 200 with its data as JSON. */
    async visit(jar: CookieJar, path: string, init?: RequestInit) {
      const reply = await answer(buildRequest(jar, path, init));
      jar.keep(reply);
      return reply;
    },
    /** The sign-in data of the home page; keeps cookies as a browser does. */
    async openHome(jar: CookieJar, now?: number) {
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

export type ApiItem = Record<string, unknown>;

/** An answer of `/api/*`: its `data` as a list and as one item. */
export interface ApiAnswer {
  status: number;
  text: string;
  error: string | undefined;
  message: string | undefined;
  list: ApiItem[];
  item: ApiItem;
  nextCursor: string | null;
  matching: unknown;
  searchedNewest: number | null;
}

/** Returns functions that call the API in a person's session. */
export function openApi(routes: ConsoleRoutes, jar: CookieJar) {
  async function call(path: string, init?: RequestInit): Promise<ApiAnswer> {
    const answer = await routes.visit(jar, path, init);
    const text = await answer.text();
    const { data, error, message, matching, ...more } = text.startsWith("{") ? JSON.parse(text) : {};
    return {
      ...{ status: answer.status, text, error, message, list: data ?? [], item: data ?? {}, matching },
      ...{ nextCursor: more.next_cursor ?? null, searchedNewest: more.searched_newest ?? null },
    };
  }
  const post = (path: string, body: unknown) =>
    call(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  return { call, post };
}

/**
 * Goes through the identity provider's login page as `subject`; returns the callback address that it redirects to.
 */
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
