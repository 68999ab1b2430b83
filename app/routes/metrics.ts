import type { LoaderFunctionArgs } from "@remix-run/node";
import { GAUGES } from "~/gauges.server";
import { env } from "~/platform/env.server";
import { NOTHING_HERE, replyPlainFailure } from "~/platform/http/replies.server";
import { formatMetrics, isMetricsToken } from "~/platform/metrics.server";

/** Serves the metrics of this process to Prometheus, with METRICS_TOKEN. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const { metricsToken } = env();
  if (metricsToken === null) return replyPlainFailure({ code: "not_found", message: NOTHING_HERE });
  if (!isMetricsToken(request.headers.get("Authorization"), metricsToken)) {
    const message = "Send METRICS_TOKEN as Authorization: Bearer.";
    return replyPlainFailure({ code: "signed_out", message }, { "WWW-Authenticate": "Bearer" });
  }
  const { text, type } = await formatMetrics(GAUGES);
  return new Response(text, { headers: { "Content-Type": type, "Cache-Control": "no-store" } });
}
