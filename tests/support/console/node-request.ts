import type { IncomingMessage } from "node:http";

/** Answers as Remix does when a route throws. */
export function failWith500(thrown: unknown): Response {
  return new Response(String(thrown), { status: 500 });
}

/** The same request as a `Request`, its body read whole. */
export async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  return new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method ?? "GET",
    headers: Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
      (values ?? []).map((value): [string, string] => [name, value]),
    ),
    body: incoming.method === "GET" ? null : body,
  });
}
