import type { Fields } from "../http/fields";
import type { Reply } from "../http/reply";
import type { Store } from "../store";

/** One authenticated request on its way to the function that answers it. */
export interface Call {
  store: Store;
  params: Record<string, string>;
  query: URLSearchParams;
  fields: Fields;
  idempotencyKey: string | null;
  /** What a fault makes of `test`; null = what the request says. */
  forcedTest: boolean | null;
}

export interface Route {
  method: "GET" | "POST";
  /** Relative to the base; `:name` takes one segment, `:name?` is optional and stands last. */
  path: string;
  answer: (call: Call) => Reply | Promise<Reply>;
}

export interface RouteMatch {
  route: Route;
  params: Record<string, string>;
}

/** The first route that fits. @param segments the decoded path below the base */
export function findRoute(routes: readonly Route[], method: string, segments: string[]): RouteMatch | null {
  for (const route of routes) {
    if (route.method !== method) continue;
    const params = matchPath(route.path.split("/"), segments);
    if (params) return { route, params };
  }
  return null;
}

function matchPath(pattern: string[], segments: string[]): Record<string, string> | null {
  if (segments.length > pattern.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index];
    if (part.startsWith(":")) {
      const optional = part.endsWith("?");
      if (segment === undefined && !optional) return null;
      params[part.slice(1, optional ? -1 : undefined)] = segment ?? "";
    } else if (segment !== part) {
      return null;
    }
  }
  return params;
}
