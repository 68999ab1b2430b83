import { fileURLToPath } from "node:url";
import { build, context } from "esbuild";

// Remix builds one server file. The threads for heavy work have a bundle of their own beside it.
const heavyWorker = {
  entryPoints: ["app/heavy-worker.server.ts"],
  outfile: "build/heavy-worker.js",
  alias: { "~": fileURLToPath(new URL("app", import.meta.url)) },
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
};
// The browser's thread for JSONPath is one file too, served by a route of its own.
const jsonPathWorker = {
  entryPoints: ["app/ui/json/json-path-worker.ts"],
  outfile: "build/json-path-worker.js",
  bundle: true,
  minify: true,
  platform: "browser",
  target: "es2020",
};
for (const worker of [heavyWorker, jsonPathWorker]) {
  if (process.argv.includes("dev")) await (await context(worker)).watch();
  else await build(worker);
}

/** @type {import('@remix-run/dev').AppConfig} */
export default {
  serverModuleFormat: "esm",
  serverBuildPath: "build/index.js",
  server: "app/process.server.ts",
  serverDependenciesToBundle: [/^~/],
  postcss: true,
  tailwind: false,
  browserNodeBuiltinsPolyfill: { modules: {} },
  dev: { command: "node build/index.js", port: 3002 },
  future: {
    v3_fetcherPersist: true,
    v3_lazyRouteDiscovery: true,
    v3_relativeSplatPath: true,
    v3_routeConfig: false,
    v3_singleFetch: true,
    v3_throwAbortReason: true,
  },
};
