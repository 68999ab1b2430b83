import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import express, { type RequestHandler } from "express";

/**
 * Serves the files that a folder has at the start; other requests go on without a disk access. Prefers the build's Brotli
 * file (`.br`), because browsers accept all encodings equally and name gzip first.
 */
export function serveFiles(folder: string, options: { maxAge: string; immutable?: boolean }): RequestHandler {
  const names = new Set(readdirSync(folder, { recursive: true, encoding: "utf8" }));
  const serve = express.static(folder, { ...options, index: false, redirect: false });
  return (request, response, next) => {
    const name = request.path.slice(1);
    if (!names.has(name) || (request.method !== "GET" && request.method !== "HEAD")) return next();
    if (names.has(`${name}.br`)) {
      response.vary("Accept-Encoding");
      if (request.acceptsEncodings("br")) {
        response.type(extname(name)).set("Content-Encoding", "br");
        request.url = `/${name}.br`;
      }
    }
    serve(request, response, next);
  };
}

/** Vite's manifest of built scripts, by module. */
type Manifest = Record<string, { file: string; imports?: string[] }>;

let manifest: Manifest | undefined;

/** Lists the URLs of the scripts of a lazily imported module (`app/…`), for a preload. Empty in development. */
export function listChunkUrls(source: string): string[] {
  manifest ??= readManifest();
  const chunks = manifest;
  const found = new Set<string>();
  const add = (key: string) => {
    const chunk = chunks[key];
    if (!chunk || found.has(`/${chunk.file}`)) return;
    found.add(`/${chunk.file}`);
    for (const next of chunk.imports ?? []) add(next);
  };
  add(source);
  return [...found];
}

function readManifest(): Manifest {
  try {
    return JSON.parse(readFileSync(new URL(".vite/client-manifest.json", import.meta.url), "utf8"));
  } catch {
    return {};
  }
}
