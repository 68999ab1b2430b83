import { createRequire } from "node:module";
import { join } from "node:path";
import { PROJECT } from "./console-build";

/** The address that Remix gives each route, by the route's id; parameters are `:name`, the rest is `*`. */
export function findRouteAddresses(): Record<string, string> {
  const { flatRoutes } = createRequire(import.meta.url)("@remix-run/dev/dist/config/flat-routes.js");
  const routes = flatRoutes(join(PROJECT, "app")) as Record<string, { path?: string; parentId?: string }>;
  const findPath = (id = ""): string => {
    const { path, parentId } = routes[id] ?? {};
    return `${routes[parentId ?? ""] ? findPath(parentId) : ""}/${path ?? ""}`;
  };
  return Object.fromEntries(Object.keys(routes).map((id) => [id, findPath(id)]));
}
