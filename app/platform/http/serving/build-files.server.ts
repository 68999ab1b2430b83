import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import express, { type RequestHandler } from "express";

/**
 * The files of the build: scripts, styles and fonts. Their names change with their content, so each is read once,
 * compressed once and kept in memory; no request of a page touches the disk.
 */

/** Close to the smallest there is, and a tenth of its time. */
const BROTLI_QUALITY = 9;
const TEXT = new Set([".js", ".css", ".svg", ".json", ".txt"]);
const FOR_EVER = "public, max-age=31536000, immutable";

interface BuildFile {
  br: Buffer | null;
  gzip: Buffer | null;
  identity: Buffer;
}

/** Answers what is in the folder and is asked for by its very name; anything else goes on. */
export function serveBuildFiles(folder: string): RequestHandler {
  const names = listFiles(folder);
  const files = new Map<string, Promise<BuildFile>>();
  return async (request, response, next) => {
    const name = request.path.slice(1);
    if (!names.has(name) || (request.method !== "GET" && request.method !== "HEAD")) return next();
    let loading = files.get(name);
    if (!loading) {
      loading = loadFile(join(folder, name));
      loading.catch(() => files.delete(name));
      files.set(name, loading);
    }
    try {
      const file = await loading;
      response.type(extname(name)).set({ "Cache-Control": FOR_EVER, ETag: `"${name}"` });
      if (file.br) response.vary("Accept-Encoding");
      if (request.fresh) return void response.status(304).end();
      const accepted = request.acceptsEncodings(["br", "gzip", "identity"]) || "identity";
      const encoding = accepted === "br" || accepted === "gzip" ? accepted : "identity";
      const bytes = file[encoding] ?? file.identity;
      if (bytes !== file.identity) response.set("Content-Encoding", encoding);
      response.set("Content-Length", String(bytes.length)).end(request.method === "HEAD" ? undefined : bytes);
    } catch (error) {
      next(error);
    }
  };
}

/** Files with stable names: nothing is looked for on the disk that was not there at the start. */
export function servePublicFiles(folder: string): RequestHandler {
  const names = listFiles(folder);
  const serve = express.static(folder, { maxAge: "1h" });
  return (request, response, next) =>
    names.has(request.path.slice(1)) ? serve(request, response, next) : next();
}

async function loadFile(path: string): Promise<BuildFile> {
  const identity = await readFile(path);
  if (!TEXT.has(extname(path))) return { identity, br: null, gzip: null };
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  };
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params }),
    promisify(gzip)(identity),
  ]);
  return { identity, br, gzip: gzipped };
}

function listFiles(folder: string): ReadonlySet<string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile());
  return new Set(files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)));
}
