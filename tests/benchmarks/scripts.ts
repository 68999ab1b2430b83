import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { buildConsole } from "../support/console/console-build";
import { printTable } from "./measure";
import { buildFloor } from "./processes";

/** The scripts with which a page starts. */
interface PageScripts {
  /** Files, each of them a request. */
  requests: number;
  gzipBytes: number;
  /** Compressed by the build, as the console sends them. */
  brotliBytes: number;
}

interface Manifest {
  entry: Scripts;
  routes: Record<string, Scripts>;
}

interface Scripts {
  module: string;
  imports: string[];
}

const PAGES = {
  Builder: "_index",
  "Stored Responses": "stored",
  "User Credits": "users",
  Mail: "mail",
  Piece: "sends.$id",
};

/** Prints the size of the JavaScript with which each page starts, beside that of a bare Remix app. */
export async function run(): Promise<void> {
  const floor = weighPage(await buildFloor(), "_index");
  const folder = await buildConsole();
  const rows = Object.entries(PAGES).map(([name, route]) => [name, weighPage(folder, route)] as const);
  const table = [["bare Remix", floor] as const, ...rows].map(
    ([name, { requests, gzipBytes, brotliBytes }]) => [
      name,
      String(requests),
      ...[gzipBytes, brotliBytes].map((bytes) => (bytes / 1024).toFixed(0)),
      (gzipBytes / floor.gzipBytes).toFixed(2),
    ],
  );
  printTable([["", "requests", "KB by gzip", "KB by brotli", "ratio"], ...table]);
}

/**
 * Weighs what a page of a built Remix app loads before it reacts: its route, the root and the entry with all their
 * imports. Chunks that are loaded on demand do not count.
 * @param route `_index`
 */
export function weighPage(folder: string, route: string): PageScripts {
  const files = join(folder, "build/client");
  const manifest = readdirSync(join(files, "assets")).find((name) => name.startsWith("manifest-"));
  if (!manifest) throw new Error(`${folder} is not built`);
  const text = readFileSync(join(files, "assets", manifest), "utf8");
  const { entry, routes } = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) as Manifest;
  const starts = [entry, routes.root, routes[`routes/${route}`]];
  const paths = new Set(starts.flatMap((start) => (start ? [start.module, ...start.imports] : [])));
  const texts = [...paths].map((path) => readFileSync(join(files, path)));
  const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);
  return {
    requests: texts.length,
    gzipBytes: sum(texts.map((script) => gzipSync(script).length)),
    brotliBytes: sum(texts.map((script) => brotliCompressSync(script).length)),
  };
}
