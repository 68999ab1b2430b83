/**
 * Remix's own settings, for its plugin in `vite.config.ts`.
 * @satisfies {import("@remix-run/dev").VitePluginConfig}
 */
export default {
  buildDirectory: "build",
  future: {
    v3_fetcherPersist: true,
    v3_lazyRouteDiscovery: true,
    v3_relativeSplatPath: true,
    v3_routeConfig: false,
    v3_singleFetch: true,
    v3_throwAbortReason: true,
  },
};
