import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type * as Api from "@opentelemetry/api";
import { env } from "./env.server";

/**
 * OpenTelemetry traces: a span for each request and each call to the provider. Nothing is loaded unless
 * `OTEL_EXPORTER_OTLP_ENDPOINT` is set. The SDK reads the other `OTEL_*` variables. Spans hold no address, body or other input.
 */

interface Running {
  api: typeof Api;
  tracer: Api.Tracer;
  stop: () => Promise<void>;
}

interface Outcome {
  /** ID of the request's row in the access table. */
  route?: string | undefined;
  status: number | string;
  failed: boolean;
}

const SHUTDOWN_MS = 1_000;
let running: Running | null = null;

/** Called before the first request. */
export async function startTelemetry(): Promise<void> {
  if (!env().tracing) return;
  const [api, { NodeSDK }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-node"),
  ]);
  const sdk = new NodeSDK({ serviceName: process.env.OTEL_SERVICE_NAME ?? "mailroom", instrumentations: [] });
  sdk.start();
  running = { api, tracer: api.trace.getTracer("mailroom"), stop: () => sdk.shutdown() };
}

/** Sends the remaining spans. */
export async function stopTelemetry(): Promise<void> {
  const stopped = running?.stop().catch(() => undefined);
  await Promise.race([stopped, wait(SHUTDOWN_MS, undefined, { ref: false })]);
  running = null;
}

/**
 * Answers a request within a span. Continues the caller's trace when its headers name one.
 * @param answer receives a function that ends the span
 */
export function traceRequest(
  { method, headers, requestId }: { method: string; headers: IncomingHttpHeaders; requestId: string },
  answer: (end: (outcome: Outcome) => void) => void,
): void {
  if (!running) {
    answer(() => undefined);
    return;
  }
  const { api, tracer } = running;
  const parent = api.propagation.extract(api.context.active(), headers);
  const attributes = { "http.request.method": method, "mailroom.request_id": requestId };
  const span = tracer.startSpan(method, { kind: api.SpanKind.SERVER, attributes }, parent);
  const end = ({ route = "none", ...outcome }: Outcome) => {
    span.updateName(`${method} ${route}`);
    span.setAttribute("http.route", route);
    endSpan(api, span, outcome);
  };
  api.context.with(api.trace.setSpan(parent, span), () => answer(end));
}

/** Calls an outside service within a span of its own. */
export async function traceCall<T>(
  name: string,
  call: () => Promise<T>,
  describe: (result: T) => Outcome,
): Promise<T> {
  if (!running) return call();
  const { api, tracer } = running;
  return tracer.startActiveSpan(name, { kind: api.SpanKind.CLIENT }, async (span) => {
    const result = await call();
    endSpan(api, span, describe(result));
    return result;
  });
}

function endSpan(api: typeof Api, span: Api.Span, { status, failed }: Outcome): void {
  span.setAttribute(typeof status === "number" ? "http.response.status_code" : "error.type", status);
  if (failed) span.setStatus({ code: api.SpanStatusCode.ERROR });
  span.end();
}
