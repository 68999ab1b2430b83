import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** The scripts with which a page starts. */
export interface PageScripts {
  /** Files, each of them a request. */
  requests: number;
  gzipBytes: number;
  /** As our build compresses them and the console sends them. */
  brotliBytes: number;
}

interface Scripts {
  module: string;
  imports: string[];
}

interface Manifest {
  entry: Scripts;
  routes: Record<string, Scripts>;
}

/** What the browser is served. */
const FILES = "build/client";

/**
 * What a page of a built Remix app names in its HTML and loads before it reacts: its route, the root and the entry with
 * all that they import. What is loaded when somebody needs it is not in it, nor is the list of routes, of which the HTML
 * has what the page needs (`v3_lazyRouteDiscovery`).
 * @param route `_index`
 */
export function weighPage(folder: string, route: string): PageScripts {
  const { entry, routes } = readManifest(folder);
  const starts = [entry, routes.root, routes[`routes/${route}`]];
  const found = new Set(starts.flatMap((start) => (start ? [start.module, ...start.imports] : [])));
  const texts = [...found].map((path) => readFileSync(join(folder, FILES, path)));
  return {
    requests: texts.length,
    gzipBytes: sum(texts.map((text) => gzipSync(text).length)),
    brotliBytes: sum(texts.map((text) => brotliCompressSync(text).length)),
  };
}

/** Remix's list of routes and their scripts, as browsers get it. */
function readManifest(folder: string): Manifest {
  const assets = join(folder, FILES, "assets");
  const name = readdirSync(assets).find((each) => each.startsWith("manifest-"));
  if (!name) throw new Error(`${folder} is not built`);
  const text = readFileSync(join(assets, name), "utf8");
  return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
