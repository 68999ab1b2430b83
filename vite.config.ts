import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { vitePlugin as remix } from "@remix-run/dev";
import { type Plugin as BundlePlugin, build as bundle } from "esbuild";
import subsetFont from "subset-font";
import { type Connect, defineConfig, type Plugin, type Rollup } from "vite";
import { decodePercent } from "./app/platform/percent";
import settings from "./remix.config.js";

const APP = fileURLToPath(new URL("app", import.meta.url));
const SERVER = "/app/process.server.ts";
const BUILDER = "/routes/_index";
/** Modules of this many pages without the Builder share one script. */
const SHARED_BY_PAGES = 3;

/**
 * Chooses a module's script, so that a page loads few: React and Remix ("framework"), code of every page ("app"), code that the
 * Builder shares with other pages ("shared"), code that many others share, and its own. A module is in the widest of these, so
 * that scripts import each other in one direction. Lazy imports keep their own script.
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
  if (starts.size > 1 && starts.has(BUILDER)) return "shared";
  return starts.size < SHARED_BY_PAGES ? undefined : "shared-by-others";
}

/** Runs our own server, with its gate and limits, in development. The next request reloads a changed module. */
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

/** Layout features that browsers apply by default, and `tnum` for `tabular-nums`. */
const LAYOUT = ["calt", "ccmp", "kern", "liga", "locl", "mark", "mkmk", "rlig", "tnum"];
const WEIGHTS = { min: 400, max: 700 };
const CHARACTERS = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
/** Part of the name of a cut file, because Vite's hash does not change with the cut. */
const CUT = createHash("sha256")
  .update(JSON.stringify([LAYOUT, WEIGHTS]))
  .digest("hex")
  .slice(0, 8);

function nameAsset({ names: [name = ""] }: Rollup.PreRenderedAsset): string {
  return name.endsWith(".woff2") ? `assets/[name]-[hash]-${CUT}[extname]` : "assets/[name]-[hash][extname]";
}

/**
 * Halves the typefaces to the weights and features that pages use. Inter has no combining marks (`unicode-range` in
 * `styles.css`). JetBrains Mono has no `calt`, so that `->` is not drawn as an arrow.
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

/** Makes our process the server's entry. It imports Remix's build. */
const buildProcess: Plugin = {
  name: "mailroom-process",
  apply: (_, { isSsrBuild }) => isSsrBuild === true,
  config: () => ({
    build: { rollupOptions: { input: SERVER.slice(1), output: { inlineDynamicImports: true } } },
  }),
};

/** Options of esbuild for programs that Node runs. */
const PROGRAM = { bundle: true, platform: "node", format: "esm" } as const;

/** Packages that the server loads when it first needs them. */
const lazyPackages: BundlePlugin = {
  name: "mailroom-lazy-packages",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    ),
};

/**
 * Makes Chromium compile a whole script beside its download. By default it compiles each function on the page's thread at its
 * first call. Must be the first line. Source: V8's explicit compile hints.
 */
const COMPILE_ALL = "//# allFunctionsCalledOnLoad\n";

/**
 * Writes `build/index.js`: the server with the packages of its start, because reading their files took half of that time.
 * Adds the hint to scripts, compresses scripts and styles, and bundles the code of worker threads.
 */
async function finishBuild(): Promise<void> {
  await bundle({
    ...PROGRAM,
    entryPoints: ["build/server/index.js"],
    outfile: "build/index.js",
    mainFields: ["module", "main"],
    plugins: [lazyPackages],
    define: { "process.env.NODE_ENV": '"production"' },
    // For packages that are CommonJS.
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
    },
    logLevel: "error",
  });
  await rm("build/server/index.js");
  await Promise.all(
    (await readdir("build/client/assets"))
      .filter((name) => /\.(css|m?js)$/.test(name))
      .map(async (name) => {
        const path = `build/client/assets/${name}`;
        const text = await readFile(path, "utf8");
        const served = name.endsWith(".js") ? COMPILE_ALL + text : text;
        await writeFile(path, served);
        await writeFile(`${path}.br`, await promisify(brotliCompress)(served));
      }),
  );
  await bundle({
    ...PROGRAM,
    entryPoints: ["app/heavy-worker.server.ts"],
    outfile: "build/heavy-worker.js",
    alias: { "~": APP },
    packages: "external",
  });
}

export default defineConfig(({ isSsrBuild }) => ({
  // Our process is after Remix, whose entry it replaces.
  plugins: [serveConsole(), remix({ ...settings, buildEnd: finishBuild }), buildProcess, cutTypefaces],
  resolve: { alias: { "~": APP } },
  // Packages in browser code except React and Remix. Vite must not discover more, because it would bundle React again and an
  // open page would have it twice.
  optimizeDeps: {
    noDiscovery: true,
    include: ["@tanstack/react-virtual", "idb-keyval", "json-p3", "jsonc-parser", "lucide-react"],
  },
  build: {
    // The same for both builds, so that they name the same style sheet. Tailwind needs browsers of 2023 too.
    target: "es2022",
    // Names the scripts of modules for `listChunkUrls`.
    manifest: true,
    // The server serves `public/` itself.
    copyPublicDir: false,
    // The content security policy allows no inline fonts.
    assetsInlineLimit: 0,
    // 5 % smaller than by esbuild.
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
