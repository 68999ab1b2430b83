import { withDatabase } from "~/platform/database/database.server";
import type { RoomGauge } from "~/platform/metrics.server";
import { succeed } from "~/platform/outcome";

/** Numbers of webhook deliveries for `/metrics`. */
export const WEBHOOK_GAUGES: readonly RoomGauge[] = [
  {
    name: "mailroom_webhook_deliveries_last_day",
    help: "Deliveries made within 24 hours, by state: waiting, delivered or failed",
    labels: ["state"],
    async read() {
      const counted = await withDatabase(
        (db) => db.$queryRaw<{ state: string; total: number }[]>`
          SELECT d.state, count(*)::int AS total FROM webhook_messages m JOIN webhook_deliveries d ON d.message_id = m.id
          WHERE m.created_at > now() - interval '1 day' GROUP BY d.state`,
      );
      if (!counted.ok) return counted;
      return succeed(counted.value.map(({ state, total }) => ({ value: total, labels: { state } })));
    },
  },
  {
    name: "mailroom_oldest_due_webhook_seconds",
    help: "For how long the longest waiting delivery to an endpoint that does not fail has been due",
    async read() {
      const read = await withDatabase(
        (db) => db.$queryRaw<{ seconds: number }[]>`
          SELECT coalesce(extract(epoch FROM now() - min(d.next_at)), 0)::float8 AS seconds
          FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
          WHERE d.state = 'waiting' AND d.next_at < now() AND e.disabled_at IS NULL AND e.failing_since IS NULL`,
      );
      return read.ok ? succeed([{ value: read.value[0]?.seconds ?? 0 }]) : read;
    },
  },
  {
    name: "mailroom_webhook_endpoints",
    help: "Endpoints of webhooks: active, failing or off",
    labels: ["state"],
    async read() {
      const counted = await withDatabase(
        (db) => db.$queryRaw<{ state: string; total: number }[]>`
          SELECT CASE WHEN disabled_at IS NOT NULL THEN 'off' WHEN failing_since IS NOT NULL THEN 'failing' ELSE 'active' END AS state,
            count(*)::int AS total FROM webhook_endpoints GROUP BY 1`,
      );
      if (!counted.ok) return counted;
      return succeed(counted.value.map(({ state, total }) => ({ value: total, labels: { state } })));
    },
  },
];
