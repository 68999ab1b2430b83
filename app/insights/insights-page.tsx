import { LoginNotice } from "~/people/login-notice";
import { Chart } from "~/ui/chart/chart";
import { TextLink } from "~/ui/links";
import { DatabaseNotice } from "~/ui/notice";
import type { InsightsView } from "./load-insights.server";

/** Shows charts that answer a question each, of all users. */
export function InsightsPage({ view }: { view: InsightsView }) {
  return (
    <div className="page gap-5">
      <header className="flex flex-wrap items-baseline gap-x-5 gap-y-1 border-line border-b pb-2.5">
        <h1 className="text-title">Insights</h1>
        <p className="text-dim">All users, days in UTC.</p>
      </header>
      {view.signedIn ? null : <LoginNotice purpose="to see how mail and the provider are doing." />}
      {view.failure ? (
        <DatabaseNotice failure={view.failure} untilConfigured="Until then nothing is counted." />
      ) : null}
      {view.charts.length > 0 ? <Charts charts={view.charts} /> : null}
    </div>
  );
}

/** Aligns the charts of a row below sentences of any length. */
const CHARTS =
  "grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 lg:grid-cols-2 lg:*:[section]:row-span-2 lg:*:[section]:grid lg:*:[section]:grid-rows-subgrid lg:*:[section]:gap-y-0";

function Charts({ charts }: { charts: InsightsView["charts"] }) {
  return (
    <div className={CHARTS}>
      {charts.map((chart) => (
        <Chart key={chart.question} {...chart} />
      ))}
      <p>
        Which pieces came back: <TextLink to="/mail?user_id=all&status=returned">Mail Management</TextLink>.
        Who spent it, and on what: <TextLink to="/users?view=spending">Spending</TextLink>. Each answer:{" "}
        <TextLink to="/stored">Stored Responses</TextLink>.
      </p>
    </div>
  );
}
