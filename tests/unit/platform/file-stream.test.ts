import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { writeReadableStreamToWritable } from "@remix-run/node";
import compression from "compression";
import express from "express";
import { expect, test } from "vitest";
import { type FileReader, streamFile, trackBackpressure } from "~/platform/http/file-stream.server";

/** Takes all that comes. */
const QUICK: FileReader = { left: new AbortController().signal, waitForDrain: async () => {} };

/** Counts what was read for the file. */
function makeParts(count: number) {
  const read = { parts: 0, ended: false };
  async function* parts() {
    try {
      for (; read.parts < count; ) yield `part ${++read.parts}\n`;
    } finally {
      read.ended = true;
    }
  }
  return { read, parts: parts() };
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

test("a file has all its parts, in order", async () => {
  const { parts } = makeParts(30);
  const text = await readAll(streamFile(parts, QUICK));
  expect(text.split("\n").slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, n) => `part ${n + 1}`));
});

test("when nobody reads any more, nothing more is read for it, though its stream is emptied to the end", async () => {
  const { read, parts } = makeParts(1_000);
  const left = new AbortController();
  const stream = streamFile(parts, { ...QUICK, left: left.signal });
  left.abort();
  await readAll(stream);
  expect(read.parts).toBeLessThan(5);
  expect(read.ended).toBe(true);
});

test("a part that cannot be read breaks the file", async () => {
  async function* parts() {
    yield "head\n";
    throw new Error("the database went away");
  }
  await expect(readAll(streamFile(parts(), QUICK))).rejects.toThrow("the database went away");
});

test.each(["identity", "gzip"])(
  "a slow reader has a file wait, not pile up in memory (%s)",
  async (encoding) => {
    const MEGABYTE = 1024 * 1024;
    const part = randomBytes(MEGABYTE / 2).toString("hex");
    const read = { parts: 0, taken: 0, ahead: 0 };
    async function* parts() {
      while (read.parts < 100) {
        read.parts++;
        read.ahead = Math.max(read.ahead, read.parts - read.taken / MEGABYTE);
        yield part;
      }
    }
    const app = express();
    app.use(compression());
    app.get("/file", async (_request, response) => {
      const waitForDrain = trackBackpressure(response);
      response.type("text/csv");
      // As Remix writes it.
      await writeReadableStreamToWritable(streamFile(parts(), { ...QUICK, waitForDrain }), response);
    });
    const server = createServer(app).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const headers = { "Accept-Encoding": encoding };
    const reply = await new Promise<IncomingMessage>((resolve) =>
      get({ host: "127.0.0.1", port, path: "/file", headers }, resolve),
    );
    expect(reply.headers["content-encoding"]).toBe(encoding === "gzip" ? "gzip" : undefined);
    for await (const chunk of reply) {
      // Of what is compressed, about so much more was written.
      read.taken += chunk.length * (encoding === "gzip" ? 1.7 : 1);
      for (let turn = 0; turn < 10; turn++) await nextTurn();
    }
    server.close();
    expect(read.parts).toBe(100);
    expect(read.taken / MEGABYTE).toBeGreaterThan(90);
    // What the kernel holds for both ends is counted too.
    expect(read.ahead).toBeLessThan(40);
  },
);
