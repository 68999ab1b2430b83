import { Link } from "@remix-run/react";
import { EmptyState } from "~/ui/empty/empty-state";
import { Pages, TextLink } from "~/ui/links";
import { Cell, MomentCell, Row, Table } from "~/ui/list/table";
import { May } from "~/ui/may";
import { Moment } from "~/ui/moment";
import { PURCHASE_GROUPS, purchasesAddress } from "./checkout-state";
import { PurchaseBadges } from "./purchase-page";
import type { PurchasesView } from "./purchase-pages.server";

export function PurchaseList({ show, purchases, newest, older }: PurchasesView) {
  return (
    <div className="page">
      <header className="flex flex-wrap items-end gap-x-5 gap-y-2 border-line border-b">
        <h1 className="self-center text-title">Purchases</h1>
        <nav aria-label="Which purchases" className="flex flex-wrap gap-x-4">
          {PURCHASE_GROUPS.map(({ name, label }) => (
            <Link
              key={name}
              to={purchasesAddress(name)}
              className="tab -mb-px"
              aria-current={name === show ? "page" : undefined}
            >
              {label}
            </Link>
          ))}
        </nav>
        <May scope="credits">
          <a href="/users/history.csv?type=purchase" download className="link mb-2 ml-auto">
            Download CSV
          </a>
        </May>
      </header>
      {purchases.length === 0 ? (
        <EmptyState drawing="cards">
          {show === "all" ? "No credits were bought yet." : "No purchase is in this group."}{" "}
          <TextLink to="/users?view=purchase">Buy credits</TextLink>
        </EmptyState>
      ) : (
        <Table
          label="Purchases"
          narrow
          rows="keys"
          head={["Purchase", "For", { wideOnly: "Ordered (UTC)" }, "State"]}
        >
          {purchases.map(({ to, title, user, buyer, at, note, ...purchase }) => (
            <Row key={to}>
              <Cell wraps="name">
                <TextLink to={to}>{title}</TextLink>
                <span className="block text-small text-dim lg:hidden">
                  <Moment at={at} absolute />
                </span>
              </Cell>
              <Cell wraps="name">
                {user}
                {buyer ? <span className="block text-small text-dim">bought by {buyer}</span> : null}
              </Cell>
              <MomentCell at={at} absolute wideOnly />
              <Cell wraps="name">
                <span className="flex flex-wrap gap-1">
                  <PurchaseBadges {...purchase} />
                </span>
                {note ? <span className="block text-small text-dim">{note}</span> : null}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      <Pages newest={newest} older={older} end={null} />
    </div>
  );
}
