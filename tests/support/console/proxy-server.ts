import type { AddressInfo } from "node:net";
import { installGlobals, type ServerBuild } from "@remix-run/node";
import express from "express";
import { ACCESS } from "~/access.server";
import { createGate } from "~/platform/http/gate.server";
import { watchLoad } from "~/platform/http/overload.server";
import { createResourceAnswers } from "~/platform/http/serving/resource-routes.server";
import * as proxy from "~/routes/api.stannp";

/** The proxy's route behind the gate, answered as the console answers it, as a process of its own; prints its port. */
const build: ServerBuild = {
  mode: "production",
  assets: { entry: { imports: [], module: "" }, routes: {}, url: "", version: "" },
  assetsBuildDirectory: "",
  publicPath: "/",
  isSpaMode: false,
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_singleFetch: true,
    v3_lazyRouteDiscovery: true,
  },
  entry: { module: { default: () => new Response(null, { status: 500 }) } },
  routes: {
    root: { id: "root", path: "", module: { default: () => null } },
    "routes/api.stannp": {
      id: "routes/api.stannp",
      parentId: "root",
      path: "api/stannp",
      // Remix calls a module without a page a resource route.
      module: proxy as ServerBuild["routes"][string]["module"],
    },
  },
};

installGlobals({ nativeFetch: true });
const app = express();
app.use(
  createGate(build.routes, ACCESS, watchLoad(), () => null),
  createResourceAnswers(build, ACCESS),
);
const server = app.listen(0, "127.0.0.1", () => {
  process.stdout.write(`{"port":${(server.address() as AddressInfo).port}}\n`);
});
