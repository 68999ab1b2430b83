import { formatInteger } from "~/platform/format-integer";
import { TextLink } from "~/ui/links";
import { Cell, Row, Table } from "~/ui/list/table";
import { FreshOnly } from "~/ui/may";
import { Moment } from "~/ui/moment";
import type { ManageView, PostedForm } from "../credits-view";
import { HistoryLink } from "../history/history";
import type { TransactionRow } from "../history/transactions.server";
import { AdjustForm } from "./adjust-form";

/** The Manage Credits view: the form and the recent adjustments. */
export function Manage({ view, posted }: { view: ManageView; posted: PostedForm | null }) {
  const formKey = posted?.formKey ?? view.formKey;
  return (
    <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[340px_minmax(0,1fr)]">
      {view.mayAdjust ? (
        <FreshOnly purpose="add or deduct credits" typed={posted !== null}>
          <AdjustForm key={formKey} view={view} formKey={formKey} posted={posted} />
        </FreshOnly>
      ) : (
        <div>
          <h2 className="mb-1">Add or deduct credits</h2>
          <p className="text-dim">Only admins can adjust credits. Ask one of them, or buy credits by card.</p>
        </div>
      )}
      {view.recent ? <Recent rows={view.recent} /> : null}
    </div>
  );
}

function Recent({ rows }: { rows: TransactionRow[] }) {
  return (
    <div className="min-w-0">
      <h2 className="mb-1">Recent adjustments</h2>
      {rows.length === 0 ? (
        <p className="text-dim">
          No adjustments yet. Each one is listed here with the person who made it, and kept permanently.
        </p>
      ) : (
        <Table
          label="Recent adjustments"
          head={["When", "User", { numeric: "Amount" }, { numeric: "Balance after" }, "Description", "By"]}
        >
          {rows.map((row) => (
            <Row key={row.id}>
              <Cell>
                <Moment at={row.at} />
              </Cell>
              <Cell wraps="name">
                <HistoryLink row={row} />
              </Cell>
              <Cell numeric>{row.change}</Cell>
              <Cell numeric>{formatInteger(row.balanceAfter)}</Cell>
              <Cell wraps="text">
                <span className="line-clamp-2" title={row.description}>
                  {row.description}
                </span>
              </Cell>
              <Cell wraps="name">{row.actor}</Cell>
            </Row>
          ))}
        </Table>
      )}
      {rows.length > 0 ? (
        <p className="mt-2">
          <TextLink to="/users?view=history">Full history</TextLink>
        </p>
      ) : null}
    </div>
  );
}
