import { fileURLToPath } from "node:url";
import { context } from "esbuild";

// Remix builds one server file. The threads for heavy work have a bundle of their own beside it.
const heavyWorker = await context({
  entryPoints: ["app/heavy-worker.server.ts"],
  outfile: "build/heavy-worker.js",
  alias: { "~": fileURLToPath(new URL("app", import.meta.url)) },
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
});
if (process.argv.includes("dev")) await heavyWorker.watch();
else {
  await heavyWorker.rebuild();
  await heavyWorker.dispose();
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
