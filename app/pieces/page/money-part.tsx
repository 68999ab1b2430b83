import { Link } from "@remix-run/react";
import { ledgerAddress } from "~/credits/ledger/transaction";
import { TextLink } from "~/ui/links";
import { Cell, Row, Table } from "~/ui/list/table";
import { Moment } from "~/ui/moment";
import { Notice } from "~/ui/notice";
import type { PieceDetails } from "./load-details.server";

/** Shows the cost of a piece, its payer and source, and the check of the records. */
export function MoneyPart({ details }: { details: PieceDetails }) {
  const { tested } = details;
  return (
    <section aria-labelledby="details-money">
      <h2 id="details-money" className="mb-3">
        Money
      </h2>
      <Table
        label="Credits of this piece"
        narrow
        head={["What", { numeric: "Credits" }, { numeric: "Balance after" }]}
      >
        {details.money.map((row) => (
          <Row key={row.id ?? "hold"}>
            <Cell across={row.id === null ? 3 : 1}>
              {row.what}
              {row.id === null ? null : (
                <>
                  {" "}
                  <TextLink to={ledgerAddress(row.id)} title="The row of the ledger">
                    #{row.id}
                  </TextLink>
                </>
              )}
            </Cell>
            {row.id === null ? null : (
              <>
                <Cell numeric>{row.change}</Cell>
                <Cell numeric>{row.balance}</Cell>
              </>
            )}
          </Row>
        ))}
      </Table>
      <dl className="my-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 px-2 [overflow-wrap:anywhere]">
        <dt className="text-dim">Paid by</dt>
        <dd>{details.payer}</dd>
        {details.purchases.length > 0 ? (
          <>
            <dt className="text-dim">With</dt>
            <dd>
              {details.purchases.map(({ text, to }) => (
                <Link key={to + text} to={to} className="link block">
                  {text}
                </Link>
              ))}
            </dd>
          </>
        ) : null}
        {details.price ? (
          <>
            <dt className="text-dim">Provider's price</dt>
            <dd className="tabular-nums">{details.price}</dd>
          </>
        ) : null}
        {tested ? (
          <>
            <dt className="text-dim">Sent from the test of</dt>
            <dd>
              <Moment at={tested.at} absolute />
              {tested.price === null ? "" : `, quoted ${tested.price}`}
            </dd>
          </>
        ) : null}
      </dl>
      {details.disagreements ? <Agreement faults={details.disagreements} /> : null}
    </section>
  );
}

function Agreement({ faults }: { faults: string[] }) {
  if (faults.length === 0) {
    return <Notice tone="ok">All records agree.</Notice>;
  }
  return (
    <Notice tone="bad" title="The records do not agree.">
      {faults.join(" ")} Run <span className="wire">npm run verify-ledger</span> and compare with the
      provider's dashboard.
    </Notice>
  );
}
