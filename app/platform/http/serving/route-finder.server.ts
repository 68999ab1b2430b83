import type { ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";

/** A route of the build, as Remix would choose it for a path. */
interface FoundRoute {
  /** Empty where no route fits. */
  id: string;
  params: Record<string, string | undefined>;
}

type RouteTree = NonNullable<Parameters<typeof matchRoutes>[0]>;
type RouteNode = RouteTree[number];

const NOTHING: FoundRoute = { id: "", params: {} };
/** A path whose parts Remix reads as they stand. */
const PLAIN_PATH = /^\/(?!\/)[^%]*$/;

/**
 * Finds the route that Remix will choose. Remix itself builds and ranks all routes for each request; here a path is
 * looked for among those with its first part only, and a path without parameters is remembered.
 */
export function createRouteFinder(routes: ServerBuild["routes"]): (path: string) => FoundRoute {
  const whole = buildTree(routes);
  const groups = new Map<string, RouteTree>();
  for (const part of listFirstParts(whole)) groups.set(part, keepFirstPart(whole, part));
  const others = keepFirstPart(whole, null);
  const known = new Map<string, FoundRoute>();
  for (const path of listFixedPaths(whole)) known.set(path, find(whole, path));

  return (path) => {
    const found = known.get(path);
    if (found) return found;
    if (!PLAIN_PATH.test(path)) return find(whole, path);
    const [, first = ""] = path.toLowerCase().split("/");
    return find(groups.get(first) ?? others, path);
  };
}

function find(tree: RouteTree, path: string): FoundRoute {
  const match = matchRoutes(tree, path)?.at(-1);
  return match?.route.id === undefined ? NOTHING : { id: match.route.id, params: match.params };
}

function buildTree(routes: ServerBuild["routes"], parentId?: string): RouteTree {
  return Object.values(routes)
    .filter((route) => route.parentId === parentId)
    .map(({ id, path, index }) =>
      index ? { id, path, index } : { id, path, children: buildTree(routes, id) },
    );
}

/** The first part of a route's path; null where it fits any. */
function firstPart({ path }: RouteNode): string | null {
  const part = (path ?? "").replace(/^\//, "").split("/")[0] ?? "";
  return /^[:*]|\?$/.test(part) ? null : part.toLowerCase();
}

function listFirstParts(tree: RouteTree): Set<string> {
  const parts = tree.flatMap((root) => (root.children ?? []).map(firstPart));
  return new Set(parts.filter((part): part is string => part !== null && part !== ""));
}

/** The tree with those routes below its root that fit a first part, and those that fit any. */
function keepFirstPart(tree: RouteTree, wanted: string | null): RouteTree {
  const fits = (route: RouteNode) => [wanted, null, ""].includes(firstPart(route));
  return tree.map((root) => (root.index ? root : { ...root, children: root.children?.filter(fits) }));
}

function listFixedPaths(tree: RouteTree, above = ""): string[] {
  return tree.flatMap((route) => {
    const path = route.path ? `${above}/${route.path}` : above;
    return /[:*?]/.test(path) ? [] : [path || "/", ...listFixedPaths(route.children ?? [], path)];
  });
}
