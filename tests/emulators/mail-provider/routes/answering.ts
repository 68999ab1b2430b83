import { createHash } from "node:crypto";
import { findKey, type IdempotencyMemory } from "../http/idempotency";
import type { RateLimit } from "../http/rate-limit";
import { Refusal, type Reply, refuse } from "../http/reply";
import type { ReceivedRequest, RequestAddress } from "../http/request";
import { drawTemplatePicture, renderSamplePdf } from "../sample-pdf";
import type { Store } from "../store";
import { ACCOUNT_ROUTES } from "./account-routes";
import { MAIL_ROUTES } from "./mail-routes";
import { type Call, findRoute, type RouteMatch } from "./router";

/** An account and its key: its data, its recent idempotency keys and its rate. */
export interface Account {
  apiKey: string;
  store: Store;
  memory: IdempotencyMemory;
  rateLimit: RateLimit;
}

/** Changes that a fault makes to an otherwise ordinary request. */
interface Bend {
  /** Resolves when the operation may start. */
  ready: Promise<void>;
  forcedTest: boolean | null;
}

const ROUTES = [...MAIL_ROUTES, ...ACCOUNT_ROUTES];

/**
 * The provider's own answer. Checks the key before the path, then the rate, then whether the request is a
 * repetition.
 */
export async function answerRequest(
  account: Account,
  request: ReceivedRequest,
  address: RequestAddress,
  bend: Bend,
): Promise<Reply> {
  const sample = await findSample(account.store, request, address);
  if (sample) return sample;
  if (!holdsKey(account, request)) {
    return refuse(401, "You need an API key or token to access this service");
  }
  // The body of a 429 is not documented.
  if (!account.rateLimit.admit()) return refuse(429, "Rate limit exceeded");
  const match = address.prefix === "" ? null : findRoute(ROUTES, request.method, address.segments);
  if (!match) return refuse(404, "Resource not found");
  const fields = request.body;
  if (fields === null) return refuse(400, "The request body could not be read");
  const header = request.method === "POST" ? request.headers["x-idempotency-key"] : undefined;
  const key = findKey(request);
  if (header !== undefined && (header.length < 10 || header.length > 1024)) {
    return refuse(400, "X-Idempotency-Key must have 10 to 1024 characters");
  }
  const { store } = account;
  const { params } = match;
  const { forcedTest } = bend;
  const call: Call = { store, params, query: address.query, fields, idempotencyKey: key, forcedTest };
  const operate = async () => {
    await bend.ready;
    return runRoute(match, call);
  };
  return key === null ? operate() : account.memory.runOnce(key, fingerprint(request), operate);
}

async function runRoute(match: RouteMatch, call: Call): Promise<Reply> {
  try {
    return await match.route.answer(call);
  } catch (error) {
    if (error instanceof Refusal) return refuse(error.status, error.message);
    throw error;
  }
}

/** Finds a sample PDF, which can be downloaded without a key. */
async function findSample(
  store: Store,
  request: ReceivedRequest,
  { prefix, segments }: RequestAddress,
): Promise<Reply | null> {
  const [folder, verb, ...file] = segments;
  if (request.method !== "GET" || prefix === "" || folder !== "storage" || verb !== "get") return null;
  const [, templateId = ""] = /^template\/(\d+)\.svg$/.exec(file.join("/")) ?? [];
  const template = store.templates.get(templateId);
  if (template) {
    const picture = drawTemplatePicture(templateId, template.template_name, template.size);
    return { status: 200, headers: { "Content-Type": "image/svg+xml" }, body: Buffer.from(picture) };
  }
  const sample = store.samples.get(file.join("/"));
  return sample
    ? { status: 200, headers: { "Content-Type": "application/pdf" }, body: await renderSamplePdf(sample) }
    : null;
}

/** True when the request has the key of this account. */
export function holdsKey({ apiKey }: Account, request: ReceivedRequest): boolean {
  if (apiKey === "") return false;
  const [, encoded = ""] = /^basic\s+(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  const basic = Buffer.from(encoded, "base64").toString("utf8");
  return basic === `${apiKey}:`;
}

/**
 * Identifies identical requests byte for byte, because no documentation says that the provider compares more
 * loosely.
 */
function fingerprint(request: ReceivedRequest): string {
  return createHash("sha256")
    .update(`${request.prefix}/${request.path}\n`)
    .update(request.rawBody)
    .digest("hex");
}
