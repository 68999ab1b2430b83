import { createRequire } from "node:module";
import type { ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";
import { expect, test } from "vitest";
import { createRouteFinder } from "~/platform/http/gate.server";

type Routes = ServerBuild["routes"];

const { flatRoutes } = createRequire(import.meta.url)("@remix-run/dev/dist/config/flat-routes.js");
const ROUTES: Routes = { root: { id: "root", path: "", module: {} }, ...flatRoutes("app") };

const childrenOf = (parent: string): NonNullable<Parameters<typeof matchRoutes>[0]> =>
  Object.values(ROUTES)
    .filter(({ parentId }) => parentId === parent)
    .map(({ id, path, index }) => (index ? { id, index: true } : { id, path, children: childrenOf(id) }));
const TREE = [{ id: "root", path: "", children: childrenOf("root") }];

const ADDRESSES = `/ // /stored /stored/ /STORED /stored/7 /Stored/7/saved /stored/7/ /stored/a%2Fb /%73tored/7 //stored
  /stored//7 /stored.csv /api /api/responses /api/responses/stats /api/responses/7 /api/responses/7/more /API/stannp
  /nothing/here /é`;
test.each(["", ...ADDRESSES.split(/\s+/)])("%j finds the route that Remix chooses", (path) => {
  const match = matchRoutes(TREE, path)?.at(-1);
  expect(createRouteFinder(ROUTES)(path)).toEqual({ id: match?.route.id ?? "", params: match?.params ?? {} });
});
