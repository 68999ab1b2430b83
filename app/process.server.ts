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
import { auditRequest } from "./audit/audit-record.server";
import { checkPerson } from "./people/viewer.server";
import { stopBackgroundTasks } from "./platform/background-runner.server";
import { closeDatabase, pingDatabase } from "./platform/database/database.server";
import { EnvironmentError, env, listOpenings, reportEnvironment } from "./platform/env.server";
import { serveFiles } from "./platform/http/build-files.server";
import { createGate, guardRoutes, sendReply } from "./platform/http/gate.server";
import { shortenAddress } from "./platform/http/rate-limits.server";
import { NOTHING_HERE, replyFailure } from "./platform/http/replies.server";
import { createResourceAnswers } from "./platform/http/resource-routes.server";
import { buildBaseHeaders } from "./platform/http/security.server";
import { type CurrentRequest, chooseRequestId, errorNameOf, log, withRequest } from "./platform/log.server";
import { countRequest, measureProcess } from "./platform/metrics.server";
import { beginStopping, endCalls, isStopping, waitForUnfinished } from "./platform/stopping.server";
import { startTracing, stopTracing, traceRequest } from "./platform/traces.server";
import { formatKnownToken } from "./tokens/check-token.server";

/**
 * The server process: `node build/index.js` listens. It has what `remix-serve` does not: the gate in front of Remix, security
 * headers on files too, log lines without queries (one holds an OAuth code), a reply instead of a stack for a hostile Host
 * header, limits for slow requests, and an orderly shutdown.
 */

// `remix-serve build/index.js` runs these too. There each action refuses what the gate would refuse.
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
/** Limit of headers and body; a route's own limit for its body is shorter. */
const REQUEST_TIMEOUT_MS = 75_000;
const LATE_CHECK_MS = 2_000;
/** Pause between two requests of a connection. */
const KEEP_ALIVE_MS = 5_000;
/**
 * The same behind a proxy, longer than proxies keep an idle connection (nginx and load balancers 60 s, Caddy 120 s): otherwise
 * they send a request into a connection that is closing, and answer 502.
 */
const PROXY_KEEP_ALIVE_MS = 130_000;
/** Limit for a client that reads nothing, in addition to the time limit of a provider call. */
const SILENT_SOCKET_MS = 60_000;
/** Aborts longer calls to the provider. Other processes take over their work. */
const CALLS_END_MS = 10_000;
/** Cuts off answers to slow readers. */
const ANSWERS_END_MS = 13_000;
/** Time for work that is stored after its answer. Closing the database then takes at most five seconds. */
const FINISH_MS = 1_500;
const EXIT_MS = 20_000;
const DISCARD_MS = 10_000;
const BROKEN: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};
/** Path and folder of the build's scripts and styles. */
const ASSETS = "/assets";

const addHeaders: RequestHandler = (_request, response, next) => {
  const { "Content-Security-Policy": policy, ...always } = buildBaseHeaders();
  for (const [name, value] of Object.entries(always)) response.setHeader(name, value);
  // Remix appends headers, so a policy set now would apply together with a page's own and block the page.
  onHeaders(response, () => {
    // Redirects and the data of pages are for one viewer, like the pages.
    if (!response.hasHeader("Cache-Control")) response.setHeader("Cache-Control", "no-store");
    if (!response.hasHeader("Content-Security-Policy")) response.setHeader("Content-Security-Policy", policy);
    // Sends the caller's next request to another process.
    if (isStopping()) response.setHeader("Connection", "close");
  });
  next();
};

const compress = compression();
/** Skips the middleware for programs that accept no compressed answers. */
const compressAnswers: RequestHandler = (request, response, next) =>
  request.headers["accept-encoding"] === undefined ? next() : compress(request, response, next);

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

/** True for a call in the API log: neither a sign-in nor a signed event. The route, because paths match in any case and encoding. */
function isLogged(path: string, route: keyof typeof ACCESS | undefined): boolean {
  if (route === undefined) return /^\/api\//i.test(path);
  const methods = Object.values<{ caller: string }>(ACCESS[route]?.methods ?? {});
  return route.startsWith("routes/api.") && methods.some(({ caller }) => caller === "signed-in");
}

/**
 * Discards the unread rest of a request's body after its answer. Remix begins to read each body, so Node would leave the rest,
 * and the next request of the connection would wait behind it.
 */
const discardUnreadBody: RequestHandler = (request, response, next) => {
  response.once("finish", () => {
    if (request.complete) return;
    request.removeAllListeners("data");
    request.resume();
    // Closes the connection of a body that does not end.
    const timer = setTimeout(() => request.destroy(), DISCARD_MS).unref();
    request.once("close", () => clearTimeout(timer));
  });
  next();
};

/** Answers errors: 4xx for a missing file or an invalid address, 500 for any other. */
const replyToError: ErrorRequestHandler = (error: unknown, request, response, next) => {
  const { status } = Object(error) as { status?: unknown };
  const isRefusal = typeof status === "number" && status >= 400 && status < 500;
  if (!isRefusal) log.error("http.unhandled_error", { path: request.path, errorName: errorNameOf(error) });
  if (response.headersSent) return next(error);
  const code = isRefusal ? (status === 404 ? "not_found" : "bad_input") : "internal_error";
  const message = isRefusal ? NOTHING_HERE : "Something went wrong on our side. Try again.";
  void sendReply(response, replyFailure({ code, message }));
};

/** Creates the server without its socket. @param files false in development, where Vite serves them */
export function createApp({ files }: { files: boolean }): express.Express {
  installGlobals({ nativeFetch: true });
  const app = express();
  app.disable("x-powered-by");
  app.set("query parser", false);
  app.set("trust proxy", env().trustedProxies);
  app.use(addHeaders);
  app.use(compressAnswers);
  if (files) {
    const folder = resolve(join(build.assetsBuildDirectory, ASSETS));
    // File names change with their content.
    app.use(ASSETS, serveFiles(folder, { maxAge: "1y", immutable: true }));
    app.use(serveFiles(resolve("public"), { maxAge: "1h" }));
  }
  app.use(logRequest, discardUnreadBody, createGate(build.routes, ACCESS, formatKnownToken));
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
    await Promise.all([closeDatabase(), stopTracing()]);
    log.info("process.stopped");
    process.exit(0);
  };
  process.once("SIGTERM", end);
  process.once("SIGINT", end);
}

/** Stops background tasks and closes the database, when Vite's server ends or restarts. */
export async function endDevelopment(): Promise<void> {
  await stopBackgroundTasks();
  await closeDatabase();
}

/** Limits sockets to `MAX_CONNECTIONS`, and without a proxy to a quarter of them from one address. */
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

/** Refuses what Node cannot parse as a request. Writes the answer by hand, with the usual headers. */
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
  const { port, host, providerTimeoutMs, trustedProxies } = env();
  measureProcess();
  const limits = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: trustedProxies > 0 ? PROXY_KEEP_ALIVE_MS : KEEP_ALIVE_MS,
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
    // Opens the database before the first visitor needs it.
    void pingDatabase();
  });
  endOrderly(server);
}

async function start(): Promise<void> {
  // Only this account may read files of the process.
  process.umask(0o077);
  try {
    await startTracing();
    listen();
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    process.stderr.write(`Mailroom cannot start:\n${error.message}\n`);
    process.exit(1);
  }
}

// Not awaited, because lazily imported modules are below this line in the build's single file and could not be evaluated while
// it waits.
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) void start();
