import { ALARM_GAUGES } from "~/alarms/alarm-gauges.server";
import { CREDIT_GAUGES } from "~/credits/credit-gauges.server";
import { PIECE_GAUGES } from "~/pieces/piece-gauges.server";
import { RUN_GAUGES } from "~/reconciliation/daily/run-gauges.server";
import { WEBHOOK_GAUGES } from "~/webhooks/delivery-gauges.server";
import type { RoomGauge } from "./platform/metrics.server";

/** The rooms' numbers at `/metrics`, beside those of requests, provider calls and the process itself. */
export const GAUGES: readonly RoomGauge[] = [
  ...PIECE_GAUGES,
  ...CREDIT_GAUGES,
  ...ALARM_GAUGES,
  ...RUN_GAUGES,
  ...WEBHOOK_GAUGES,
];
