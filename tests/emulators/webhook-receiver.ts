import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "./listen";

/** A request that arrived. */
interface ReceivedWebhook {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** How the receiver answers a request; without one, 204. */
type Answerer = (request: ReceivedWebhook, response: ServerResponse) => void;

export interface WebhookReceiver {
  origin: string;
  received: ReceivedWebhook[];
  /** Answers from now on. */
  answer(with_: Answerer): void;
  close(): Promise<void>;
}

/** A server of someone else who wants to know what happens in Mailroom. */
export async function startWebhookReceiver({ port = 0 }: { port?: number } = {}): Promise<WebhookReceiver> {
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
    answer(with_) {
      answerer = with_;
    },
    close: listening.close,
  };
}
