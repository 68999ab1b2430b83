import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { PDFJS_FILES } from "./pdfjs-files";

const require = createRequire(import.meta.url);

interface CodeFile {
  body: Uint8Array<ArrayBuffer>;
  etag: string;
}

const loaded = new Map<string, Promise<CodeFile>>();

/**
 * Serves a file of pdf.js, or a 304 when the browser has it; null for any other name. Browsers revalidate each time, so that
 * page and worker always have the same version.
 */
export async function replyPdfjsFile(name: string, request: Request): Promise<Response | null> {
  if (!Object.values<string>(PDFJS_FILES).includes(name)) return null;
  const { body, etag } = await findOrLoad(name);
  const headers = { "Cache-Control": "no-cache", ETag: etag };
  if (request.headers.get("If-None-Match") === etag) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, "Content-Type": "text/javascript; charset=utf-8" } });
}

function findOrLoad(name: string): Promise<CodeFile> {
  const found = loaded.get(name) ?? loadFile(name);
  loaded.set(name, found);
  return found;
}

async function loadFile(name: string): Promise<CodeFile> {
  const body = new Uint8Array(await readFile(require.resolve(`pdfjs-dist/legacy/build/${name}`)));
  return { body, etag: `"${createHash("sha256").update(body).digest("hex").slice(0, 32)}"` };
}
