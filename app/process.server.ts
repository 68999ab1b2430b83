import { createServer, type Server } from "node:http";
import { join, resolve } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import * as build from "virtual:remix/server-build";
import { createRequestHandler } from "@remix-run/express";
import { installGlobals } from "@remix-run/node";
import compression from "compression";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import onHeaders from "on-headers";
import { ACCESS } from "./access.server";
import { recordCall } from "./api-log/record-calls.server";
import { auditRequest } from "./audit/audit-request.server";
import { checkPerson } from "./people/viewer.server";
import { stopBackgroundTasks } from "./platform/background-runner.server";
import { closeDatabase, pingDatabase } from "./platform/database/database.server";
import { EnvironmentError, env, reportEnvironment } from "./platform/env.server";
import { listOpenings } from "./platform/env-safety.server";
import { shortenAddress } from "./platform/http/caller.server";
import { createGate, guardRoutes, sendReply } from "./platform/http/gate.server";
import { NOTHING_HERE } from "./platform/http/messages";
import { replyFailure, replyPlainFailure } from "./platform/http/replies.server";
import { createResourceAnswers } from "./platform/http/resource-routes.server";
import { buildBaseHeaders } from "./platform/http/security-headers.server";
import { serveFiles } from "./platform/http/static-files.server";
import { errorNameOf, log } from "./platform/log.server";
import { countRequest, measureProcess } from "./platform/metrics.server";
import { type CurrentRequest, chooseRequestId, withRequest } from "./platform/request-id.server";
import { beginStopping, endCalls, isStopping, waitForUnfinished } from "./platform/stopping.server";
import { startTelemetry, stopTelemetry, traceRequest } from "./platform/telemetry.server";
import { formatKnownToken } from "./tokens/check-token.server";

/**
 * The server process: `node build/index.js` listens. It adds what `remix-serve` cannot be told: the gate in front of
 * Remix, hardened headers on files too, log lines without queries (one of them holds an OAuth code), a reply instead
 * of a stack for a hostile Host header, limits on slow requests, and an orderly end.
 */

// `remix-serve build/index.js` runs these too; there each action refuses what the gate would have refused.
export {
  assets,
  assetsBuildDirectory,
  basename,
  entry,
  future,
  isSpaMode,
  mode,
  publicPath,
} from "virtual:remix/server-build";
export const routes = guardRoutes(build.routes, ACCESS, checkPerson);

const HEADERS_TIMEOUT_MS = 10_000;
/** Headers and body; a route's own limit for its body is shorter. */
const REQUEST_TIMEOUT_MS = 75_000;
/** How often Node looks for requests that are late. */
const LATE_CHECK_MS = 2_000;
/** Between two requests of a connection; longer than proxies keep theirs would not help them. */
const KEEP_ALIVE_MS = 5_000;
/** A reader that takes nothing of its answer; a call to the provider may take its whole time limit before. */
const SILENT_SOCKET_MS = 60_000;
/** Calls to the provider that take longer are ended, and what they were about is left to other processes. */
const CALLS_END_MS = 10_000;
/** Cuts off answers that are still being sent then: only slow readers have any left. */
const ANSWERS_END_MS = 13_000;
/** For what is stored after its answer. Closing the database then waits five seconds at most. */
const FINISH_MS = 1_500;
const EXIT_MS = 20_000;
const DISCARD_MS = 10_000;
const BROKEN: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};
/** Where the scripts and styles of the build are, and their folder in it. */
const ASSETS = "/assets";
const HOST = /^[\w.\-:[\]]+$/;

const addHeaders: RequestHandler = (_request, response, next) => {
  const { "Content-Security-Policy": policy, ...always } = buildBaseHeaders();
  for (const [name, value] of Object.entries(always)) response.setHeader(name, value);
  // Remix appends headers: a policy set now and a page's own would both hold, and block the page.
  onHeaders(response, () => {
    // Redirects, and the data of pages, are made for one viewer like the pages themselves.
    if (!response.hasHeader("Cache-Control")) response.setHeader("Cache-Control", "no-store");
    if (!response.hasHeader("Content-Security-Policy")) response.setHeader("Content-Security-Policy", policy);
    // The caller's next request then goes to a process that stays.
    if (isStopping()) response.setHeader("Connection", "close");
  });
  next();
};

