import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ServerBuild } from "@remix-run/node";
import compression from "compression";
import express from "express";
import { expect, test } from "vitest";
import { streamFile } from "~/platform/http/csv-stream.server";
import { createResourceAnswers } from "~/platform/http/resource-routes.server";

const MEGABYTE = 1024 * 1024;
const ROUTE = "routes/file";

/** Counts the parts that were read for the file. */
function makeParts(count: number, part = "part\n") {
  const read = { parts: 0, ended: false };
  async function* parts() {
    try {
      for (; read.parts < count; read.parts++) yield part;
    } finally {
      read.ended = true;
    }
  }
  return { read, parts: parts() };
}

/** Requests the file from a server with a single route. */
async function ask(parts: AsyncIterable<string>, encoding = "identity") {
  const module = {
    loader: () => new Response(streamFile(parts), { headers: { "Content-Type": "text/csv" } }),
  };
  const build = { routes: { [ROUTE]: { id: ROUTE, module } }, entry: { module: {} } };
  const app = express().use(compression(), (_request, response, next) => {
    response.locals = { route: ROUTE, params: {} };
    next();
  });
  app.use(createResourceAnswers(build as unknown as ServerBuild, {}));
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const headers = { "Accept-Encoding": encoding };
  const reply = await new Promise<IncomingMessage>((resolve) =>
    get({ host: "127.0.0.1", port, path: "/file", headers }, resolve),
  );
  return { reply, close: () => server.close() };
}

test("reading stops when the file's reader disconnects", async () => {
  const { read, parts } = makeParts(1_000, "x".repeat(MEGABYTE));
  const { reply, close } = await ask(parts);
  await once(reply, "data");
  reply.destroy();
  await expect.poll(() => read.ended).toBe(true);
  expect(read.parts).toBeLessThan(100);
  close();
});

test("a part that cannot be read breaks the file", async () => {
  async function* parts() {
    yield "head\n".repeat(100_000);
    throw new Error("the database went away");
  }
  const { reply, close } = await ask(parts());
  await expect(async () => {
    for await (const _ of reply);
  }).rejects.toThrow("aborted");
  close();
});

test.each(["identity", "gzip"])(
  "a slow reader pauses the file instead of filling memory (%s)",
  async (encoding) => {
    const { read, parts } = makeParts(100, randomBytes(MEGABYTE / 2).toString("hex"));
    const { reply, close } = await ask(parts, encoding);
    expect(reply.headers["content-encoding"]).toBe(encoding === "gzip" ? "gzip" : undefined);
    let [taken, ahead] = [0, 0];
    for await (const chunk of reply) {
      // Compressed bytes are scaled to the bytes that were written.
      taken += (chunk.length * (encoding === "gzip" ? 1.7 : 1)) / MEGABYTE;
      ahead = Math.max(ahead, read.parts - taken);
      for (let turn = 0; turn < 10; turn++) await nextTurn();
    }
    close();
    expect(read.parts).toBe(100);
    expect(taken).toBeGreaterThan(90);
    // The kernel's buffers of both ends count too.
    expect(ahead).toBeLessThan(40);
  },
);
