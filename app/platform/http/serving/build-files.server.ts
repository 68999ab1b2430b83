import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import express, { type RequestHandler } from "express";

/**
 * The files of the build: scripts, styles and fonts. Their names change with their content, so each is read once and kept in
 * memory, also as the build has compressed it (`.br`) and by gzip; no request of a page touches the disk.
 */

const TEXT = new Set([".js", ".css", ".svg", ".json", ".txt"]);
const ENCODINGS = ["br", "gzip"] as const;
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
      if (file.gzip) response.vary("Accept-Encoding");
      if (request.fresh) return void response.status(304).end();
      // The smallest that is accepted: browsers name all they accept alike, and gzip first.
      const encoding = ENCODINGS.find((each) => file[each] && request.acceptsEncodings(each));
      const bytes = (encoding && file[encoding]) ?? file.identity;
      if (encoding) response.set("Content-Encoding", encoding);
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
  const [br, gzipped] = await Promise.all([
    readFile(`${path}.br`).catch(() => null),
    promisify(gzip)(identity),
  ]);
  return { identity, br, gzip: gzipped };
}

function listFiles(folder: string): ReadonlySet<string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile());
  return new Set(files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)));
}
