import { createHash, timingSafeEqual } from "node:crypto";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { errorNameOf, log } from "./log.server";
import type { Outcome } from "./outcome";

/**
 * What `/metrics` tells Prometheus about this process. Labels are words from our own code (a route's id, an outcome, a
 * state), never what a caller sent: each new value would be a new series, and could be a person's name.
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

/** A number that a room reads, usually from the database, whenever `/metrics` is asked. */
export interface RoomGauge {
  /** `mailroom_open_holds`; with the unit at its end, if it has one: `_seconds`. */
  name: string;
  /** One sentence. */
  help: string;
  labels?: readonly string[];
  /** One sample for each set of labels. A failure leaves the gauge out of this scrape. */
  read(): Promise<Outcome<readonly GaugeSample[]>>;
}

interface GaugeSample {
  value: number;
  labels?: Readonly<Record<string, string>>;
}

/** Adds event-loop delay, memory, garbage collection and the like. Once per process. */
export function measureProcess(): void {
  collectDefaultMetrics({ register: registry });
}

/** @param route the id of its row in the access table, or null where the gate found none */
export function countRequest(route: string | null, method: string, status: number, durationMs: number): void {
  const labels = { route: route ?? "none", method: KNOWN_METHODS.has(method) ? method : "other" };
  httpRequests.observe({ ...labels, status: formatClass(status) }, durationMs / 1000);
}

/** @param outcome a status, or one of our own words */
export function countProviderCall(outcome: number | string, durationMs: number): void {
  const word = typeof outcome === "number" ? formatClass(outcome) : outcome;
  providerCalls.observe({ outcome: word }, durationMs / 1000);
}

/** Everything that is measured, as Prometheus reads it. */
export async function writeMetrics(gauges: readonly RoomGauge[]): Promise<{ text: string; type: string }> {
  await Promise.all(gauges.map(readGauge));
  return { text: await registry.metrics(), type: registry.contentType };
}

/** True when a request carries the token as `Authorization: Bearer …`. Takes as long for a wrong one as for the right one. */
export function isMetricsToken(authorization: string | null, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(hash(given), hash(token));
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

const KNOWN_METHODS = new Set(["GET", "HEAD", "POST", "DELETE"]);

/** 429 is apart: it tells of limits, ours or the provider's. */
function formatClass(status: number): string {
  return status === 429 ? "429" : `${Math.floor(status / 100)}xx`;
}

async function readGauge({ name, help, labels = [], read }: RoomGauge): Promise<void> {
  const samples = await readSamples(name, read);
  gaugeFailures.set({ gauge: name }, samples ? 0 : 1);
  // Made again, so that a set of labels that is gone does not stay at its last value.
  registry.removeSingleMetric(name);
  if (!samples) return;
  const gauge = new Gauge({ name, help, labelNames: [...labels], registers: [registry] });
  for (const sample of samples) gauge.set({ ...sample.labels }, sample.value);
}

async function readSamples(name: string, read: RoomGauge["read"]): Promise<readonly GaugeSample[] | null> {
  try {
    const samples = await read();
    return samples.ok ? samples.value : null;
  } catch (error) {
    log.error("metrics.gauge_failed", { gauge: name, errorName: errorNameOf(error) });
    return null;
  }
}
