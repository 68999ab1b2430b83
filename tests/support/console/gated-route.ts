import { createServer } from "node:http";
import type { ActionFunction, LoaderFunction } from "@remix-run/node";
import { matchRoutes, type Params } from "@remix-run/react";
import type { ACCESS } from "~/access.server";
import { listen } from "../../emulators/listen";
import { failWith500, toRequest } from "./node-request";
import { findRouteAddresses } from "./route-addresses";

type RouteId = keyof typeof ACCESS;

interface RouteModule {
  loader?: LoaderFunction;
  action?: ActionFunction;
}

/** A route behind the gate, as the console runs it: refused requests never reach it. */
export type GatedRoute = (request: Request, params?: Params) => Promise<Response>;

/** Puts the gate of the modules that are loaded now in front of a route. A page answers 200 with its data as JSON. */
export async function gateRoute(id: RouteId, route: Promise<RouteModule>): Promise<GatedRoute> {
  const { ACCESS: table } = await import("~/access.server");
  const { guardRoutes, refuseRequest } = await import("~/platform/http/gate.server");
  const { checkPerson } = await import("~/people/viewer.server");
  const routes = { [id]: { id, path: "", module: { default: undefined, ...(await route) } } };
  const { loader, action } = guardRoutes(routes, table, checkPerson)[id]?.module ?? {};
  return async (request, params = {}) => {
    const refusal = refuseRequest(request, table[id]);
    if (refusal) return refusal;
    const handle = request.method === "GET" ? loader : action;
    if (!handle) throw new Error(`${id} has nothing for ${request.method}`);
    try {
      const reply = await handle({
        request,
        params,
        context: {},
      });
      return reply instanceof Response ? reply : Response.json(reply);
    } catch (thrown) {
      if (thrown instanceof Response) return thrown;
      throw thrown;
    }
  };
}

let addresses: { id: RouteId; path: string }[] | undefined;

/**
 * Answers requests by the routes of their addresses, each behind the gate and loaded at its first request.
 * @param early routes to load now, so that they belong to this console when another one is loaded later
 */
export async function openRoutes(early: RouteId[] = []): Promise<(request: Request) => Promise<Response>> {
  addresses ??= Object.entries(findRouteAddresses()).map(([id, path]) => ({ id: id as RouteId, path }));
  const loaded = new Map<RouteId, Promise<GatedRoute>>();
  const load = (id: RouteId) => {
    const route = loaded.get(id) ?? gateRoute(id, import(/* @vite-ignore */ `~/${id}`));
    loaded.set(id, route);
    return route;
  };
  await Promise.all(early.map(load));
  return async (request) => {
    const match = matchRoutes(addresses ?? [], new URL(request.url).pathname)?.at(-1);
    if (!match) return new Response(null, { status: 404 });
    return (await load(match.route.id))(request, match.params);
  };
}

/** Starts a server on this machine that answers with the console's routes in this process. */
export async function openSite() {
  const answer = await openRoutes();
  const server = createServer(async (incoming, response) => {
    const reply = await answer(await toRequest(incoming)).catch(failWith500);
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    response.end(new Uint8Array(await reply.arrayBuffer()));
  });
  const { port, close } = await listen(server);
  return { origin: `http://127.0.0.1:${port}`, close };
}
