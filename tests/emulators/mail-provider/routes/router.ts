import { findPresetForCall } from "~/catalogue/presets";
import { type Fields, readFirstText } from "../http/fields";
import { Refusal, type Reply, replyJson, succeed } from "../http/reply";
import type { Store } from "../store";

/** One authenticated request for the function that answers it. */
export interface Call {
  store: Store;
  params: Record<string, string>;
  query: URLSearchParams;
  fields: Fields;
  idempotencyKey: string | null;
  /** Overrides `test` for a fault; null = the request's value. */
  forcedTest: boolean | null;
}

export interface Route {
  method: string;
  /** Relative to the base; `:name` matches one segment, `:name?` is optional and comes last. */
  path: string;
  answer: (call: Call) => Reply | Promise<Reply>;
}

export interface RouteMatch {
  route: Pick<Route, "answer">;
  params: Record<string, string>;
}

/** @param call method and path, as in `GET recipients/get/:id?` */
export function route(call: string, answer: Route["answer"]): Route {
  const [method = "", path = ""] = call.split(" ");
  return { method, path, answer };
}

/** A route that answers `{success:true,data}`. */
export function dataRoute(call: string, read: (call: Call) => unknown): Route {
  return route(call, (one) => succeed(read(one)));
}

/**
 * Finds the first matching route. A call that only a preset of the console makes is answered with the preset's
 * example.
 * @param segments the decoded path below the base
 */
export function findRoute(routes: readonly Route[], method: string, segments: string[]): RouteMatch | null {
  for (const each of routes) {
    const params = each.method === method ? matchPath(each.path.split("/"), segments) : null;
    if (params) return { route: each, params };
  }
  const example = findPresetForCall(method, segments.join("/"))?.exampleResponse;
  return example === undefined ? null : { route: { answer: () => replyJson(200, example) }, params: {} };
}

/** The id from the path, else from the body or the query. @throws Refusal 400 */
export function requireId({ params, fields, query }: Call): string {
  const id = params.id || readFirstText(fields, "id") || query.get("id");
  if (!id) throw new Refusal(400, "Missing resource ID");
  return id;
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
