import { createHash } from "node:crypto";
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { vitePlugin as remix } from "@remix-run/dev";
import { build as bundle } from "esbuild";
import subsetFont from "subset-font";
import { type Connect, defineConfig, type Plugin, type Rollup } from "vite";
import { decodePercent } from "./app/platform/percent-encoding";
import settings from "./remix.config.js";

const APP = fileURLToPath(new URL("app", import.meta.url));
const SERVER = "/app/process.server.ts";
/** What so many pages need is one script; what fewer need comes with each of them. */
const SHARED_BY_PAGES = 3;
const BUILDER = "/routes/_index";

/**
 * A page starts with few scripts: React and Remix ("framework"), what every page runs ("app"), what the Builder shares with
 * many pages ("shared"), what many others share, and its own. A module joins the widest one that it is needed by, so that
 * scripts import each other in one direction only. What is imported when needed keeps a script of its own.
 */
function chooseScript(id: string, { getModuleInfo }: Rollup.ManualChunkMeta): string | undefined {
  const starts = new Set<string>();
  const seen = new Set<string>();
  const climb = (at: string) => {
    if (seen.has(at)) return;
    seen.add(at);
    const found = getModuleInfo(at);
    if (found?.isEntry) starts.add(at.slice(APP.length).replace(/\.\w+\?.*$|\.tsx$/, ""));
    for (const importer of found?.importers ?? []) climb(importer);
  };
  climb(id);
  if (getModuleInfo(id)?.isEntry || starts.size === 0) return undefined;
  if (starts.has("/entry.client") || starts.has("/root")) return id.startsWith(APP) ? "app" : "framework";
  if (starts.size < SHARED_BY_PAGES) return undefined;
  return starts.has(BUILDER) ? "shared" : "shared-by-others";
}

/**
 * In development our own server answers, not Remix's handler: with the gate, the headers and the limits of production.
 * A changed module is loaded anew at the next request, with what imports it.
 */
function serveConsole(): Plugin {
  type Server = typeof import("./app/process.server");
  let current: { loaded: Server; app: ReturnType<Server["createApp"]> } | undefined;
  return {
    name: "mailroom-server",
    apply: "serve",
    configureServer(vite) {
      const load = async () => {
        const loaded = (await vite.ssrLoadModule(SERVER)) as Server;
        if (current?.loaded !== loaded) current = { loaded, app: loaded.createApp({ files: false }) };
        return current.app;
      };
      vite.httpServer?.once(
        "listening",
        () => void load().catch((error) => vite.config.logger.error(String(error))),
      );
      const serve: Connect.NextHandleFunction = async (request, answer, next) => {
        try {
          (await load())(request, answer);
        } catch (error) {
          next(error);
        }
      };
      // Vite fails at an address that cannot be decoded.
      vite.middlewares.use((request, answer, next) =>
        decodePercent(request.url ?? "/") === null ? serve(request, answer, next) : next(),
      );
      // After Vite's own files, before Remix's handler.
      return () => {
        vite.middlewares.use(serve);
      };
    },
    async buildEnd() {
      await current?.loaded.endDevelopment();
    },
  };
}

/** Packages of many small files, most of which we never run: within the bundle, so that a start reads 800 files less. */
const BUNDLED_PACKAGES = [
  "arctic",
  "csv-parse",
  "internmap",
  "json-p3",
  "jsonc-parser",
  "lucide-react",
  "rate-limiter-flexible",
  "stripe",
  "zod",
  /^@conform-to\//,
  /^@edgefirst-dev\//,
  /^@oslojs\//,
  /^@tanstack\//,
  /^d3-/,
  /^remix-auth/,
];

/** What browsers do by themselves and `tabular-nums` asks for. What nothing asks for needs glyphs of its own. */
const LAYOUT = ["calt", "ccmp", "kern", "liga", "locl", "mark", "mkmk", "rlig", "tnum"];
const WEIGHTS = { min: 400, max: 700 };
const CHARACTERS = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
/** Of a cut file: it changes with what is cut, as the hash that Vite gives it does not. */
const CUT = createHash("sha256")
  .update(JSON.stringify([LAYOUT, WEIGHTS]))
  .digest("hex")
  .slice(0, 8);

