import { setTimeout as wait } from "node:timers/promises";
import type { ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";
import type express from "express";
import { env } from "../env.server";
import type { RateKind } from "../env-variables.server";
import { noteRequest } from "../log.server";
import { type Failure, fail, NOTHING_DONE, type Outcome, succeed } from "../outcome";
import { decodePercent } from "../percent";
import { type BodyLimits, SMALL_BODY } from "./body.server";
import { type FormatToken, formatCaller, formatTooManyRequests, limitRequest } from "./rate-limits.server";
import { NOTHING_HERE, replyFailure, replyPlainFailure } from "./replies.server";
import { isSameOrigin } from "./security.server";
import { parseBearer } from "./session.server";
import type { RequiredScope, Scope } from "./token-scopes";

/** Allowed callers. The route checks the session, token or signature; the gate checks the rest. */
type Caller = "anyone" | "signed-in" | "metrics-token" | "provider-signature" | "stripe-signature";

/** Body of a request. `bytes` of any type are checked by the route; with `none` nothing is read. */
type BodyKind = "none" | "json" | "form" | "bytes";

type Method = "GET" | "POST" | "DELETE";

export interface RouteAccess {
  /** Format of refusals: JSON for programs, text for people with a browser. */
  refusals: "json" | "text";
  tokens?: true;
  /** HEAD is allowed where GET is. */
  methods: Partial<Record<Method, MethodAccess>>;
}

interface MethodAccess {
  caller: Caller;
  body: BodyKind;
  limits?: BodyLimits;
  /** Kind of rate limit; by default `read` for GET and `write` for other methods. */
  rate?: RateKind | "never";
  /** Scope that a person or token needs. Without it every person may call this. */
  scope?: RequiredScope;
  /** Scopes of the form's intents that need another one than `scope`. */
  intents?: Readonly<Record<string, Scope>>;
  /** Room under which the audit log records a call. */
  audit?: string;
  /** Parameters that make a page call the mail provider. They are removed from links on other sites. */
  questions?: readonly string[];
}

/** Rows by Remix's route ID: `routes/` and the file's name. */
export type AccessTable = Readonly<Record<string, RouteAccess>>;

interface Incoming {
  method: string;
  headers: { get(name: string): string | null };
}

const CONTENT_TYPES: Partial<Record<BodyKind, { accepted: RegExp; refusal: string }>> = {
  json: {
    accepted: /^application\/json\s*(;|$)/i,
    refusal: "This address takes a JSON body: send it with Content-Type: application/json.",
  },
  form: {
    accepted: /^(multipart\/form-data|application\/x-www-form-urlencoded)\s*(;|$)/i,
    refusal: "This page takes its own form only.",
  },
};

const API_PATH = /^\/api(\/|$)/i;
const HOST = /^[\w.\-:[\]]+$/;
/** Parameter of an earlier Remix, which still logs an error about it. */
const OLD_DATA_PARAMETER = "_data";

/** The route that Remix chooses for a path. */
interface FoundRoute {
  /** "" when no route matches. */
  id: string;
  params: Record<string, string | undefined>;
}

const NO_ROUTE: FoundRoute = { id: "", params: {} };
const REMEMBERED_PATHS = 1_000;
/** The route of all addresses without another route. */
const EVERY_OTHER = "routes/$";

/** A route outside the table allows only GET. */
const NOT_LISTED: RouteAccess = { refusals: "text", methods: { GET: { caller: "anyone", body: "none" } } };

/**
 * Refuses a request before its route sees it: another method (405), an unsafe request from another site (403), or a body of
 * another type (415). Null when it passes. Requests with a signature or a token may come from anywhere, because browsers do
 * not send these automatically.
 */
export function refuseRequest(request: Incoming, access: RouteAccess = NOT_LISTED): Response | null {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const allowed = access.methods[method as Method];
  if (!allowed) return refuseMethod(access);
  if (method === "GET" || allowed.caller.endsWith("-signature")) return null;
  const byToken = access.tokens && parseBearer(request.headers) !== null;
  if (!byToken && !isSameOrigin(request.headers)) {
    return reply(access, fail("forbidden", `This request comes from another site. ${NOTHING_DONE}`).failure);
  }
  const type = CONTENT_TYPES[allowed.body];
  if (type && !type.accepted.test(request.headers.get("Content-Type") ?? "")) {
    return reply(access, fail("unsupported_media_type", `${type.refusal} ${NOTHING_DONE}`).failure);
  }
  return null;
}

/**
 * Creates the middleware in front of Remix: refuses an unreadable address, finds the route that Remix will choose, runs
 * {@link refuseRequest}, then applies the caller's rate limits. Addresses that Remix would answer with its own error are not
 * found.
 */
export function createGate(
  routes: ServerBuild["routes"],
  table: AccessTable,
  formatToken: FormatToken,
): express.RequestHandler {
  const findRoute = createRouteFinder(routes);
  return async (request, response, next) => {
    const address = parseAddress(request);
    const path = address?.pathname ?? request.path;
    const refuse = (failure: Failure) =>
      sendReply(response, API_PATH.test(path) ? replyFailure(failure) : replyPlainFailure(failure));
    if (!address) return refuse({ code: "bad_input", message: "Bad request: the address cannot be read." });
    // Remix serves the data of a route at the route's path with the ending `.data`.
    const page = path.replace(/\.data$/, "").replace(/^\/_root$/, "/");
    const isHostile = isHostilePath(path) || address.searchParams.has(OLD_DATA_PARAMETER);
    const { id: route, params } = isHostile ? NO_ROUTE : findRoute(page);
    if (isHostile || (API_PATH.test(path) && (route === "" || route === EVERY_OTHER))) {
      return refuse({ code: "not_found", message: NOTHING_HERE });
    }
    // Used by `/metrics`, the API log and `createResourceAnswers`.
    response.locals.route = route;
    response.locals.params = params;
    const headers = { get: (name: string) => request.get(name) ?? null };
    const access = table[route] ?? NOT_LISTED;
    const refused = refuseRequest({ method: request.method, headers }, access);
    const limited = refused ?? (await limitCaller(request, response, access, formatToken));
    if (limited) return sendReply(response, limited);
    // Remix would compare it with the Host header and answer a difference with an error 500.
    delete request.headers.origin;
    next();
  };
}

/** Finds the route that Remix will choose. Caches recent paths: ranking takes longer than most `/api/*` routes do. */
export function createRouteFinder(routes: ServerBuild["routes"]): (path: string) => FoundRoute {
  const buildTree = (parent?: string): NonNullable<Parameters<typeof matchRoutes>[0]> =>
    Object.values(routes)
      .filter(({ parentId }) => parentId === parent)
      .map(({ id, path, index }) => (index ? { id, path, index } : { id, path, children: buildTree(id) }));
  const tree = buildTree();
  const recent = new Map<string, FoundRoute>();
  return (path) => {
    const known = recent.get(path);
    if (known) return known;
    const match = matchRoutes(tree, path)?.at(-1);
    const found = match?.route.id === undefined ? NO_ROUTE : { id: match.route.id, params: match.params };
    if (recent.size >= REMEMBERED_PATHS) recent.clear();
    recent.set(path, found);
    return found;
  };
}

export async function sendReply(response: express.Response, refusal: Response): Promise<void> {
  response
    .status(refusal.status)
    .set(Object.fromEntries(refusal.headers))
    .send(await refusal.text());
}

const REFUSAL_PAUSE_MS = 250;

/** Refuses a request over the caller's limit (429); null when its turn has come. Health checks have no limit. */
async function limitCaller(
  request: express.Request,
  response: express.Response,
  access: RouteAccess,
  formatToken: FormatToken,
): Promise<Response | null> {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const rate = access.methods[method as Method]?.rate ?? (method === "GET" ? "read" : "write");
  if (rate === "never" || env().rateLimits === null) return null;
  const caller = await formatCaller(request, formatToken);
  noteRequest({ caller });
  const seconds = await limitRequest(rate, caller, response);
  if (seconds === 0) return null;
  // Slows a caller that ignores `Retry-After`, because refusals use processor time too.
  await wait(REFUSAL_PAUSE_MS);
  return reply(access, {
    code: "rate_limited",
    message: formatTooManyRequests(seconds, access.refusals === "text"),
    retryAfterSeconds: seconds,
  });
}

/** Parses the address of a request; null when Remix's adapter would throw at it or at the Host header. */
function parseAddress({ originalUrl, headers }: express.Request): URL | null {
  const hosts = [headers.host, headers["x-forwarded-host"]].flat();
  const isReadable = hosts.every((host) => !host || (HOST.test(host) && URL.canParse(`http://${host}`)));
  const address = `http://localhost${originalUrl}`;
  const isAddress = originalUrl.startsWith("/") && decodePercent(originalUrl) !== null;
  return isReadable && isAddress && URL.canParse(address) ? new URL(address) : null;
}

/** True for control characters and backslashes, which browsers drop or read as a slash. */
function isHostilePath(path: string): boolean {
  return /[\p{Cc}\\]/u.test(decodeURIComponent(path));
}

/** Checks the scopes of the person who makes a request. Succeeds for tokens, and when no one is signed in. */
export type CheckPerson = (request: Request, scope: RequiredScope) => Promise<Outcome<null>>;

/**
 * Checks the scopes of people, and passes the scope and body limits of the access table to loaders and actions. Actions run
 * {@link refuseRequest} too, for a server without the gate (`remix-serve`).
 */
export function guardRoutes(
  routes: ServerBuild["routes"],
  table: AccessTable,
  checkPerson: CheckPerson,
): ServerBuild["routes"] {
  return Object.fromEntries(
    Object.entries(routes).map(([id, route]) => {
      return [id, { ...route, module: guardModule(route.module, table[id] ?? NOT_LISTED, checkPerson) }];
    }),
  );
}

type RouteModule = ServerBuild["routes"][string]["module"];

function guardModule(module: RouteModule, access: RouteAccess, checkPerson: CheckPerson): RouteModule {
  const { loader, action } = module;
  const guarded = { ...module };
  const requireScope = async (request: Request, scope: RequiredScope | undefined) => {
    // A route that accepts tokens checks both, so that the session is read once.
    const isChecked = scope === undefined || access.tokens;
    const allowed = isChecked ? succeed(null) : await checkPerson(request, scope);
    if (!allowed.ok) throw reply(access, allowed.failure);
  };
  if (loader) {
    guarded.loader = async (args) => {
      const plain = findPlainAddress(args.request, access);
      if (plain !== null) throw new Response(null, { status: 302, headers: { Location: plain } });
      const { scope } = access.methods.GET ?? {};
      await requireScope(args.request, scope);
      return loader({ ...args, context: { ...args.context, scope: access.tokens && scope } });
    };
  }
  if (action) {
    guarded.action = async (args) => {
      const { request } = args;
      const refusal = refuseRequest(request, access);
      if (refusal) throw refusal;
      const { scope, intents, limits = SMALL_BODY } = access.methods[request.method as Method] ?? {};
      // With intents the scope is known when the form is read.
      if (!intents) await requireScope(request, scope);
      const checkIntent = async (intent: string) => {
        const needed = (Object.hasOwn(intents ?? {}, intent) && intents?.[intent]) || scope;
        return needed ? checkPerson(request, needed) : succeed(null);
      };
      const rules = { bodyLimits: limits, scope: access.tokens && scope, checkIntent };
      return action({ ...args, context: { ...args.context, ...rules } });
    };
  }
  return guarded;
}

/** Returns the address without the page's questions when a link on another site has any; else null. */
function findPlainAddress(request: Request, access: RouteAccess): string | null {
  const { pathname, searchParams } = new URL(request.url);
  const questions = access.methods.GET?.questions?.filter((name) => searchParams.has(name)) ?? [];
  if (questions.length === 0 || isSameOrigin(request.headers)) return null;
  for (const name of questions) searchParams.delete(name);
  return `${pathname}?${searchParams}`;
}

function refuseMethod(access: RouteAccess): Response {
  const methods = Object.keys(access.methods);
  const message = `Call this address by ${methods.join(" or ")}. ${NOTHING_DONE}`;
  const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
  return reply(access, { code: "method_not_allowed", message }, { Allow: allow });
}

function reply(access: RouteAccess, failure: Failure, headers: Record<string, string> = {}): Response {
  return access.refusals === "json" ? replyFailure(failure, headers) : replyPlainFailure(failure, headers);
}
