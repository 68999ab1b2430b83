import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "./listen";

/** A received request. */
interface ReceivedWebhook {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Answers a request; 204 by default. */
type Answerer = (request: ReceivedWebhook, response: ServerResponse) => void;

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

/** A third party's server that receives Mailroom's webhook events. */
export async function startWebhookReceiver({ port = 0 }: { port?: number } = {}) {
  const received: ReceivedWebhook[] = [];
  let answerer: Answerer = (_, response) => response.writeHead(204).end();
  const server = createServer(async (incoming, response) => {
    const { method = "", url: path = "", headers } = incoming;
    const request = { method, path, headers, body: await text(incoming) };
    received.push(request);
    answerer(request, response);
  });
  const listening = await listen(server, port);
  return {
    origin: `http://127.0.0.1:${listening.port}`,
    received,
    /** Replaces the answers from now on. */
    answer(with_: Answerer) {
      answerer = with_;
    },
    close: listening.close,
  };
}
