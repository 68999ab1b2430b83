import { createHash, timingSafeEqual } from "node:crypto";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { errorNameOf, log } from "./log.server";
import type { Outcome } from "./outcome";

/**
 * Metrics of this process at `/metrics`. Labels are words from our own code (a route's ID, an outcome, a state), never
 * input: each new value would be a new series, and could be a person's name.
 */

const SECONDS = [0.005, 0.02, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const registry = new Registry();

const httpRequests = new Histogram({
  name: "mailroom_http_request_duration_seconds",
  help: "HTTP requests by route of the access table, method and class of status",
  labelNames: ["route", "method", "status"],
  buckets: SECONDS,
  registers: [registry],
});

const providerCalls = new Histogram({
  name: "mailroom_provider_call_duration_seconds",
  help: "Calls to the mail provider by outcome: class of status, or why there was no answer",
  labelNames: ["outcome"],
  buckets: SECONDS,
  registers: [registry],
});

const gaugeFailures = new Gauge({
  name: "mailroom_gauge_unavailable",
  help: "1 for a gauge that could not be read at this scrape, so that it has no samples",
  labelNames: ["gauge"],
  registers: [registry],
});

/** A number that a room reads at each scrape, usually from the database. */
export interface RoomGauge {
  /** Name with its unit, if any, at the end: `mailroom_open_holds`, `…_seconds`. */
  name: string;
  help: string;
  labels?: readonly string[];
  /** Reads one sample for each set of labels. A failure leaves the gauge out of this scrape. */
  read(): Promise<Outcome<readonly { value: number; labels?: Readonly<Record<string, string>> }[]>>;
}

/** Adds the metrics of Node itself, such as memory and event-loop delay. Called once per process. */
export function measureProcess(): void {
  collectDefaultMetrics({ register: registry });
}

/** @param route the ID of its row in the access table; null when the gate found none */
export function countRequest(route: string | null, method: string, status: number, durationMs: number): void {
  const labels = { route: route ?? "none", method: KNOWN_METHODS.has(method) ? method : "other" };
  httpRequests.observe({ ...labels, status: formatClass(status) }, durationMs / 1000);
}

/** @param outcome a status, or one of our own words */
export function countProviderCall(outcome: number | string, durationMs: number): void {
  const word = typeof outcome === "number" ? formatClass(outcome) : outcome;
  providerCalls.observe({ outcome: word }, durationMs / 1000);
}

export async function formatMetrics(gauges: readonly RoomGauge[]): Promise<{ text: string; type: string }> {
  await Promise.all(gauges.map(readGauge));
  return { text: await registry.metrics(), type: registry.contentType };
}

/** True when the header is `Bearer` and this token. Compares in constant time. */
export function isMetricsToken(authorization: string | null, token: string): boolean {
  const received = /^Bearer (.+)$/i.exec(authorization ?? "")?.[1] ?? "";
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(received), hash(token));
}

const KNOWN_METHODS = new Set(["GET", "HEAD", "POST", "DELETE"]);

/** Counts 429 separately, because it shows limits, ours or the provider's. */
function formatClass(status: number): string {
  return status === 429 ? "429" : `${Math.floor(status / 100)}xx`;
}

async function readGauge({ name, help, labels = [], read }: RoomGauge): Promise<void> {
  const samples = await read().catch((error: unknown) => {
    log.error("metrics.gauge_failed", { gauge: name, errorName: errorNameOf(error) });
    return { ok: false } as const;
  });
  gaugeFailures.set({ gauge: name }, samples.ok ? 0 : 1);
  // Re-created, so that a set of labels that has disappeared does not keep its last value.
  registry.removeSingleMetric(name);
  if (!samples.ok) return;
  const gauge = new Gauge({ name, help, labelNames: [...labels], registers: [registry] });
  for (const sample of samples.value) gauge.set({ ...sample.labels }, sample.value);
}
