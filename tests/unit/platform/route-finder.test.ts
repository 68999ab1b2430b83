import type { ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";
import { expect, test } from "vitest";
import { createRouteFinder } from "~/platform/http/gate.server";

type Routes = ServerBuild["routes"];

/** Routes with the names that Remix gives them in a build. */
function makeRoutes(paths: Record<string, { path?: string; index?: true; parentId?: string }>): Routes {
  const entries = Object.entries(paths).map(([id, route]) => [
    id,
    { id, module: {}, parentId: "root", ...route },
  ]);
  return { root: { id: "root", path: "", module: {} }, ...Object.fromEntries(entries) } as unknown as Routes;
}

const ROUTES = makeRoutes({
  "routes/_index": { index: true },
  "routes/$": { path: "*" },
  "routes/stored": { path: "stored" },
  "routes/stored_.$id": { path: "stored/:id" },
  "routes/stored_.$id.saved": { path: "stored/:id/saved" },
  "routes/stored[.]csv": { path: "stored.csv" },
  "routes/api.responses": { path: "api/responses" },
  "routes/api.responses.$id": { path: ":id", parentId: "routes/api.responses" },
  "routes/api.responses.stats": { path: "stats", parentId: "routes/api.responses" },
  "routes/api.stannp": { path: "api/stannp" },
});
const TREE = [
  {
    id: "root",
    path: "",
    children: Object.values(ROUTES)
      .filter(({ parentId }) => parentId === "root")
      .map(({ id, path, index }) => ({
        id,
        ...(index ? { index: true as const } : { path, children: childrenOf(id) }),
      })),
  },
];

function childrenOf(parentId: string) {
  return Object.values(ROUTES)
    .filter((route) => route.parentId === parentId)
    .map(({ id, path }) => ({ id, path }));
}

const ADDRESSES = `/ // /stored /stored/ /STORED /stored/7 /Stored/7/saved /stored/7/ /stored/a%2Fb /%73tored/7 //stored
  /stored//7 /stored.csv /api /api/responses /api/responses/stats /api/responses/7 /api/responses/7/more /API/stannp
  /nothing/here /é`;
test.each(["", ...ADDRESSES.split(/\s+/)])("%j finds the route that Remix chooses", (path) => {
  const match = matchRoutes(TREE, path)?.at(-1);
  expect(createRouteFinder(ROUTES)(path)).toEqual({ id: match?.route.id ?? "", params: match?.params ?? {} });
});
