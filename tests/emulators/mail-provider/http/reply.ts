import type { ServerResponse } from "node:http";
import type { Fields } from "./fields";

/** One answer of the provider, before it is written to the socket. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** A refusal with the provider's single free-text reason. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export function replyJson(status: number, body: unknown): Reply {
  return { status, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

/** `{success:true,data}` with HTTP 200. */
export function succeed(data: unknown): Reply {
  return replyJson(200, { success: true, data });
}

/** `{success:false,error}`; logical refusals may come with HTTP 200. */
export function refuse(status: number, error: string): Reply {
  return replyJson(status, { success: false, error });
}

/** @throws Refusal 400 naming the first field that is absent or empty */
export function requireFields(fields: Fields, ...names: string[]): void {
  for (const name of names) {
    const value = fields[name];
    if (value === undefined || value === null || value === "") {
      throw new Refusal(400, `Missing mandatory parameter: ${name}`);
    }
  }
}

/** Statuses whose answers have no body; node drops it, so its length must not be announced. */
const BODILESS = [204, 304];

export function sendReply(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, frame(reply, reply.body));
  response.end(reply.body);
}

/** Announces the length of the whole answer, sends the first half of it and closes the connection. */
export function sendHalf(response: ServerResponse, reply: Reply): void {
  const body = Buffer.from(reply.body);
  response.writeHead(reply.status, frame(reply, body));
  response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.socket?.destroy());
}

/** Resets the connection without another byte. */
export function breakConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

function frame(reply: Reply, body: string | Buffer): Record<string, string> {
  if (BODILESS.includes(reply.status)) return reply.headers;
  const names = Object.keys(reply.headers).map((name) => name.toLowerCase());
  const framed = names.includes("content-length") || names.includes("transfer-encoding");
  return framed ? reply.headers : { ...reply.headers, "Content-Length": String(Buffer.byteLength(body)) };
}
