import { isIP } from "node:net";
import { Agent, errors, request } from "undici";
import { env } from "~/platform/env.server";
import { isPublicAddress, lookUpPublic, NOT_PUBLIC } from "~/platform/public-address.server";

/** Reason why a receiver gave no answer. `private`: its address is in a private network, so nothing was sent. */
export type ReceiverProblem = "private" | "timeout" | "name" | "certificate" | "connection" | "unsigned";

/** Answer of a webhook receiver, or the reason why there was none. */
export interface ReceiverAnswer {
  /** Null without an answer. */
  status: number | null;
  headers: Record<string, string>;
  /** First characters of the body; null without an answer. */
  text: string | null;
  /** Seconds in `Retry-After`. */
  retryAfter: number | null;
  /** Null with an answer. */
  problem: ReceiverProblem | null;
  durationMs: number;
}

const RECEIVER_LIMIT_MS = 15_000;
const CONNECT_LIMIT_MS = 5_000;
const ANSWER_BYTES = 4_096;
const MAX_HEADERS = 50;
const MAX_RETRY_SECONDS = 86_400;
const NAME_CODES = ["ENOTFOUND", "EAI_AGAIN", "EAI_NODATA", "EAI_NONAME"];

const publicAgent = new Agent({
  connections: 20,
  connect: { timeout: CONNECT_LIMIT_MS, lookup: lookUpPublic() },
  headersTimeout: RECEIVER_LIMIT_MS,
  bodyTimeout: RECEIVER_LIMIT_MS,
  maxHeaderSize: 16_384,
});
const localAgent = new Agent({ connections: 20, connect: { timeout: CONNECT_LIMIT_MS } });

/** True for an origin in `WEBHOOK_LOCAL_ORIGINS`, which is empty in production. */
export function isLocalReceiver(url: URL): boolean {
  return env().localWebhookOrigins.includes(url.origin);
}

/** True when the host is an IP address that is not public. Names are checked at each connection. */
export function isPrivateHost(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 && !isPublicAddress(host);
}

/**
 * Posts a body and reads the beginning of the answer, without redirects. Only public addresses are connected to, because the
 * URL is typed in by a person.
 * @param url https, or a local receiver
 */
export async function callReceiver(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  limitMs = RECEIVER_LIMIT_MS,
): Promise<ReceiverAnswer> {
  const startedAt = performance.now();
  const duration = () => Math.round(performance.now() - startedAt);
  const isLocal = isLocalReceiver(url);
  if (!isLocal && (url.protocol !== "https:" || isPrivateHost(url))) return noAnswer("private", duration());
  const signal = AbortSignal.timeout(limitMs);
  try {
    const answer = await request(url, {
      dispatcher: isLocal ? localAgent : publicAgent,
      method: "POST",
      headers: { ...headers, "accept-encoding": "identity" },
      body,
      signal,
    });
    const text = await readBeginning(answer.body);
    return {
      status: answer.statusCode,
      headers: toTexts(answer.headers),
      text,
      retryAfter: parseRetryAfter(answer.headers["retry-after"]),
      problem: null,
      durationMs: duration(),
    };
  } catch (error) {
    return noAnswer(signal.aborted ? "timeout" : nameProblem(error), duration());
  }
}

export function noAnswer(problem: ReceiverProblem, durationMs: number): ReceiverAnswer {
  return { status: null, headers: {}, text: null, retryAfter: null, problem, durationMs };
}

/** Reads the first bytes. Leaving the loop closes the connection. A body that breaks off is returned as far as it arrived. */
async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= ANSWER_BYTES) break;
    }
  } catch {
    // The status is known, which decides the delivery.
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString("utf8").replaceAll("\u0000", "\ufffd");
}

function toTexts(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== "set-cookie")
      .slice(0, MAX_HEADERS)
      .map(([name, value]) => [name, [value].flat().join(", ").slice(0, 500).replaceAll("\u0000", "\ufffd")]),
  );
}

function parseRetryAfter(value: string | string[] | undefined): number | null {
  const seconds = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : null;
  return seconds === null ? null : Math.min(seconds, MAX_RETRY_SECONDS);
}

function nameProblem(error: unknown): ReceiverProblem {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === NOT_PUBLIC) return "private";
  if (NAME_CODES.includes(code)) return "name";
  if (
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError
  ) {
    return "timeout";
  }
  return /CERT|SELF_SIGNED|TLS|SSL|VERIFY|ALTNAME/.test(code) ? "certificate" : "connection";
}
