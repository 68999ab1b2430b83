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
