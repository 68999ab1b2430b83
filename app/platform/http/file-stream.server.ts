import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { type AppLoadContext, createReadableStreamFromReadable } from "@remix-run/node";

/** Whoever has asked for a file. */
export interface FileReader {
  /** Aborted when no one reads any more: Remix itself would have all the rest read and thrown away. */
  left: AbortSignal;
  /** Resolves once there is room for more, or no one reads any more. */
  waitForDrain(): Promise<void>;
}

declare module "@remix-run/node" {
  interface AppLoadContext {
    /** Set by the process; a route that is called without it has its answer read as it comes. */
    waitForDrain?: FileReader["waitForDrain"];
  }
}

/** The reader of what a loader answers. */
export function findReader(request: Request, context?: AppLoadContext): FileReader {
  return { left: request.signal, waitForDrain: context?.waitForDrain ?? (async () => {}) };
}

/**
 * Remix writes on without asking whether anything is taken, so that for a slow reader a whole file would wait in
 * memory. This tells when to go on.
 * @param response before anything was written
 */
export function trackBackpressure(response: ServerResponse): FileReader["waitForDrain"] {
  let full = false;
  let waiting: (() => void)[] = [];
  const goOn = () => {
    full = false;
    for (const resume of waiting) resume();
    waiting = [];
  };
  response.on("drain", goOn);
  response.on("close", goOn);
  response.write = new Proxy(response.write, {
    apply(write, _, args) {
      full = !Reflect.apply(write, response, args);
      return !full;
    },
  });
  return () => (full ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve());
}

/**
 * A file that is written while it is read, one part at a time, as fast as its reader takes it. A part that throws
 * breaks it, so that half a file does not look complete.
 */
export function streamFile(parts: AsyncIterable<string>, reader: FileReader): ReadableStream<Uint8Array> {
  // Its own default would keep sixteen parts ready for a reader who is slow.
  return createReadableStreamFromReadable(Readable.from(readUntil(parts, reader), { highWaterMark: 1 }));
}

async function* readUntil(
  parts: AsyncIterable<string>,
  { left, waitForDrain }: FileReader,
): AsyncGenerator<string> {
  for await (const part of parts) {
    if (left.aborted) return;
    yield part;
    await waitForDrain();
  }
}
