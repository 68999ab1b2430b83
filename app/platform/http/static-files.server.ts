import { readdirSync } from "node:fs";
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
