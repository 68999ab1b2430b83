import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type Stripe from "stripe";
import { listen } from "./listen";
import { FaultDesk, type FaultHandle } from "./mail-provider/faults/fault-desk";
import type { FaultRule } from "./mail-provider/faults/fault-rule";
import { breakConnection } from "./mail-provider/http/reply";
import { StripeAccount, type StripeEvent } from "./stripe/account";
import { Api, type ApiRequest } from "./stripe/api";
import { answerPayPage } from "./stripe/pay-routes";
import { refuse } from "./stripe/reply";
import { Webhooks } from "./stripe/webhooks";

export interface StripeOptions {
  secretKey: string;
  webhookSecret: string;
  /** Default 0: any free port. */
  port?: number;
  /** The address for events; null or absent: events are not delivered automatically. */
  webhookUrl?: string | null;
  /** Epoch ms; default the real clock. */
  now?: () => number;
  /** Delays between the attempts to deliver an event that is not accepted. */
  retryDelaysMs?: readonly number[];
}

/** The fault of an API call. `path` is the path of the request, without its query. */
type StripeFault = Extract<
  FaultRule,
  { kind: "status" | "timeout" | "reset-before" | "reset-after" | "hold" }
>;

/** Stripe Checkout on this machine and in memory. */
export type StripeEmulator = Awaited<ReturnType<typeof startStripe>>;

const RETRY_DELAYS_MS = [250, 1_000, 5_000, 15_000, 60_000];

/** Starts the emulator on loopback. Rejects when the port is taken. */
export async function startStripe(options: StripeOptions) {
  const server = createServer();
  const { port, close } = await listen(server, options.port);
  const origin = `http://127.0.0.1:${port}`;
  const now = options.now ?? Date.now;
  const webhooks = new Webhooks({
    url: options.webhookUrl ?? null,
    secret: options.webhookSecret,
    now,
    retryDelaysMs: options.retryDelaysMs ?? RETRY_DELAYS_MS,
  });
  const account = new StripeAccount({
    origin,
    livemode: /^[sr]k_live_/.test(options.secretKey),
    now,
    announce: (event) => webhooks.announce(event),
  });
  const api = new Api(account, options.secretKey);
  const requests: ApiRequest[] = [];
  const desk = new FaultDesk(() => 0);

  server.on("request", (request, response) => {
    serve(request, response).catch(() => response.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? "/", origin);
    const body = await text(request);
    if (!pathname.startsWith("/v1/")) {
      const { method = "GET" } = request;
      const page = answerPayPage(account, method, pathname, body);
      response.writeHead(page.status, { ...page.headers, "Cache-Control": "no-store" });
      response.end(page.body);
      return;
    }
    const call: ApiRequest = {
      method: request.method ?? "GET",
      path: pathname,
      query: search.slice(1),
      authorization: request.headers.authorization ?? null,
      idempotencyKey: request.headers["idempotency-key"]?.toString() ?? null,
      body,
    };
    requests.push(call);
    const active = desk.take(call.method, call.path);
    const fault = active?.fault;
    const kind = fault?.kind;
    if (kind === "timeout") return;
    if (kind === "reset-before") return breakConnection(response);
    if (kind === "hold") await active?.released;
    const reply =
      fault?.kind === "status"
        ? refuse(fault.status, { type: "api_error", message: "An error was ordered." })
        : api.answer(call);
    if (kind === "reset-after") return breakConnection(response);
    const number = String(requests.length).padStart(14, "0");
    response.writeHead(reply.status, { "Content-Type": "application/json", "Request-Id": `req_${number}` });
    response.end(JSON.stringify(reply.body, null, 2));
  }

  return {
    origin,
    account,
    sessions: account.sessions as ReadonlyMap<string, Stripe.Checkout.Session>,
    /** Every event since the start, delivered or not. */
    events: account.events as readonly StripeEvent[],
    /** Calls of the API, in order of arrival. */
    requests: requests as readonly ApiRequest[],
    webhooks,
    /** Changes a session at Stripe without an event. */
    change: (id: string, fields: Partial<Stripe.Checkout.Session>) => Object.assign(account.find(id), fields),
    fail: (fault: StripeFault): FaultHandle => desk.add(fault),
    close: () => {
      webhooks.stop();
      return close();
    },
  };
}
