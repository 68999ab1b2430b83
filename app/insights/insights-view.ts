import type { Failure } from "~/platform/outcome";
import type { ChartView } from "~/ui/chart/chart-plot";

/** What the Insights page shows. */
export interface InsightsView {
  signedIn: boolean;
  failure: Failure | null;
  charts: ChartView[];
}
