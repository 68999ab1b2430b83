import type { ActionFunction, LoaderFunction } from "@remix-run/node";
import type { ACCESS } from "~/access.server";

interface RouteModule {
  loader?: LoaderFunction;
  action?: ActionFunction;
}

/** A route as the console runs it: what the gate refuses never reaches it. */
export type GatedRoute = (request: Request, params?: Record<string, string>) => Promise<Response>;

/**
 * Puts the gate of the modules as they are loaded now in front of a route. A page that is shown answers 200 with its
 * data as JSON.
 */
export async function gateRoute(id: keyof typeof ACCESS, route: Promise<RouteModule>): Promise<GatedRoute> {
  const { ACCESS: table } = await import("~/access.server");
  const { findLimits, findScope, refuseRequest } = await import("~/platform/http/gate.server");
  const { noteScope } = await import("~/platform/http/token-access.server");
  const { loader, action } = await route;
  return async (request, params = {}) => {
    const refusal = refuseRequest(request, table[id]);
    if (refusal) return refusal;
    noteScope(request, findScope(request.method, table[id]));
    const handle = request.method === "GET" ? loader : action;
    if (!handle) throw new Error(`${id} has nothing for ${request.method}`);
    try {
      const reply = await handle({
        request,
        params,
        context: { bodyLimits: findLimits(request.method, table[id]) },
      });
      return reply instanceof Response ? reply : Response.json(reply);
    } catch (thrown) {
      if (thrown instanceof Response) return thrown;
      throw thrown;
    }
  };
}