/** Programs that take no compressed answers do not pay for the question. */
function compressAnswers(): RequestHandler {
  const compress = compression();
  return (request, response, next) =>
    request.headers["accept-encoding"] === undefined ? next() : compress(request, response, next);
}

const logRequest: RequestHandler = (request, response, next) => {
  const started = performance.now();
  const requestId = chooseRequestId(request.get("x-request-id"));
  const current: CurrentRequest = { id: requestId };
  response.set("X-Request-Id", requestId);
  const { method, path, headers } = request;
  traceRequest({ method, headers, requestId }, (endTrace) => {
    response.on("close", () => {
      const durationMs = Math.round(performance.now() - started);
      const { route } = response.locals;
      const status = response.statusCode;
      countRequest(route, method, status, durationMs);
      endTrace({ route: route || undefined, status, failed: status >= 500 });
      log.info("http.request", { requestId, method, path, status, durationMs });
      auditRequest(ACCESS, request, response, current);
      if (isLogged(path, route)) {
        recordCall({ ...current, method, route, params: response.locals.params, status, durationMs });
      }
    });
    withRequest(current, next);
  });
};

/** True for a call that belongs in the log of API calls: neither a sign-in nor a signed event. */
function isLogged(path: string, route: keyof typeof ACCESS | undefined): boolean {
  if (!path.startsWith("/api/")) return false;
  const methods =
    route === undefined ? null : Object.values<{ caller: string }>(ACCESS[route]?.methods ?? {});
  return methods === null || methods.some(({ caller }) => caller === "signed-in");
}

/**
 * Throws away what an answer left unread of its request's body. Remix has begun to read each body, so that Node itself
 * leaves the rest where it is, and the next request of the same connection would wait behind it.
 */
const discardUnreadBody: RequestHandler = (request, response, next) => {
  response.once("finish", () => {
    if (request.complete) return;
    request.removeAllListeners("data");
    request.resume();
    // A body that does not end costs its sender the connection.
    const timer = setTimeout(() => request.destroy(), DISCARD_MS).unref();
    request.once("close", () => clearTimeout(timer));
  });
  next();
};

/** Refuses what Remix's adapter cannot turn into a Request: it would throw. */
const refuseUnreadable: RequestHandler = (request, response, next) => {
  const hosts = [request.get("host") ?? "", request.get("x-forwarded-host") ?? ""];
  const readable = hosts.every((host) => host === "" || (HOST.test(host) && URL.canParse(`http://${host}`)));
  if (!readable || !isDecodable(request.originalUrl)) {
    const failure = { code: "bad_input", message: "Bad request: the address cannot be read." } as const;
    const isApi = request.path.startsWith("/api/");
    void sendReply(response, isApi ? replyFailure(failure) : replyPlainFailure(failure));
    return;
  }
  next();
};

function isDecodable(address: string): boolean {
  try {
    decodeURI(address);
    return address.startsWith("/") && URL.canParse(`http://localhost${address}`);
  } catch {
    return false;
  }
}

/** A missing file or an address that cannot be decoded is the caller's error; any other is ours. */
const replyToError: ErrorRequestHandler = (error: unknown, request, response, next) => {
  const status = findStatus(error);
  if (status >= 500) {
    log.error("http.unhandled_error", {
      path: request.path,
      errorName: errorNameOf(error),
    });
  }
  if (response.headersSent) {
    next(error);
    return;
  }
  const code = status >= 500 ? "internal_error" : status === 404 ? "not_found" : "bad_input";
  const message = status >= 500 ? "Something went wrong on our side. Try again." : NOTHING_HERE;
  void sendReply(response, replyFailure({ code, message }));
};

function findStatus(error: unknown): number {
  const { status } = Object(error) as { status?: unknown };
  return typeof status === "number" && status >= 400 && status < 500 ? status : 500;
}

/**
 * All of the server but its socket.
 * @param files false where Vite serves scripts, styles and `public/`: in development
 */
