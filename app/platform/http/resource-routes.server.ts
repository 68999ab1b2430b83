import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { createReadableStreamFromReadable, type ServerBuild } from "@remix-run/node";
import type express from "express";
import type { AccessTable, RouteAccess } from "./gate.server";
import { findText } from "./replies.server";

type RouteModule = ServerBuild["routes"][string]["module"];

/**
 * Calls resource routes (routes without a page) as Remix would, after the gate has found the route and checked the request.
 * Remix would match all routes twice more and create three requests, which costs more than most of these routes do. Pages,
 * their data (`.data`) and forms go on to Remix.
 */
export function createResourceAnswers(build: ServerBuild, table: AccessTable): express.RequestHandler {
  const modules = new Map<string, RouteModule>();
  for (const { id, module } of Object.values(build.routes)) {
    if (module.default === undefined && !takesForm(table[id])) modules.set(id, module);
  }
  return async (incoming, outgoing, next) => {
    const { route, params } = outgoing.locals as {
      route: string;
      params: Record<string, string | undefined>;
    };
    const module = incoming.path.endsWith(".data") ? undefined : modules.get(route);
    const handle = incoming.method === "GET" || incoming.method === "HEAD" ? module?.loader : module?.action;
    if (!handle) return next();
    const controller = new AbortController();
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) controller.abort();
    });
    const request = makeRequest(incoming, controller.signal);
    const context = {};
    try {
      const reply = await callRoute(() => handle({ request, params, context }));
      if (!(reply instanceof Response)) throw new TypeError(`${route} answers without a Response`);
      outgoing.status(reply.status);
      for (const [name, value] of reply.headers) {
        if (name === "set-cookie") outgoing.append(name, value);
        else outgoing.setHeader(name, value);
      }
      const text = findText(reply);
      if (text !== undefined) outgoing.end(incoming.method === "HEAD" ? undefined : text);
      else if (reply.body && incoming.method !== "HEAD") await sendStream(reply.body, outgoing);
      else outgoing.end();
    } catch (error) {
      build.entry.module.handleError?.(error, { request, params, context });
      next(error);
    }
  };
}

/** Waits for a slow reader. Remix would buffer the whole file in memory. */
async function sendStream(body: ReadableStream, outgoing: express.Response): Promise<void> {
  // `pipeline` adds seven listeners of its own, for which Node would warn of a leak.
  outgoing.setMaxListeners(20);
  try {
    await pipeline(Readable.fromWeb(body as NodeStream), outgoing);
  } catch (error) {
    if (Object(error).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
    // The client has disconnected.
  }
}

/** Returns the value that a route returns, or the `Response` that it throws. */
async function callRoute(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  }
}

function takesForm(access: RouteAccess | undefined): boolean {
  return Object.values(access?.methods ?? {}).some(({ body }) => body === "form");
}

function makeRequest(incoming: express.Request, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, one);
  }
  const url = `${incoming.protocol}://${incoming.get("host") || "localhost"}${incoming.originalUrl}`;
  const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
  const body = hasBody ? { body: createReadableStreamFromReadable(incoming), duplex: "half" } : {};
  return new Request(url, { method: incoming.method, headers, signal, ...body } as RequestInit);
}
