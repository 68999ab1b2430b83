import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { NodeSDK } from "@opentelemetry/sdk-node";
import { env } from "./env.server";

/**
 * OpenTelemetry traces: a span for each request and each call to the provider. They cost nothing and go nowhere unless
 * `OTEL_EXPORTER_OTLP_ENDPOINT` is set. The SDK reads the other `OTEL_*` variables. Spans hold no address, body or other input.
 */

interface Ending {
  /** ID of the request's row in the access table. */
  route?: string | undefined;
  status: number | string;
  failed: boolean;
}

const SHUTDOWN_MS = 1_000;
/** At each use, because the SDK is another copy of the package than the build's, and is started later. */
const findTracer = () => trace.getTracer("mailroom");
let sdk: NodeSDK | undefined;

/** Starts tracing when it is configured. Called before the first request. */
export async function startTracing(): Promise<void> {
  if (!env().tracing) return;
  const { NodeSDK } = await import("@opentelemetry/sdk-node");
  sdk = new NodeSDK({ serviceName: process.env.OTEL_SERVICE_NAME ?? "mailroom", instrumentations: [] });
  sdk.start();
}

/** Sends the remaining spans. */
export async function stopTracing(): Promise<void> {
  const stopped = sdk?.shutdown().catch(() => undefined);
  await Promise.race([stopped, wait(SHUTDOWN_MS, undefined, { ref: false })]);
}

/** Answers a request within a span, which `end` ends. Continues the caller's trace when its headers name one. */
export function traceRequest(
  { method, headers, requestId }: { method: string; headers: IncomingHttpHeaders; requestId: string },
  answer: (end: (outcome: Ending) => void) => void,
): void {
  const parent = propagation.extract(context.active(), headers);
  const attributes = { "http.request.method": method, "mailroom.request_id": requestId };
  const span = findTracer().startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
  const end = ({ route = "none", ...outcome }: Ending) => {
    span.updateName(`${method} ${route}`).setAttribute("http.route", route);
    endSpan(span, outcome);
  };
  context.with(trace.setSpan(parent, span), () => answer(end));
}

/** Calls an outside service within a span of its own. */
export function traceCall<T>(
  name: string,
  call: () => Promise<T>,
  describe: (result: T) => Ending,
): Promise<T> {
  return findTracer().startActiveSpan(name, { kind: SpanKind.CLIENT }, async (span) => {
    const result = await call();
    endSpan(span, describe(result));
    return result;
  });
}

function endSpan(span: Span, { status, failed }: Ending): void {
  span.setAttribute(typeof status === "number" ? "http.response.status_code" : "error.type", status);
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
