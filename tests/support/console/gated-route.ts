import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ActionFunction, LoaderFunction } from "@remix-run/node";
import type { ACCESS } from "~/access.server";
import { failWith500, toRequest } from "./node-request";

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
  const { loader, action } = await route;
  return async (request, params = {}) => {
    const refusal = refuseRequest(request, table[id]);
    if (refusal) return refusal;
    const handle = request.method === "GET" ? loader : action;
    if (!handle) throw new Error(`${id} has nothing for ${request.method}`);
    try {
      const reply = await handle({
        request,
        params,
        context: {
          bodyLimits: findLimits(request.method, table[id]),
          scope: findScope(request.method, table[id]),
        },
      });
      return reply instanceof Response ? reply : Response.json(reply);
    } catch (thrown) {
      if (thrown instanceof Response) return thrown;
      throw thrown;
    }
  };
}

/** A server on this machine that answers with routes of this process. */
export async function openSite() {
  let routes: Record<string, GatedRoute> = {};
  const server = createServer(async (incoming, response) => {
    const request = await toRequest(incoming);
    const route = routes[new URL(request.url).pathname];
    const reply = route ? await route(request).catch(failWith500) : new Response(null, { status: 404 });
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    response.end(await reply.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve(served: Record<string, GatedRoute>) {
      routes = served;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
