import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import compression from "compression";
import express from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveFiles } from "~/platform/http/build-files.server";

const SCRIPT = `export const words = "${"a script of the page ".repeat(200)}";`;
const folder = mkdtempSync(join(tmpdir(), "mailroom-files-"));
let server: Server;

beforeAll(async () => {
  mkdirSync(join(folder, "routes"));
  writeFileSync(join(folder, "routes/page-AB12.js"), SCRIPT);
  writeFileSync(join(folder, "routes/page-AB12.js.br"), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, "font-CD34.woff2"), Buffer.from([1, 2, 3]));
  const app = express().use(
    compression(),
    express.Router().use("/build", serveFiles(folder, { maxAge: "1y", immutable: true })),
  );
  server = createServer(app.use((_, response) => void response.status(404).end()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

interface Reply {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
}

/** Sends a request with Node's own client, which does not decompress. */
function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Reply> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path: `/build/${path}`, headers, method }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => chunks.push(chunk));
      reply.on("end", () =>
        resolve({ status: reply.statusCode, headers: reply.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    sent.on("error", reject).end();
  });
}

test.each([
  // The header of browsers.
  ["gzip, deflate, br, zstd", "br", (bytes: Buffer) => brotliDecompressSync(bytes)],
  ["gzip", "gzip", (bytes: Buffer) => gunzipSync(bytes)],
  ["", undefined, (bytes: Buffer) => bytes],
])("a script is served in an encoding that the browser accepts: %j", async (accepted, encoding, unpack) => {
  const { status, headers, bytes } = await ask("routes/page-AB12.js", { "Accept-Encoding": accepted });
  expect(status).toBe(200);
  expect(unpack(bytes).toString()).toBe(SCRIPT);
  expect(headers).toMatchObject({
    "content-type": expect.stringContaining("javascript"),
    "cache-control": "public, max-age=31536000, immutable",
    vary: "Accept-Encoding",
  });
  // An answer that the server compresses itself is streamed without a length.
  if (encoding !== "gzip") expect(headers["content-length"]).toBe(String(bytes.length));
  expect(headers["content-encoding"]).toBe(encoding);
});

test("a file in the browser's cache is not sent again, and HEAD sends none", async () => {
  const { headers, bytes } = await ask("routes/page-AB12.js", {}, "HEAD");
  expect([bytes.length, headers["content-length"]]).toEqual([0, String(SCRIPT.length)]);
  const again = await ask("routes/page-AB12.js", { "If-None-Match": String(headers.etag) });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
});

test.each(["", "routes", "routes/", "../package.json", "routes/../routes/page-AB12.js", "page-AB12.js"])(
  "other addresses are not files of the build: %j",
  async (path) => {
    expect((await ask(path)).status).toBe(404);
  },
);
