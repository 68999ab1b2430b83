import type { ServerBuild } from "@remix-run/node";
import type { RequestHandler } from "express";

/** Where a browser asks for routes that it does not know yet. */
const MANIFEST = "/__manifest";

/**
 * Answers pages, each by a handler that knows only the routes of that page: Remix builds and ranks all routes that it is
 * given four times for each request. Behind the gate, which has found the route.
 * @param createHandler makes Remix's handler for a build
 */
export function createPageHandlers(
  build: ServerBuild,
  createHandler: (build: ServerBuild) => RequestHandler,
): RequestHandler {
  const whole = createHandler(build);
  const handlers = new Map<string, RequestHandler>();
  for (const id of Object.keys(build.routes)) handlers.set(id, createHandler(keepRoutes(build, id)));
  return (request, response, next) => {
    const handler = request.path === MANIFEST ? undefined : handlers.get(response.locals.route);
    return (handler ?? whole)(request, response, next);
  };
}

/** The build with the root, one route, and those above its path, of which Remix tells the browser with the page. */
function keepRoutes(build: ServerBuild, leaf: string): ServerBuild {
  const path = `${build.routes[leaf]?.path}/`;
  const kept = Object.values(build.routes).filter(
    (route) => route.id === leaf || route.id === "root" || route.index || path.startsWith(`${route.path}/`),
  );
  const pick = <Value>(all: Record<string, Value>) =>
    Object.fromEntries(kept.flatMap(({ id }) => (all[id] ? [[id, all[id]]] : [])));
  return {
    ...build,
    routes: pick(build.routes),
    assets: { ...build.assets, routes: pick(build.assets.routes) },
  };
}
