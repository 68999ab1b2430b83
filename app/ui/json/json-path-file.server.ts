import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

let loaded: Promise<{ body: Uint8Array<ArrayBuffer>; etag: string }> | null = null;

/** The program that finds by JSONPath, or a 304 if the browser has it. `remix.config.js` builds it beside the server. */
export async function replyJsonPathWorker(request: Request): Promise<Response> {
  loaded ??= load();
  const { body, etag } = await loaded;
  const headers = { "Cache-Control": "no-cache", ETag: etag };
  if (request.headers.get("If-None-Match") === etag) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, "Content-Type": "text/javascript; charset=utf-8" } });
}

async function load() {
  const body = new Uint8Array(await readFile(new URL("json-path-worker.js", import.meta.url)));
  return { body, etag: `"${createHash("sha256").update(body).digest("hex").slice(0, 32)}"` };
}
