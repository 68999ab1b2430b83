import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { createReadableStreamFromReadable, type ServerBuild } from "@remix-run/node";
import type { Response as Answer, Request as Asked, RequestHandler } from "express";
import type { AccessTable, RouteAccess } from "./gate.server";
import { findText } from "./replies.server";

type RouteModule = ServerBuild["routes"][string]["module"];

/**
 * Calls resource routes, those that answer without a page, as Remix would: with a `Request`, the path's parameters and
 * a context, for the `Response` that they return or throw. Behind the gate, which has found the route and checked the
 * request. Remix itself would match all routes twice more and make three requests of one, which costs more than most of
 * these routes do. Everything else goes on to Remix: pages, their data (`.data`), and forms.
 */
export function createResourceAnswers(build: ServerBuild, table: AccessTable): RequestHandler {
  const modules = new Map<string, RouteModule>();
  for (const { id, module } of Object.values(build.routes)) {
    if (module.default === undefined && !takesForm(table[id])) modules.set(id, module);
  }
  return async (asked, answer, next) => {
    const { route, params } = answer.locals as { route: string; params: Record<string, string | undefined> };
    const module = asked.path.endsWith(".data") ? undefined : modules.get(route);
    const handle = asked.method === "GET" || asked.method === "HEAD" ? module?.loader : module?.action;
    if (!handle) return next();
    const controller = new AbortController();
    answer.once("close", () => {
      if (!answer.writableFinished) controller.abort();
    });
    const request = makeRequest(asked, controller.signal);
    const context = {};
    try {
      const reply = await callRoute(() => handle({ request, params, context }));
      if (!(reply instanceof Response)) throw new TypeError(`${route} answers without a Response`);
      answer.status(reply.status);
      for (const [name, value] of reply.headers) {
        if (name === "set-cookie") answer.append(name, value);
        else answer.setHeader(name, value);
      }
      const text = findText(reply);
      if (text !== undefined) answer.end(asked.method === "HEAD" ? undefined : text);
      else if (reply.body && asked.method !== "HEAD") await sendStream(reply.body, answer);
      else answer.end();
    } catch (error) {
      build.entry.module.handleError?.(error, { request, params, context });
      next(error);
    }
  };
}

/** Remix itself would write without waiting for a slow reader, for whom a whole file would be in memory. */
async function sendStream(body: ReadableStream, answer: Answer): Promise<void> {
  try {
    await pipeline(Readable.fromWeb(body as NodeStream), answer);
  } catch (error) {
    if (Object(error).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
    // The reader has left.
  }
}

/** What a route returns, or throws as its answer. */
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

function makeRequest(asked: Asked, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(asked.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, one);
  }
  const url = `${asked.protocol}://${asked.get("host") || "localhost"}${asked.originalUrl}`;
  const hasBody = asked.method !== "GET" && asked.method !== "HEAD";
  const body = hasBody ? { body: createReadableStreamFromReadable(asked), duplex: "half" } : {};
  return new Request(url, { method: asked.method, headers, signal, ...body } as RequestInit);
}
