import { STATUS_CODES } from "node:http";
import type { RateLimit } from "../http/rate-limit";
import { type Reply, refuse, replyJson } from "../http/reply";
import type { FaultRule } from "./fault-rule";

/** The answer of a fault that replaces the operation; null when the operation runs. */
export function findReplacement(
  fault: FaultRule,
  authorization: string,
  { apiKey, rateLimit }: { apiKey: string; rateLimit: RateLimit },
): Reply | null {
  switch (fault.kind) {
    case "status": {
      if (fault.body === undefined)
        return withHeaders(refuse(fault.status, reason(fault.status)), fault.headers ?? {});
      const headers = { "Content-Type": "application/json", ...fault.headers };
      return { status: fault.status, headers, body: fault.body };
    }
    case "refuse200":
      return refuse(200, fault.error ?? "Failed to download the front image from the URL provided");
    case "html": {
      const headers = { "Content-Type": "text/html" };
      return { status: fault.status, headers, body: fault.body ?? page(fault.status) };
    }
    case "redirect":
      return { status: fault.status ?? 302, headers: { Location: fault.location }, body: "" };
    case "rate-limit":
      return withHeaders(refuse(429, "Rate limit exceeded"), {
        "X-RateLimit-Remaining": "0",
        ...rateLimit.describeReset(fault.resetSeconds ?? 46),
      });
    case "respond": {
      const { status = 200, body = "" } = fault;
      return { status, headers: { "Content-Type": "application/json", ...fault.headers }, body };
    }
    case "echo-key":
      return echoKey(fault.status ?? 200, authorization, apiKey);
    default:
      return null;
  }
}

/** The answer of a fault that runs the operation and then answers falsely; null = the real answer. */
export function findDistortion(fault: FaultRule): Reply | null {
  if (fault.kind === "error-after") return refuse(fault.status ?? 500, reason(fault.status ?? 500));
  if (fault.kind === "unreadable") {
    return { status: 200, headers: { "Content-Type": "application/json" }, body: fault.body ?? "<<not json" };
  }
  return null;
}

/** Echoes the key in every encoding in which it could leak. */
function echoKey(status: number, authorization: string, apiKey: string): Reply {
  const base64 = Buffer.from(apiKey).toString("base64");
  const basicBase64 = Buffer.from(`${apiKey}:`).toString("base64");
  const urlEncoded = encodeURIComponent(apiKey);
  const url = `https://api-us1.stannp.com/v1/users/me?api_key=${urlEncoded}`;
  const jsonText = JSON.stringify(apiKey);
  const echo = { authorization, key: apiKey, base64, basicBase64, urlEncoded, jsonText, url };
  const reply = replyJson(
    status,
    status < 400 ? { success: true, data: echo } : { success: false, error: `Bad key ${apiKey}`, echo },
  );
  return withHeaders(reply, {
    "X-Echo-Authorization": authorization,
    "X-Echo-Key": urlEncoded,
    "X-Echo-Base64": base64,
    "X-Echo-Basic": basicBase64,
  });
}

function withHeaders(reply: Reply, headers: Record<string, string>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

function reason(status: number): string {
  return STATUS_CODES[status] ?? `Status ${status}`;
}

/** An HTML error page of a web server in front. */
function page(status: number): string {
  return `<html><body><h1>${status} ${reason(status)}</h1><hr>nginx</body></html>`;
}
