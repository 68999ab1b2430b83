import type { RoomGauge } from "./platform/metrics.server";

/** The rooms' numbers at `/metrics`, beside those of requests, provider calls and the process itself. */
export const GAUGES: readonly RoomGauge[] = [];