export function createApp({ files }: { files: boolean }): express.Express {
  installGlobals({ nativeFetch: true });
  const app = express();
  app.disable("x-powered-by");
  app.set("query parser", false);
  app.set("trust proxy", env().trustedProxies);
  app.use(addHeaders);
  app.use(compressAnswers());
  if (files) {
    const folder = resolve(join(build.assetsBuildDirectory, ASSETS));
    // Their names change with their content.
    app.use(ASSETS, serveFiles(folder, { maxAge: "1y", immutable: true }));
    app.use(serveFiles(resolve("public"), { maxAge: "1h" }));
  }
  app.use(
    logRequest,
    discardUnreadBody,
    refuseUnreadable,
    createGate(build.routes, ACCESS, formatKnownToken),
  );
  app.use(createResourceAnswers({ ...build, routes }, ACCESS));
  const mode = env().production ? "production" : "development";
  app.all("*", createRequestHandler({ build: { ...build, routes }, mode }));
  app.use(replyToError);
  return app;
}

function endOrderly(server: Server): void {
  const end = async () => {
    beginStopping();
    log.info("process.stopping");
    await wait(env().stopDelayMs);
    setTimeout(() => process.exit(1), EXIT_MS).unref();
    setTimeout(endCalls, CALLS_END_MS).unref();
    setTimeout(() => server.closeAllConnections(), ANSWERS_END_MS).unref();
    const answered = new Promise((resolve) => server.close(resolve));
    await Promise.race([Promise.all([answered, stopBackgroundTasks()]), wait(ANSWERS_END_MS)]);
    await waitForUnfinished(FINISH_MS);
    await Promise.all([closeDatabase(), stopTelemetry()]);
    log.info("process.stopped");
    process.exit(0);
  };
  process.once("SIGTERM", end);
  process.once("SIGINT", end);
}

/** Ends what runs beside the answers and lets the database go: for Vite, when its server ends or starts again. */
export async function endDevelopment(): Promise<void> {
  await stopBackgroundTasks();
  await closeDatabase();
}

/**
 * As many sockets as `MAX_CONNECTIONS`, and a quarter of them from one address, where addresses are not those of
 * proxies. What is more is closed at once.
 */
function limitConnections(server: Server): void {
  const { maxConnections, trustedProxies } = env();
  server.maxConnections = maxConnections;
  if (trustedProxies > 0) return;
  const open = new Map<string, number>();
  server.on("connection", (socket) => {
    const address = shortenAddress(socket.remoteAddress ?? "");
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    if (count > maxConnections / 4) socket.destroy();
  });
}

/** What Node cannot read never becomes a request: the refusal is written by hand, with the headers of every other. */
function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const status = BROKEN[error.code ?? ""] ?? "400 Bad Request";
  const headers = {
    ...buildBaseHeaders(),
    "Cache-Control": "no-store",
    "Content-Length": "0",
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${[status, ...lines].join("\r\n")}\r\n\r\n`);
}

function listen(): void {
  const { port, host, providerTimeoutMs } = env();
  measureProcess();
  const limits = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: LATE_CHECK_MS,
  };
  const server = createServer(limits, createApp({ files: true }));
  server.setTimeout(providerTimeoutMs + SILENT_SOCKET_MS);
  limitConnections(server);
  server.on("clientError", refuseBroken);
  server.once("error", (error: NodeJS.ErrnoException) => {
    const reason =
      error.code === "EADDRINUSE"
        ? `Port ${port} is taken. Stop what listens there, or set PORT to a free one.`
        : `Cannot listen on port ${port} (${error.code}).`;
    process.stderr.write(`${reason}\n`);
    process.exit(1);
  });
  server.listen({ port, ...(host ? { host } : {}) }, () => {
    const address = server.address();
    log.info("process.configured", reportEnvironment());
    const open = listOpenings(env());
    if (open.length > 0) log.warn("process.open", { reason: open.join(" ") });
    log.info("http.listening", { port: typeof address === "object" && address ? address.port : port });
    // The first visitor should not wait for the embedded database to wake up.
    void pingDatabase();
  });
  endOrderly(server);
}

async function start(): Promise<void> {
  // Files of this process are for its own account.
  process.umask(0o077);
  try {
    await startTelemetry();
    listen();
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    process.stderr.write(`Mailroom cannot start:\n${error.message}\n`);
    process.exit(1);
  }
}

// Not awaited: the build is one file, in which modules that are imported later stand below this line. They could not be
// evaluated while this line waits.
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) void start();