function nameAsset({ names: [name = ""] }: Rollup.PreRenderedAsset): string {
  return name.endsWith(".woff2") ? `assets/[name]-[hash]-${CUT}[extname]` : "assets/[name]-[hash][extname]";
}

/**
 * Typefaces keep the weights and the layout that our pages use: half as many bytes. Inter is used without its combining marks
 * (`unicode-range` in `styles.css`). Without `calt` JetBrains Mono draws what is sent sign by sign, and not `->` as an arrow.
 */
const cutTypefaces: Plugin = {
  name: "mailroom-typefaces",
  apply: (_, { isSsrBuild }) => isSsrBuild !== true,
  async generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type !== "asset" || !file.fileName.endsWith(".woff2")) continue;
      const mono = file.fileName.includes("mono");
      const kept = mono ? CHARACTERS : CHARACTERS.filter((character) => !/\p{M}/u.test(character));
      file.source = await subsetFont(Buffer.from(file.source), kept.join(""), {
        targetFormat: "woff2",
        keepFeatures: mono ? LAYOUT.filter((feature) => feature !== "calt") : LAYOUT,
        variationAxes: { wght: WEIGHTS },
      });
    }
  },
};

/** The server's entry is our process, which imports what Remix would have built. */
const buildProcess: Plugin = {
  name: "mailroom-process",
  apply: (_, { isSsrBuild }) => isSsrBuild === true,
  config: () => ({
    ssr: { noExternal: BUNDLED_PACKAGES },
    build: {
      rollupOptions: { input: SERVER.slice(1), output: { inlineDynamicImports: true } },
    },
  }),
};

/**
 * The server is one file, `build/index.js`; the threads for heavy work have a bundle of their own beside it. Scripts and
 * styles are compressed here as far as it goes: that takes seconds, which nobody then waits for.
 */
async function finishBuild(): Promise<void> {
  await rename("build/server/index.js", "build/index.js");
  await Promise.all(
    (await readdir("build/client/assets"))
      .filter((name) => /\.(css|js)$/.test(name))
      .map(async (name) => {
        const path = `build/client/assets/${name}`;
        await writeFile(`${path}.br`, await promisify(brotliCompress)(await readFile(path)));
      }),
  );
  await bundle({
    entryPoints: ["app/heavy-worker.server.ts"],
    outfile: "build/heavy-worker.js",
    alias: { "~": APP },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
  });
}

export default defineConfig(({ isSsrBuild }) => ({
  // Our process comes after Remix, whose own entry it replaces.
  plugins: [serveConsole(), remix({ ...settings, buildEnd: finishBuild }), buildProcess, cutTypefaces],
  resolve: { alias: { "~": APP } },
  // What the browser's code imports beside React and Remix. Vite is to look for no more: what it finds later it bundles
  // anew with them, and a page that is open then has React twice.
  optimizeDeps: {
    noDiscovery: true,
    include: [
      "@conform-to/react",
      "@tanstack/react-virtual",
      "idb-keyval",
      "json-p3",
      "jsonc-parser",
      "lucide-react",
    ],
  },
  build: {
    // For both builds: they must name the same style sheet. Tailwind asks for browsers of 2023 anyway.
    target: "es2022",
    // Which script holds which module, for pages that name in their HTML what they need at once.
    manifest: true,
    // `public/` is served from where it is.
    copyPublicDir: false,
    // The content security policy allows no fonts within styles.
    assetsInlineLimit: 0,
    // A twentieth smaller than by esbuild.
    minify: isSsrBuild ? false : "terser",
    terserOptions: { compress: { ecma: 2020, passes: 2 }, format: { ecma: 2020 } },
    rollupOptions: {
      output: {
        assetFileNames: nameAsset,
        ...(isSsrBuild ? {} : { manualChunks: chooseScript, onlyExplicitManualChunks: true }),
      },
    },
  },
}));
