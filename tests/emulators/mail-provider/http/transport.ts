import type { ServerResponse } from "node:http";
import type { Reply } from "./reply";

/** Statuses whose answers have no body; node drops it, so its length must not be announced. */
const BODILESS = [204, 304];

export function sendReply(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, frame(reply, reply.body));
  response.end(reply.body);
}

/** Announces the whole answer, sends the first half of it and closes the connection. */
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
  const given = Object.keys(reply.headers).map((name) => name.toLowerCase());
  const framed = given.includes("content-length") || given.includes("transfer-encoding");
  return framed ? reply.headers : { ...reply.headers, "Content-Length": String(Buffer.byteLength(body)) };
}
